/* The loops of trace_ops.h, compiled once for each ISA (halobeat_isa_body). Lanes are independent
 * and operations are not contracted, so that every vector width gives the same results. No include
 * guard on purpose. */

#include "kernels/trace/trace_ops.h"

#include "kernels/trace/trace_lanes.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Precomputed constants of a ray. */
typedef struct {
    const trace_tree *tree;
    const trace_ray *ray;
    float origin[3], inverse[3];
    int lower[3];   /* which side of a box is met first, along each axis */
    int kx, ky, kz; /* the direction is longest along kz */
    double shear_x, shear_y, shear_z;
} probe;

INLINE probe make_probe(const trace_tree *tree, const trace_ray *ray)
{
    const double tiny = 1e-30;
    probe p = {.tree = tree, .ray = ray};
    const double way[] = {ray->way.x, ray->way.y, ray->way.z};
    const double origin[] = {ray->origin.x, ray->origin.y, ray->origin.z};
    for (int a = 0; a < 3; a++) {
        double divisor = fabs(way[a]) > tiny ? way[a] : way[a] < 0 ? -tiny : tiny;
        p.origin[a] = (float)origin[a];
        p.inverse[a] = (float)(1 / divisor);
        p.lower[a] = divisor < 0;
    }
    double x = fabs(way[0]), y = fabs(way[1]), z = fabs(way[2]);
    p.kz = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    p.kx = p.kz == 2 ? 0 : p.kz + 1;
    p.ky = p.kx == 2 ? 0 : p.kx + 1;
    p.shear_z = 1 / way[p.kz];
    p.shear_x = way[p.kx] * p.shear_z;
    p.shear_y = way[p.ky] * p.shear_z;
    return p;
}

/* Which children's boxes the ray meets up to `max`, and at what distance. The far side is enlarged
 * for three rounding errors; boxes are padded for the rounding of the origin. */
INLINE uint32_t meet_boxes(const probe *p, const trace_node *node, float max, float *away)
{
    const float slack = 1 + 8 * 0x1p-24F;
    uint32_t met = 0;
    for (int i = 0; i < TRACE_WIDE; i += FLOATS) {
        floats first = (floats){0}, last = (floats){0} + max;
        for (int a = 0; a < 3; a++) {
            const float *lower = node->side[a][p->lower[a]], *upper = node->side[a][!p->lower[a]];
            floats in = (*(const floats *)(lower + i) - p->origin[a]) * p->inverse[a];
            floats out = (*(const floats *)(upper + i) - p->origin[a]) * p->inverse[a];
            first = MAX_FLOATS(in, first);
            last = MIN_FLOATS(out, last);
        }
        *(floats *)(away + i) = first;
        met |= AT_MOST_FLOATS(first, last * slack) << i;
    }
    return met;
}

INLINE float round_max(double max)
{
    const double farthest = 1e30;
    return (float)((max < farthest ? max : farthest) * (1 + 0x1p-21));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* For each lane with a bit in `lanes`, *t is the distance of the hit. */
typedef struct {
    uint32_t lanes;
    double t[TRACE_WIDE];
} hits;

INLINE doubles load(const double *from)
{
    return *(const doubles *)(const void *)from;
}

/* The first of the two intersections with a sphere that is in front of the ray's origin. */
INLINE void hit_spheres(const probe *p, const trace_spheres *leaf, double max, hits *found)
{
    const trace_ray *ray = p->ray;
    double root[TRACE_WIDE] __attribute__((aligned(64)));
    double along[TRACE_WIDE] __attribute__((aligned(64)));
    uint32_t lanes = 0;
    for (int i = 0; i < TRACE_WIDE; i += DOUBLES) {
        doubles x = load(leaf->centre[0] + i) - ray->origin.x;
        doubles y = load(leaf->centre[1] + i) - ray->origin.y;
        doubles z = load(leaf->centre[2] + i) - ray->origin.z;
        doubles b = x * ray->way.x + y * ray->way.y + z * ray->way.z;
        x -= b * ray->way.x;
        y -= b * ray->way.y;
        z -= b * ray->way.z;
        doubles square = load(leaf->square + i) - (x * x + y * y + z * z);
        *(doubles *)(along + i) = b;
        *(doubles *)(root + i) = square;
        lanes |= AT_MOST((doubles){0}, square) << i;
    }
    found->lanes = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int i = __builtin_ctz(lanes);
        double half = sqrt(root[i]), near = along[i] - half;
        double t = near > p->tree->near ? near : along[i] + half;
        found->t[i] = t;
        found->lanes |= (uint32_t)(t > p->tree->near && t <= max) << i;
    }
}

/* Woop, Benthin and Wald, "Watertight ray/triangle intersection", 2013: corners are sheared so that
 * the ray is along z, and an edge shared by two triangles is tested with the same numbers for both.
 * Both sides are hit. */
INLINE void hit_triangles(const probe *p, const trace_triangles *leaf, double max, hits *found)
{
    const vector *origin = &p->ray->origin;
    double ox = vector_axis(origin, p->kx), oy = vector_axis(origin, p->ky);
    double oz = vector_axis(origin, p->kz);
    double area[TRACE_WIDE] __attribute__((aligned(64)));
    double depth[TRACE_WIDE] __attribute__((aligned(64)));
    uint32_t lanes = 0;
    for (int i = 0; i < TRACE_WIDE; i += DOUBLES) {
        doubles x[3], y[3], z[3], zero = {0};
        for (int c = 0; c < 3; c++) {
            z[c] = load(leaf->corner[c][p->kz] + i) - oz;
            x[c] = load(leaf->corner[c][p->kx] + i) - ox - p->shear_x * z[c];
            y[c] = load(leaf->corner[c][p->ky] + i) - oy - p->shear_y * z[c];
        }
        doubles u = x[2] * y[1] - y[2] * x[1];
        doubles v = x[0] * y[2] - y[0] * x[2];
        doubles w = x[1] * y[0] - y[1] * x[0];
        uint32_t below = LESS(u, zero) | LESS(v, zero) | LESS(w, zero);
        uint32_t above = LESS(zero, u) | LESS(zero, v) | LESS(zero, w);
        lanes |= (below ^ above) << i;
        *(doubles *)(area + i) = u + v + w;
        *(doubles *)(depth + i) = (u * z[0] + v * z[1] + w * z[2]) * p->shear_z;
    }
    found->lanes = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int i = __builtin_ctz(lanes);
        double t = depth[i] / area[i];
        found->t[i] = t;
        found->lanes |= (uint32_t)(t > p->tree->near && t <= max) << i;
    }
}

/* The shapes of a leaf that are hit, and their numbers. */
INLINE const int32_t *hit_leaf(const probe *p, int32_t child, double max, hits *found)
{
    int64_t number = child >> TRACE_CHILD_BITS;
    trace_child kind = child & TRACE_CHILD_MASK;
    if (kind == TRACE_SPHERES) {
        hit_spheres(p, &p->tree->spheres[number], max, found);
        return p->tree->spheres[number].shape;
    }
    hit_triangles(p, &p->tree->triangles[number], max, found);
    return p->tree->triangles[number].shape;
}

static void hit_alone(const probe *p, int64_t number, double max, hits *found)
{
    const halo_trace_scene *scene = p->tree->scene;
    found->t[0] = trace_shape_hit(scene, &scene->shapes[number], p->ray->origin, p->ray->way,
                                  p->tree->near, max);
    found->lanes = found->t[0] > 0;
}

/* ---- rays ------------------------------------------------------------------------------------ */

typedef struct {
    int32_t child;
    float away;
} waiting;

/* Pushes the children that are met, such that the nearest one is on top. Returns the new size of
 * the stack. */
INLINE int push_sorted(const trace_node *node, uint32_t met, const float *away, waiting *stack,
                       int size)
{
    int first = size;
    for (; met != 0; met &= met - 1) {
        int i = __builtin_ctz(met), at = size++;
        waiting one = {node->child[i], away[i]};
        for (; at > first && stack[at - 1].away < one.away; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = one;
    }
    return size;
}

INLINE void take_nearest(const hits *found, const int32_t *shapes, trace_hit *best)
{
    for (uint32_t lanes = found->lanes; lanes != 0; lanes &= lanes - 1) {
        int i = __builtin_ctz(lanes);
        if (found->t[i] < best->t || (found->t[i] == best->t && shapes[i] < best->shape)) {
            *best = (trace_hit){found->t[i], shapes[i]};
        }
    }
}

static trace_hit nearest(const trace_tree *tree, const trace_ray *ray, int64_t *steps)
{
    const probe p = make_probe(tree, ray);
    waiting stack[TRACE_STACK];
    float away[TRACE_WIDE] __attribute__((aligned(32)));
    trace_hit best = {ray->max, INT32_MAX};
    float max = round_max(best.t);
    int64_t looked = 0;
    int size = 1;
    hits found;
    stack[0] = (waiting){0, 0};
    while (size > 0) {
        waiting at = stack[--size];
        int32_t number = at.child >> TRACE_CHILD_BITS;
        if (at.away > max) {
            continue;
        }
        looked++;
        if ((at.child & TRACE_CHILD_MASK) == TRACE_NODE) {
            const trace_node *node = &tree->nodes[number];
            size = push_sorted(node, meet_boxes(&p, node, max, away), away, stack, size);
            continue;
        }
        const int32_t *shapes = &number;
        if ((at.child & TRACE_CHILD_MASK) == TRACE_ALONE) {
            hit_alone(&p, number, best.t, &found);
        } else {
            shapes = hit_leaf(&p, at.child, best.t, &found);
        }
        take_nearest(&found, shapes, &best);
        max = round_max(best.t);
    }
    *steps += looked;
    return best.shape == INT32_MAX ? (trace_hit){-1, -1} : best;
}

/* The share of light that passes through these shapes. */
INLINE double dim(const trace_tree *tree, const hits *found, const int32_t *shapes, double light)
{
    const halo_trace_scene *scene = tree->scene;
    if (!tree->clear) {
        return found->lanes != 0 ? 0 : light;
    }
    for (uint32_t lanes = found->lanes; lanes != 0; lanes &= lanes - 1) {
        int32_t shape = shapes[__builtin_ctz(lanes)];
        light *= scene->surfaces[scene->shapes[shape].surface].transmittance;
    }
    return light;
}

INLINE double dim_by_child(const probe *p, int32_t child, double light)
{
    hits found;
    int32_t number = child >> TRACE_CHILD_BITS;
    if ((child & TRACE_CHILD_MASK) == TRACE_ALONE) {
        hit_alone(p, number, p->ray->max, &found);
        return dim(p->tree, &found, &number, light);
    }
    const int32_t *shapes = hit_leaf(p, child, p->ray->max, &found);
    return dim(p->tree, &found, shapes, light);
}

static double through(const trace_tree *tree, const trace_ray *ray, int32_t *hint, int64_t *steps)
{
    const probe p = make_probe(tree, ray);
    int32_t stack[TRACE_STACK];
    float away[TRACE_WIDE] __attribute__((aligned(32)));
    const float max = round_max(ray->max);
    double light = 1;
    int size = 0;
    if (*hint != TRACE_NODE) {
        ++*steps;
        if (!(dim_by_child(&p, *hint, light) > 0)) {
            return 0;
        }
    }
    stack[size++] = TRACE_NODE;
    while (size > 0) {
        int32_t child = stack[--size];
        ++*steps;
        if ((child & TRACE_CHILD_MASK) == TRACE_NODE) {
            const trace_node *node = &tree->nodes[child >> TRACE_CHILD_BITS];
            for (uint32_t met = meet_boxes(&p, node, max, away); met != 0; met &= met - 1) {
                stack[size++] = node->child[__builtin_ctz(met)];
            }
            continue;
        }
        light = dim_by_child(&p, child, light);
        if (!(light > 0)) {
            *hint = child;
            return 0;
        }
    }
    return light;
}

const trace_ops HALO_ISA_OPS(trace_ops) = {nearest, through};
