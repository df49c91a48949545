#ifndef HALOBEAT_TRACE_BUILD_H
#define HALOBEAT_TRACE_BUILD_H

#include "kernels/trace/trace_ops.h"

/* Building the tree: first with two children per node, which are then merged. Internal to the
 * kernel; local. */

#define TRACE_NODE_COST 0.4 /* cost of a node with two children, relative to a test of a leaf */

enum { TRACE_LEAF = 8 }; /* maximum shapes of a leaf: the number of lanes */

/* A node with two children, or a leaf. */
typedef struct {
    trace_box box;
    int64_t lo, hi;      /* shapes order[lo] to order[hi - 1] */
    int64_t left, right; /* -1: a leaf */
} trace_pair;

typedef struct {
    const halo_trace_scene *scene;
    trace_box *boxes;       /* [shapes] */
    int32_t *order, *spare; /* [shapes] */
    trace_pair *pairs;      /* [pair_room]; the first one is the root */
    int64_t pair_count, pair_room;
} trace_builder;

/* The kind of leaf for a shape. */
trace_child trace_leaf_of(const trace_builder *builder, int32_t shape);

double trace_box_area(const trace_box *box);

/* Sets all members but the scene. HALO_MEMORY. */
halo_status trace_build_pairs(trace_builder *builder);

#endif
