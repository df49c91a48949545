#ifndef HALOBEAT_IO_CANVAS_TEXT_H
#define HALOBEAT_IO_CANVAS_TEXT_H

#include "io/canvas/canvas.h"

/* Text on a canvas (canvas.h), in a font of 5 x 8 pixels that is part of the program, so that it is
 * the same everywhere. Characters of ASCII have glyphs; others of UTF-8, and control characters,
 * are boxes. All functions are local. */

enum {
    HALO_CANVAS_TEXT_STEP = 6,
    HALO_CANVAS_TEXT_HEIGHT = 8
}; /* pixels: of a character, and of
    * a line with descenders */

/* The number of characters of a text. */
int64_t halo_canvas_text_length(const char *text);

/* Writes a line whose upper left pixel is in column `x` of row `y` of the image. */
void halo_canvas_text(const halo_canvas *canvas, int64_t x, int64_t y, const char *text,
                      const unsigned char colour[3]);

/* Copies a text to `out` [size], in which it has `most` characters at most, 5 or more: of longer
 * ones the middle is left out. */
void halo_canvas_text_shorten(const char *text, int64_t most, char *out, size_t size);

#endif
