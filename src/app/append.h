#ifndef HALOBEAT_APP_APPEND_H
#define HALOBEAT_APP_APPEND_H

#include "base/status.h"

#include <stdio.h>

/* Files of lines that runs append to, one run after the other. All functions are local. */

/* Opens `path` for reading and appending. *size: bytes there are; 0 if it is new, or a device. A
 * line that a killed run has left unfinished is cut off. HALO_FILE. */
halo_status app_append_open(FILE **out, const char *path, long *size);

/* Hands what has been written to the system. HALO_FILE. */
halo_status app_append_flush(FILE *file, const char *path);

#endif
