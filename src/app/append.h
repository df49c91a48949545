#ifndef HALOBEAT_APP_APPEND_H
#define HALOBEAT_APP_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Text files to which several runs append lines. All functions are local. */

/* Opens `path` for reading and appending. *size is the number of bytes; 0 if the file is new or a
 * device. An incomplete last line of a killed run is removed. HALO_FILE. */
halo_status app_append_open(FILE **out, const char *path, long *size);

/* Flushes the file to the operating system. HALO_FILE. */
halo_status app_append_flush(FILE *file, const char *path);

/* Opens a log whose lines begin with the number of a beat. If the run is `resumed` it is continued:
 * lines of beats after `first`, which are computed again, are removed, as are column names after
 * the last remaining line. Otherwise it is new. NULL, with errno, if it cannot be opened. */
FILE *app_log_open(const char *path, int64_t first, bool resumed);

#endif
