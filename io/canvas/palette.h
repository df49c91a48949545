#ifndef HALOBEAT_IO_CANVAS_PALETTE_H
#define HALOBEAT_IO_CANVAS_PALETTE_H

#include "io/canvas/picture.h"

/* How bright the cells and dots of a picture are, and the colours that brightness is shown in. */

enum {
    HALO_PICTURE_BACKGROUND = 0, /* brightness of nothing */
    HALO_PICTURE_LINE = 1,       /* between cells; no dot has this brightness */
    HALO_PICTURE_BRIGHTEST = 255 /* of a live cell */
};

/* Red, green, blue of each brightness. */
void halo_picture_fill_palette(halo_picture_style style,
                               unsigned char palette[HALO_PICTURE_PALETTE_BYTES]);

/* The brightness of a cell by its state; the later in its dying, the darker. */
void halo_picture_fill_brightness(int states, unsigned char brightness[256]);

/* What is left of each brightness a frame later. */
void halo_picture_fill_fading(unsigned char faded[256]);

/* The brightness of a dot of `cells` cells whose brightness adds up to `sum`. */
unsigned char halo_picture_level(int64_t sum, int64_t cells);

/* A palette of greys, and of fewer greys below lines of one colour (red, green, blue), which cover
 * them by eighths; and the colour in it of grey `grey` that a line covers by `cover` of 255. Both
 * are 0 to 255. */
void halo_picture_fill_line_palette(const unsigned char line[3],
                                    unsigned char palette[HALO_PICTURE_PALETTE_BYTES]);
unsigned char halo_picture_line_colour(int grey, int cover);

#endif
