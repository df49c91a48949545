#ifndef HALOBEAT_CLUSTER_PYRAMID_OPS_H
#define HALOBEAT_CLUSTER_PYRAMID_OPS_H

#include "base/isa.h"
#include "kernels/cluster/pyramid.h"

/* What is compiled for each ISA. All give the same labels. Internal to the kernel. */
typedef struct pyramid_ops {
    /* Labels of tiles first to last - 1 of a row of tiles, all in one region. */
    void (*walk)(pyramid_walk *walk, pyramid_tile_row *tile_row, int first, int last);
} pyramid_ops;

extern const pyramid_ops pyramid_ops_avx512, pyramid_ops_avx2, pyramid_ops_plain;

/* Tables of pyramid_ops. */
extern const halo_isa_variant pyramid_variants[];

#endif
