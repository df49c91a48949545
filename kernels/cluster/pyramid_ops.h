#ifndef HALOBEAT_CLUSTER_PYRAMID_OPS_H
#define HALOBEAT_CLUSTER_PYRAMID_OPS_H

#include "base/isa.h"
#include "kernels/cluster/pyramid_order.h"

/* Functions compiled for each ISA. All give the same labels. Internal to the kernel. */
typedef struct pyramid_ops {
    /* Computes labels of tiles first to last - 1 of a row of tiles, all in one region. */
    void (*walk)(pyramid_walk *walk, pyramid_tile_row *tile_row, int first, int last);

    /* Moves the `left` of `n` pixels (some but not all) with the smallest columns (axis 0) or rows
     * (axis 1) to the front; both parts keep their order. Coordinates are from lo to hi. Returns
     * that of the last pixel on the left. Reads, but does not write, ORDER_SLACK pixels beyond. */
    int (*part)(const pyramid_narrow *pixels, pyramid_narrow *to, int n, int left, int axis, int lo,
                int hi);
} pyramid_ops;

/* The function `part` without vectors. */
int pyramid_part_plain(const pyramid_narrow *pixels, pyramid_narrow *to, int n, int left, int axis,
                       int lo, int hi);

extern const pyramid_ops pyramid_ops_avx512, pyramid_ops_avx2, pyramid_ops_plain;

/* The variants of pyramid_ops. */
extern const halo_isa_variant pyramid_variants[];

#endif
