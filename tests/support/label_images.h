#ifndef HALOBEAT_TESTS_LABEL_IMAGES_H
#define HALOBEAT_TESTS_LABEL_IMAGES_H

#include "kernels/label/rows/strip.h"
#include "support/images.h"

/* Generated images as input of the label kernel, on one process. */

/* Rows first to last - 1 of an image as bits, without padding after the last word. The caller frees
 * .bits. Exits the program if there is no memory. */
label_input label_input_make(const image *from, int64_t first, int64_t last);

/* A plain answer to compare with: is bit x set? */
static inline bool bit_at(const uint64_t *bits, int64_t x)
{
    return (bits[x / 64] >> (x % 64) & 1) != 0;
}

#endif
