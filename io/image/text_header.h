#ifndef HALOBEAT_IO_IMAGE_TEXT_HEADER_H
#define HALOBEAT_IO_IMAGE_TEXT_HEADER_H

#include "io/image/image_internal.h"

/* Headers that are lines of text; not installed. Everything is local. */

enum { HALO_TEXT_LINE_BYTES = 1024 };

typedef struct {
    const unsigned char *bytes;
    size_t count, at; /* at: of the line after this one */
    char line[HALO_TEXT_LINE_BYTES];
} halo_text_header;

/* The next line, without its end, cut at HALO_TEXT_LINE_BYTES - 1; false: none is left. */
bool halo_text_next(halo_text_header *text);

/* Split `line` at the first `separator`: spaces around both parts are cut off. Returns the second
 * part, or NULL if there is no separator. */
char *halo_text_split(char *line, const char *separator);

/* How many integers, or reals, there are in `value`, at most `room`; -1 if anything else is. */
int halo_text_integers(const char *value, int64_t *numbers, int room);
int halo_text_reals(const char *value, double *numbers, int room);

#endif
