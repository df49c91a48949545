#ifndef HALOBEAT_TRACE_TRACE_OPS_H
#define HALOBEAT_TRACE_TRACE_OPS_H

#include "base/isa.h"
#include "kernels/trace/scene_internal.h"

/* The tree that rays go through, and the loops over it, compiled from one source for each ISA. The
 * tree is the same for all of them, and so is what is found and what is counted: a lane's numbers
 * do not depend on how many there are. Internal to the kernel. */

enum {
    TRACE_WIDE = 8,
    TRACE_DEEPEST = 48, /* splits by the heuristic; those below, at most 28, halve what there is */
    TRACE_STACK = (TRACE_WIDE - 1) * (TRACE_DEEPEST + 32)
};

/* What a child is: a number and, in its lowest bits, of what. Where there is no child, the box is
 * one that no ray meets. */
typedef enum { TRACE_NODE, TRACE_SPHERES, TRACE_TRIANGLES, TRACE_ALONE } trace_child;
enum { TRACE_CHILD_BITS = 2, TRACE_CHILD_MASK = (1 << TRACE_CHILD_BITS) - 1 };

/* Boxes are a little larger than what is in them, by what single precision may be wrong. */
typedef struct {
    float side[3][2][TRACE_WIDE]; /* along each axis, lower and upper sides of the children */
    int32_t child[TRACE_WIDE];
    int32_t unused[TRACE_WIDE];
} trace_node;

/* Leaves, each of shapes in ascending order; lanes that hold none are never hit. */
typedef struct {
    double centre[3][TRACE_WIDE], square[TRACE_WIDE]; /* of the radius, or -1 */
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
    double padding; /* of boxes */
    double near;    /* what is nearer to where a ray begins is what it begins at */
    bool clear;     /* does light go through any shape? */
} trace_tree;

typedef struct {
    vector origin, way; /* way of unit length */
    double max;
} trace_ray;

typedef struct {
    double t;      /* how far along the ray; or -1 */
    int32_t shape; /* which; of several at the same distance the first one of the scene */
} trace_hit;

typedef struct {
    /* What the ray meets first. Adds to *steps. */
    trace_hit (*nearest)(const trace_tree *tree, const trace_ray *ray, int64_t *steps);
    /* What share of light comes through from the end of the ray. *hint is the leaf that let nothing
     * through the last time, or TRACE_NODE, the root. */
    double (*through)(const trace_tree *tree, const trace_ray *ray, int32_t *hint, int64_t *steps);
} trace_ops;

extern const trace_ops trace_ops_avx512, trace_ops_avx2, trace_ops_plain;

/* The tree of a scene; `tree` is zeroed. trace_tree_free in any case. HALO_MEMORY. */
halo_status trace_tree_build(trace_tree *tree, const halo_trace_scene *scene);
void trace_tree_free(trace_tree *tree);

#endif
