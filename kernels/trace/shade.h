#ifndef HALOBEAT_TRACE_SHADE_H
#define HALOBEAT_TRACE_SHADE_H

#include "kernels/trace/trace.h"
#include "kernels/trace/trace_ops.h"

/* The colour that a ray brings. Internal to the kernel. */

/* What does not change from ray to ray. */
typedef struct {
    const halo_trace_scene *scene;
    const trace_tree *tree;
    const trace_ops *ops;
    vector *lights; /* [lights] colours as they are used */
    int64_t depth;
    double cutoff, ambient;
} trace_stage;

/* One tile's, or any other sequence of rays'. */
typedef struct {
    const trace_stage *stage;
    int32_t *hints; /* [lights] leaves that a light was last hidden by; zeroed */
    halo_trace_counts counts;
} trace_walk;

/* A ray from the eye; its direction has unit length. */
vector trace_colour(trace_walk *walk, vector origin, vector way);

#endif
