#ifndef HALOBEAT_IO_PNG_UNFILTER_H
#define HALOBEAT_IO_PNG_UNFILTER_H

#include "base/isa.h"

#include <stddef.h>
#include <stdint.h>

/* Reversing PNG's filters (PNG specification, section 9).
 *
 * With Average and Paeth each pixel depends on its unfiltered left neighbour. But a row may be
 * processed one pixel behind the row above. So 16 rows are processed together along a diagonal,
 * with one byte of each in a vector. */

/* Unfilters rows in place: row i is `bytes` bytes at first + i * (bytes + 1), preceded by its
 * filter type; `step` is the bytes of a pixel, at least 1. The unfiltered row before the first one
 * precedes it in the same layout. Filter types must be 0 to 4. All variants give the same bytes. */
typedef void halo_png_unfilter_function(unsigned char *first, int64_t rows, size_t bytes, int step);

typedef struct {
    halo_png_unfilter_function *unfilter;
} halo_png_unfilter_ops;

extern const halo_png_unfilter_ops halo_png_unfilter_ops_avx512, halo_png_unfilter_ops_sse2,
    halo_png_unfilter_ops_plain;

/* The variants of halo_png_unfilter_ops. */
extern const halo_isa_variant halo_png_unfilter_variants[];

#endif
