#ifndef HALOBEAT_TRACE_SHADE_H
#define HALOBEAT_TRACE_SHADE_H

#include "kernels/trace/trace.h"
#include "kernels/trace/trace_ops.h"

/* The colour of a ray. Internal to the kernel. */

/* Constants for all rays. */
typedef struct {
    const halo_trace_scene *scene;
    const trace_tree *tree;
    const trace_ops *ops;
    vector *lights; /* [lights] colours as used */
    int64_t depth;
    double cutoff, ambient;
} trace_stage;

/* State of a sequence of rays, for instance those of a tile. */
typedef struct {
    const trace_stage *stage;
    int32_t *hints; /* [lights] the leaf that last hid each light; zeroed */
    halo_trace_counts counts;
} trace_walk;

/* The colour of a ray from the eye; `way` is a unit vector. */
vector trace_colour(trace_walk *walk, vector origin, vector way);

#endif
