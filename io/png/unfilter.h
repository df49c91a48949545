#ifndef HALOBEAT_IO_PNG_UNFILTER_H
#define HALOBEAT_IO_PNG_UNFILTER_H

#include "base/isa.h"

#include <stddef.h>
#include <stdint.h>

/* PNG's filters undone (PNG specification, section 9).
 *
 * Average and Paeth make a chain of each row: a pixel needs its left neighbour, unfiltered. But a
 * row may be undone one pixel behind the row above, so 16 rows are undone together, a vector
 * with one byte of each, along a diagonal. */

/* Filtered rows and the one before them, in place: row i is `bytes` bytes at
 * first + i * (bytes + 1), its filter type in the byte before; `step` bytes make a pixel (at least
 * one). The row before the first lies in front of it in the same way and is unfiltered. The filter
 * types are from 0 to 4. All variants give the same bytes. */
typedef void halo_png_unfilter_function(unsigned char *first, int64_t rows, size_t bytes, int step);

typedef struct {
    halo_png_unfilter_function *unfilter;
} halo_png_unfilter_ops;

extern const halo_png_unfilter_ops halo_png_unfilter_ops_avx512, halo_png_unfilter_ops_sse2,
    halo_png_unfilter_ops_plain;

/* Tables of halo_png_unfilter_ops. */
extern const halo_isa_variant halo_png_unfilter_variants[];

#endif
