#ifndef HALOBEAT_IO_CANVAS_PALETTE_H
#define HALOBEAT_IO_CANVAS_PALETTE_H

#include "io/canvas/picture.h"

/* Brightness of cells and dots of a picture, and its colours. */

enum {
    HALO_PICTURE_BACKGROUND = 0, /* background */
    HALO_PICTURE_LINE = 1,       /* lines between cells; no dot has this value */
    HALO_PICTURE_BRIGHTEST = 255 /* a live cell */
};

/* Red, green and blue of each brightness. */
void halo_picture_fill_palette(halo_picture_style style,
                               unsigned char palette[HALO_PICTURE_PALETTE_BYTES]);

/* The brightness of a cell by its state; later states of dying are darker. */
void halo_picture_fill_brightness(int states, unsigned char brightness[256]);

/* The brightness one frame later, for each brightness. */
void halo_picture_fill_fading(unsigned char faded[256]);

/* The brightness of a dot of `cells` cells whose brightness adds up to `sum`. */
unsigned char halo_picture_level(int64_t sum, int64_t cells);

/* A palette of greys, and of fewer greys covered by eighths by lines of one colour (red, green,
 * blue); and the index of grey `grey` covered by a line by `cover` of 255. Both arguments are 0 to
 * 255. */
void halo_picture_fill_line_palette(const unsigned char line[3],
                                    unsigned char palette[HALO_PICTURE_PALETTE_BYTES]);
unsigned char halo_picture_line_colour(int grey, int cover);

#endif
