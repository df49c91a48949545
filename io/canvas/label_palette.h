#ifndef HALOBEAT_IO_CANVAS_LABEL_PALETTE_H
#define HALOBEAT_IO_CANVAS_LABEL_PALETTE_H

enum { HALO_LABEL_PALETTE_COLOURS = 256 };

/* Local, pure. A palette, red, green and blue of each colour, in which numbers that follow each
 * other are easily told apart: for pictures of labels (HALO_LABEL_COLOUR in label.h) or of any
 * other numbers, taken modulo 255 from 1 on. Colour 0 is black, for what has no number. */
void halo_label_palette(unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS]);

#endif
