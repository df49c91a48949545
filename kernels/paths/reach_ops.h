#ifndef HALOBEAT_PATHS_REACH_OPS_H
#define HALOBEAT_PATHS_REACH_OPS_H

#include "base/isa.h"
#include "kernels/paths/front.h"

/* From a batch of cells to the cells that they reach, compiled for each ISA. All variants find the
 * same cells in the same order, and the same bits: each operation is rounded. Internal to the paths
 * kernel. */

enum {
    PATHS_BATCH = 32,
    PATHS_REACH_MORE = 8 /* entries after the last one that may be written */
};

/* Cells are indices of front->cells. */
typedef struct paths_batch {
    int32_t cells[PATHS_BATCH];
    int32_t others[PATHS_BATCH * PATHS_STEPS + PATHS_REACH_MORE];
    double reached[PATHS_BATCH * PATHS_STEPS + PATHS_REACH_MORE];
} paths_batch;

/* Collects the neighbours of batch->cells [count] whose distances are larger than the one through
 * such a cell in batch->others, and their new distances in batch->reached. Returns their number. A
 * neighbour of several cells may be in the list several times. */
typedef int paths_reach(const paths_front *front, paths_batch *batch, int count);

typedef struct {
    paths_reach *four, *eight, *sixteen;      /* in images, by the number of neighbours */
    paths_reach *six, *eighteen, *twenty_six; /* in volumes */
} paths_reach_ops;

extern const paths_reach_ops paths_reach_ops_avx512, paths_reach_ops_avx2, paths_reach_ops_plain;

/* The variants of paths_reach_ops. */
extern const halo_isa_variant paths_reach_variants[];

#endif
