#ifndef HALOBEAT_BASE_TEXT_H
#define HALOBEAT_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Text as people's programs write it: with a byte order mark (Windows' Notepad, Excel's "CSV
 * UTF-8"), and with lines that end with a line feed, a carriage return, or both. All readers of
 * texts use these functions. Everything is local. */

/* The length of the UTF-8 byte order mark that `bytes` begin with: 3, or 0 without one. */
size_t halo_text_mark(const void *bytes, size_t count);

/* HALO_FORMAT, with a remedy, if `bytes` begin with a byte order mark of UTF-16. `name` is the
 * file's. */
halo_status halo_text_check_encoding(const char *name, const void *bytes, size_t count);

/* Replaces carriage returns, with or without a line feed behind them, by line feeds, in place.
 * `*carriage` says that the bytes before these ended with a carriage return, and is set for the
 * bytes that follow. Returns the number of bytes that are left. */
size_t halo_text_end_lines(unsigned char *bytes, size_t count, bool *carriage);

/* The lines of a file that is open. Initialise `file` and, for messages, `name`; halo_text_free
 * ends the reading. */
typedef struct {
    FILE *file;
    const char *name;
    char *line;     /* the current line, without its end; it may hold 0 bytes */
    size_t length;  /* its bytes */
    int64_t number; /* its number, from 1 */
    size_t room;
    bool carriage; /* the line before ended with a carriage return */
} halo_text_lines;

/* Reads the next line: *more is false at the end of the file. A line is returned as soon as its end
 * has arrived, which matters for pipes. HALO_FILE, HALO_FORMAT for UTF-16, HALO_MEMORY. */
halo_status halo_text_next_line(halo_text_lines *lines, bool *more);

void halo_text_free(halo_text_lines *lines);

#endif
