#ifndef HALOBEAT_TRACE_TRACE_OPS_H
#define HALOBEAT_TRACE_TRACE_OPS_H

#include "base/isa.h"
#include "kernels/trace/scene_internal.h"

/* The tree, and the loops over it, compiled from one source for each ISA. The tree is the same for
 * all ISAs, and so are results and counts: the numbers of a lane do not depend on the number of
 * lanes. Internal to the kernel. */

enum {
    TRACE_WIDE = 8,
    TRACE_DEEPEST = 48, /* maximum depth of splits by the heuristic; at most 28 further splits
                         * halve the shapes */
    TRACE_STACK = (TRACE_WIDE - 1) * (TRACE_DEEPEST + 32)
};

/* A child: an index, with its kind in the lowest bits. Unused children have a box that no ray
 * meets. */
typedef enum { TRACE_NODE, TRACE_SPHERES, TRACE_TRIANGLES, TRACE_ALONE } trace_child;
enum { TRACE_CHILD_BITS = 2, TRACE_CHILD_MASK = (1 << TRACE_CHILD_BITS) - 1 };

/* Boxes are slightly enlarged for the errors of single precision. */
typedef struct {
    float side[3][2][TRACE_WIDE]; /* along each axis, lower and upper sides of the children */
    int32_t child[TRACE_WIDE];
    int32_t unused[TRACE_WIDE];
} trace_node;

/* Leaves, with shapes in ascending order; unused lanes are never hit. */
typedef struct {
    double centre[3][TRACE_WIDE], square[TRACE_WIDE]; /* square of the radius, or -1 */
    int32_t shape[TRACE_WIDE];
    int32_t unused[TRACE_WIDE];
} trace_spheres;

typedef struct {
    double corner[3][3][TRACE_WIDE]; /* of each, along each axis */
    int32_t shape[TRACE_WIDE];
    int32_t unused[TRACE_WIDE];
} trace_triangles;

typedef struct {
    const halo_trace_scene *scene;
    trace_node *nodes; /* the first one is the root */
    trace_spheres *spheres;
    trace_triangles *triangles;
    int64_t node_count, sphere_count, triangle_count;
    double padding; /* padding of boxes */
    double near;    /* hits closer to the ray's origin are ignored: they are on the shape it
                     * starts from */
    bool clear;     /* light passes through some shapes */
} trace_tree;

typedef struct {
    vector origin, way; /* `way` is a unit vector */
    double max;
} trace_ray;

typedef struct {
    double t;      /* distance along the ray, or -1 */
    int32_t shape; /* its number; the lowest of several at the same distance */
} trace_hit;

typedef struct {
    /* The first hit of the ray. Adds to *steps. */
    trace_hit (*nearest)(const trace_tree *tree, const trace_ray *ray, int64_t *steps);
    /* The share of light that passes from the end of the ray. *hint is the leaf that last blocked
     * all light, or TRACE_NODE, the root. */
    double (*through)(const trace_tree *tree, const trace_ray *ray, int32_t *hint, int64_t *steps);
} trace_ops;

extern const trace_ops trace_ops_avx512, trace_ops_avx2, trace_ops_plain;

/* Builds the tree of a scene; `tree` is zeroed. Call trace_tree_free in any case. HALO_MEMORY. */
halo_status trace_tree_build(trace_tree *tree, const halo_trace_scene *scene);
void trace_tree_free(trace_tree *tree);

#endif
