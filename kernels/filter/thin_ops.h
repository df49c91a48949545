#ifndef HALOBEAT_FILTER_THIN_OPS_H
#define HALOBEAT_FILTER_THIN_OPS_H

#include "base/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* The inner loop of thinning of volumes, compiled for each ISA. Internal to the kernel. */

/* X(code, axis, first): directions from which voxels go, in their order: along the axis (0 planes,
 * 1 rows, 2 columns), from its first end or from its last one. */
#define FILTER_THIN_LIST(X) \
    X(U, 0, true)           \
    X(D, 0, false)          \
    X(N, 1, true)           \
    X(S, 1, false)          \
    X(W, 2, true)           \
    X(E, 2, false)

enum { FILTER_THIN_DIRECTIONS = 6, FILTER_THIN_WORDS = 8 /* of which rows are multiples */ };

typedef struct {
    /* leaving[i] = the voxels of word i of rows[4] that go. rows[3 * i + k] is the row i - 1 planes
     * and k - 1 rows away, with 0 in the word before and in the one after its `words`, which are a
     * multiple of FILTER_THIN_WORDS. True if there are any. */
    bool (*find[FILTER_THIN_DIRECTIONS])(const uint64_t *const rows[9], int64_t words,
                                         uint64_t *leaving);
} filter_thin_ops;

extern const filter_thin_ops filter_thin_ops_avx512, filter_thin_ops_avx2, filter_thin_ops_plain;

#endif
