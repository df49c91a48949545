#ifndef HALOBEAT_FILTER_HISTOGRAM_OPS_H
#define HALOBEAT_FILTER_HISTOGRAM_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranks of samples of 8 bits by histograms of columns, for each ISA. Internal to the kernel.
 *
 * A column of the window has a histogram, which moves down with the window by the samples that come
 * in and go (S. Perreault and P. Hebert, Median filtering in constant time, 2007); that of the
 * window moves along the row by columns. Counts are those of samples that are not larger: of 16
 * groups of 16 values, and within each group, so that a rank is found by comparing 16 numbers
 * twice. A group of the window's is brought up to date when the rank is in it. */

enum { FILTER_GROUPS = 16, FILTER_VALUES = 16 /* of a group */ };

typedef struct {
    int64_t columns; /* of the window */
    int64_t planes;  /* of the window, whose samples a column has */
    int64_t width;   /* outputs that are computed together; with columns - 1 more */
    uint32_t rank;   /* from 0 */
    uint16_t *group; /* [width + columns - 1][FILTER_GROUPS] */
    uint16_t *value; /* [FILTER_GROUPS][width + columns - 1][FILTER_VALUES] */
} filter_histograms;

typedef struct {
    /* Samples of columns come in, and others go: rows of each plane, from the first column on.
     * NULL: none. */
    void (*move)(const filter_histograms *h, const uint8_t *const *in, const uint8_t *const *gone);
    /* Computes the first `count` outputs. The window has at most UINT16_MAX samples ([0]) or at
     * most 2^30 ([1]). */
    void (*make[2])(const filter_histograms *h, int64_t count, uint8_t *out);
} filter_histogram_ops;

extern const filter_histogram_ops filter_histogram_ops_avx512, filter_histogram_ops_avx2,
    filter_histogram_ops_plain;

#endif
