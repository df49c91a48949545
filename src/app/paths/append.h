#ifndef HALOBEAT_APP_PATHS_APPEND_H
#define HALOBEAT_APP_PATHS_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Text files to which runs append lines. A file is looked at through the descriptor that will be
 * written, before a byte of it changes: what is not of the expected kind stays as it is. All
 * functions are local. */

typedef struct {
    const char *noun;    /* "journal": for messages */
    const char *heading; /* its first line, with the line feed, of 255 bytes at most */
    bool streams;        /* may be a pipe, a terminal or another character device, too */
} app_append_kind;

/* Opens `path` for reading and appending, or creates it, and locks it until it is closed. *begun is
 * false if there is nothing in it; otherwise it begins with the heading, and is read from the line
 * behind it. A new file is never created where a symbolic link points to. HALO_FILE, also if
 * another run has it; HALO_FORMAT for a file of another kind. */
halo_status app_append_open(FILE **out, const char *path, const app_append_kind *kind, bool *begun);

/* The same for reading only, without a lock; it must be a regular file. HALO_FILE, HALO_FORMAT. */
halo_status app_append_read(FILE **out, const char *path, const app_append_kind *kind, bool *begun);

/* Call it after reading, and before the first line is written. Removes an incomplete last line,
 * which a killed run has left, and writes the heading of a file that is not `begun`. HALO_FILE. */
halo_status app_append_begin(FILE *file, const char *path, const app_append_kind *kind, bool begun);

/* Flushes the file to the operating system. HALO_FILE. */
halo_status app_append_flush(FILE *file, const char *path);

/* A log whose lines begin with the number of a beat. */
typedef struct {
    const char *noun;                 /* "log of decisions": for messages */
    bool (*begins)(const char *line); /* is this the first line of such a log? */
    bool continues; /* append to a log that is there: lines of beats after `first`, which are
                     * computed again, are removed, as are column names after the last remaining
                     * line. False: it is emptied */
    int64_t first;
} app_log_options;

/* Opens a log for writing. *continued is true if lines remain in it. A new file is never created
 * where a symbolic link points to. HALO_FILE; HALO_FORMAT for a file that is no such log and not
 * empty. */
halo_status app_log_open(FILE **out, const char *path, const app_log_options *options,
                         bool *continued);

#endif
