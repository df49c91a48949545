#ifndef HALOBEAT_PATHS_REACH_OPS_H
#define HALOBEAT_PATHS_REACH_OPS_H

#include "base/isa.h"
#include "kernels/paths/front.h"

/* From a batch of cells to those that they reach, compiled for each ISA. All find the same cells in
 * the same order, and the same bits: each operation is rounded. Internal to the paths kernel. */

enum {
    PATHS_BATCH = 32,
    PATHS_REACH_MORE = 8 /* entries behind the last one that are written, too */
};

/* Cells are indices of front->cells. */
typedef struct paths_batch {
    int32_t cells[PATHS_BATCH];
    int32_t others[PATHS_BATCH * HALO_PATHS_NEIGHBOURS + PATHS_REACH_MORE];
    double reached[PATHS_BATCH * HALO_PATHS_NEIGHBOURS + PATHS_REACH_MORE];
} paths_batch;

/* Collect, from batch->cells, [count], the neighbours whose distances are larger than the one by
 * such a cell: into batch->others, and the new distances into batch->reached. Returns their
 * number. A neighbour of several cells may be there several times. */
typedef int paths_reach(const paths_front *front, paths_batch *batch, int count);

typedef struct {
    paths_reach *four, *eight, *sixteen; /* by the number of neighbours */
} paths_reach_ops;

extern const paths_reach_ops paths_reach_ops_avx512, paths_reach_ops_avx2, paths_reach_ops_plain;

/* Tables of paths_reach_ops. */
extern const halo_isa_variant paths_reach_variants[];

#endif
