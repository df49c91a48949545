#ifndef HALOBEAT_IO_CANVAS_LABEL_PALETTE_H
#define HALOBEAT_IO_CANVAS_LABEL_PALETTE_H

enum { HALO_LABEL_PALETTE_COLOURS = 256 };

/* Local, pure. Writes a palette, red, green and blue of each colour, in which consecutive numbers
 * are easy to distinguish: for images of labels (HALO_LABEL_COLOUR in label.h) or of other numbers,
 * modulo 255 from 1 on. Colour 0 is black, for the background. */
void halo_label_palette(unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS]);

#endif
