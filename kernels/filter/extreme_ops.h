#ifndef HALOBEAT_FILTER_EXTREME_OPS_H
#define HALOBEAT_FILTER_EXTREME_OPS_H

#include "base/isa.h"
#include "base/sample.h"

#include <stddef.h>

/* The inner loops of minima and maxima over boxes and other elements, compiled for each ISA.
 * Samples are keys (keys.h). Internal to the kernel. */

/* An element that has in each row a chord of samples from -half to half, as its rows sorted by
 * chords, the widest first. Rows of one level have the same chord. */
typedef struct {
    int64_t levels;
    const int64_t *half;  /* [levels] decreasing */
    const int64_t *begin; /* [levels + 1] first of the level's rows in `row`, and the end */
    const int64_t *row;   /* indices from the `rows` of a call, for its first output */
    const int64_t *level; /* [half[0] + 1] the last level whose chord reaches so far */
} filter_chords;

typedef struct {
    const filter_chords *chords;
    const void *const *rows;
    int64_t count, width; /* outputs, and samples of each */
    void *const *out;     /* [count] */
    int64_t batch;        /* outputs that are computed together */
    char *scratch;        /* batch * levels * pitch bytes */
    size_t pitch;
    int64_t block;        /* samples that are computed together */
    const char **shifted; /* [2 * half[0] + 1] for pointers */
} filter_element_rows;

typedef struct {
    /* out[i] = the extreme of rows[i] ... rows[i + window - 1], for `count` outputs, of bytes
     * `from` to `to` - 1 of rows, which are multiples of 64; to - from is no less than 0. */
    void (*columns[HALO_SAMPLE_TYPES])(const void *const *rows, int64_t window, int64_t count,
                                       ptrdiff_t from, ptrdiff_t to, void *const *out);
    /* out[i][x] = the extreme of rows[i][x] ... rows[i][x + window - 1], for `width` samples, of
     * which not a byte more is written; rows are overwritten, and 64 bytes past them may be. */
    void (*along[HALO_SAMPLE_TYPES])(void *const *rows, int64_t count, int64_t window,
                                     int64_t width, void *const *out);
    /* out[i][x] = the extreme over the element, of which rows are rows[i + chords->row[...]]. */
    void (*element[HALO_SAMPLE_TYPES])(const filter_element_rows *call);
} filter_extreme_loops;

typedef struct {
    filter_extreme_loops of[2]; /* minima, maxima */
} filter_extreme_ops;

extern const filter_extreme_ops filter_extreme_ops_avx512, filter_extreme_ops_avx2,
    filter_extreme_ops_plain;

#endif
