#ifndef HALOBEAT_FILTER_BITS_OPS_H
#define HALOBEAT_FILTER_BITS_OPS_H

#include "base/isa.h"
#include "kernels/filter/extreme_ops.h"

/* Erosions and dilations of rows of bits, many at a time, compiled for each ISA. Internal to the
 * kernel. */

typedef struct {
    const filter_chords *chords;
    const void *const *rows;
    int64_t count, width; /* outputs, and samples of each */
    void *const *out;     /* [count] */
    int64_t batch;        /* outputs that are computed together */
    char *scratch;        /* batch * levels * pitch bytes, word 0 of the first row */
    size_t pitch;
} filter_bit_rows;

typedef struct {
    /* out[i] = what all bits of the element have in common ([0]), or any of them has ([1]); rows
     * are rows[i + chords->row[...]]. Bits past the width are 0. */
    void (*element[2])(const filter_bit_rows *call);
} filter_bits_ops;

extern const filter_bits_ops filter_bits_ops_avx512, filter_bits_ops_avx2, filter_bits_ops_plain;

#endif
