#ifndef HALOBEAT_APP_APPEND_H
#define HALOBEAT_APP_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Files of lines that runs append to, one run after the other. All functions are local. */

/* Opens `path` for reading and appending. *size: bytes there are; 0 if it is new, or a device. A
 * line that a killed run has left unfinished is cut off. HALO_FILE. */
halo_status app_append_open(FILE **out, const char *path, long *size);

/* Hands what has been written to the system. HALO_FILE. */
halo_status app_append_flush(FILE *file, const char *path);

/* A log of beats, each line of which begins with the number of one. Of a run that is `resumed` it
 * goes on: lines of beats after `first`, which are computed again, go, and so do names of columns
 * behind the last that stays. Otherwise it is new. NULL, and errno, if it cannot be opened. */
FILE *app_log_open(const char *path, int64_t first, bool resumed);

#endif
