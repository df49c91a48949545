#ifndef HALOBEAT_IO_IMAGE_PIXELS_H
#define HALOBEAT_IO_IMAGE_PIXELS_H

#include <stddef.h>
#include <stdint.h>

/* Pixels of whole bytes in another order; not installed. Everything is local. */

typedef struct {
    /* Reverses the order of the pixels in a row. */
    void (*reverse)(unsigned char *row, int64_t width);
    /* Copies `count` pixels, `pitch` bytes from one to the next, to every `step`-th place. */
    void (*column)(const unsigned char *from, size_t pitch, int64_t count, unsigned char *to,
                   ptrdiff_t step);
} halo_pixel_kind;

enum { HALO_PIXEL_BYTES = 8 };

/* By the bytes of a pixel: 1, 2, 3, 4, 6 or 8. */
extern const halo_pixel_kind halo_pixel_kinds[HALO_PIXEL_BYTES + 1];

#endif
