#include "kernels/trace/build.h"
#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* Two children a node, split where the surface area heuristic says. What is tested together, the
 * shapes of a leaf, costs as one. */

enum { BINS = 16, DEEPEST = TRACE_DEEPEST };

static const trace_box nothing = {{4e9, 4e9, 4e9}, {-4e9, -4e9, -4e9}};

static void join(trace_box *box, const trace_box *other)
{
    for (int a = 0; a < 3; a++) {
        box->lo[a] = other->lo[a] < box->lo[a] ? other->lo[a] : box->lo[a];
        box->hi[a] = other->hi[a] > box->hi[a] ? other->hi[a] : box->hi[a];
    }
}

double trace_box_area(const trace_box *box)
{
    double x = box->hi[0] - box->lo[0], y = box->hi[1] - box->lo[1], z = box->hi[2] - box->lo[2];
    return x >= 0 ? x * y + y * z + z * x : 0;
}

static double middle(const trace_box *box, int axis)
{
    return box->lo[axis] + box->hi[axis];
}

/* ---- where to split -------------------------------------------------------------------------- */

typedef struct {
    int axis; /* -1: nowhere */
    int bin;  /* the first on the other side */
    double cost, lo, scale;
} split;

typedef struct {
    trace_box box[BINS];
    int64_t count[BINS];
} bins;

static int bin_of(const split *at, const trace_box *box)
{
    double bin = (middle(box, at->axis) - at->lo) * at->scale;
    return !(bin > 0) ? 0 : bin >= BINS ? BINS - 1 : (int)bin;
}

static void fill(bins *b, const trace_builder *builder, const split *at, int64_t lo, int64_t hi)
{
    for (int i = 0; i < BINS; i++) {
        b->box[i] = nothing;
        b->count[i] = 0;
    }
    for (int64_t i = lo; i < hi; i++) {
        const trace_box *box = &builder->boxes[builder->order[i]];
        int bin = bin_of(at, box);
        join(&b->box[bin], box);
        b->count[bin]++;
    }
}

/* Tests of a leaf with so many shapes, or of the leaves that they will make. */
static double tests(int64_t count)
{
    return (double)((count + TRACE_LEAF - 1) / TRACE_LEAF);
}

static void sweep(const bins *b, split at, split *best)
{
    double right[BINS];
    trace_box box = nothing;
    int64_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        join(&box, &b->box[i]);
        count += b->count[i];
        right[i] = trace_box_area(&box) * tests(count);
        right[i] = count > 0 ? right[i] : -1;
    }
    box = nothing;
    count = 0;
    for (int i = 1; i < BINS; i++) {
        join(&box, &b->box[i - 1]);
        count += b->count[i - 1];
        at.bin = i;
        at.cost = trace_box_area(&box) * tests(count) + right[i];
        if (count > 0 && right[i] >= 0 && (best->axis < 0 || at.cost < best->cost)) {
            *best = at;
        }
    }
}

static split find_split(const trace_builder *builder, int64_t lo, int64_t hi)
{
    split best = {.axis = -1};
    bins b;
    for (int a = 0; a < 3; a++) {
        split at = {.axis = a, .lo = middle(&builder->boxes[builder->order[lo]], a)};
        double top = at.lo;
        for (int64_t i = lo; i < hi; i++) {
            double m = middle(&builder->boxes[builder->order[i]], a);
            at.lo = m < at.lo ? m : at.lo;
            top = m > top ? m : top;
        }
        if (top > at.lo) {
            at.scale = BINS / (top - at.lo);
            fill(&b, builder, &at, lo, hi);
            sweep(&b, at, &best);
        }
    }
    return best;
}

/* ---- splitting ------------------------------------------------------------------------------- */

/* Shapes of the bins below come first, in the order that they had. Returns how many. */
static int64_t part_by_bin(trace_builder *builder, const split *at, int64_t lo, int64_t hi)
{
    int64_t below = lo, above = 0;
    for (int64_t i = lo; i < hi; i++) {
        int32_t shape = builder->order[i];
        if (bin_of(at, &builder->boxes[shape]) < at->bin) {
            builder->order[below++] = shape;
        } else {
            builder->spare[above++] = shape;
        }
    }
    memcpy(builder->order + below, builder->spare, (size_t)above * sizeof *builder->spare);
    return below;
}

/* The same by what leaf they go to. */
static int64_t part_by_kind(trace_builder *builder, int64_t lo, int64_t hi)
{
    trace_child first = trace_leaf_of(builder, builder->order[lo]);
    int64_t below = lo, above = 0;
    for (int64_t i = lo; i < hi; i++) {
        int32_t shape = builder->order[i];
        if (trace_leaf_of(builder, shape) == first) {
            builder->order[below++] = shape;
        } else {
            builder->spare[above++] = shape;
        }
    }
    memcpy(builder->order + below, builder->spare, (size_t)above * sizeof *builder->spare);
    return below;
}

static trace_box box_of(const trace_builder *builder, int64_t lo, int64_t hi)
{
    trace_box box = nothing;
    for (int64_t i = lo; i < hi; i++) {
        join(&box, &builder->boxes[builder->order[i]]);
    }
    return box;
}

/* Return the index that cuts the range in two; `hi` if the range is a leaf. */
static int64_t cut(trace_builder *builder, const trace_box *box, int64_t lo, int64_t hi, int depth)
{
    /* A node's test costs about as much as a leaf's. */
    const double node_cost = TRACE_NODE_COST;
    int64_t count = hi - lo;
    bool small = count <= TRACE_LEAF;
    if (small) {
        int64_t same = part_by_kind(builder, lo, hi);
        if (same < hi) {
            return same;
        }
        if (count == 1) {
            return hi;
        }
        small = trace_leaf_of(builder, builder->order[lo]) != TRACE_ALONE;
    }
    split at = depth < DEEPEST ? find_split(builder, lo, hi) : (split){.axis = -1};
    double area = trace_box_area(box);
    if (small && (at.axis < 0 || at.cost + node_cost * area >= area)) {
        return hi;
    }
    return at.axis >= 0 ? part_by_bin(builder, &at, lo, hi) : lo + count / 2;
}

static int compare_numbers(const void *a, const void *b)
{
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

static halo_status add_pair(trace_builder *builder, int64_t lo, int64_t hi, int64_t *number)
{
    if (builder->pair_count == builder->pair_room) {
        return halo_fail(HALO_MEMORY, "a tree has more nodes than it can have");
    }
    *number = builder->pair_count++;
    builder->pairs[*number] =
        (trace_pair){.box = box_of(builder, lo, hi), .lo = lo, .hi = hi, .left = -1, .right = -1};
    return HALO_OK;
}

/* Node `number`, of which only the range is known. */
static halo_status split_pair(trace_builder *builder, int64_t number, int depth)
{
    trace_pair pair = builder->pairs[number];
    int64_t at = cut(builder, &pair.box, pair.lo, pair.hi, depth);
    if (at == pair.hi) {
        qsort(builder->order + pair.lo, (size_t)(pair.hi - pair.lo), sizeof *builder->order,
              compare_numbers);
        return HALO_OK;
    }
    HALO_TRY(add_pair(builder, pair.lo, at, &pair.left));
    HALO_TRY(add_pair(builder, at, pair.hi, &pair.right));
    builder->pairs[number] = pair;
    HALO_TRY(split_pair(builder, pair.left, depth + 1));
    return split_pair(builder, pair.right, depth + 1);
}

halo_status trace_build_pairs(trace_builder *builder)
{
    const halo_trace_scene *scene = builder->scene;
    int64_t count = scene->shape_count;
    builder->pair_room = halo_max(2 * count, 1);
    HALO_TRY(HALO_ALLOCATE(builder->boxes, count, "boxes of a scene"));
    HALO_TRY(HALO_ALLOCATE(builder->order, count, "the order of a scene"));
    HALO_TRY(HALO_ALLOCATE(builder->spare, count, "the order of a scene"));
    HALO_TRY(HALO_ALLOCATE(builder->pairs, builder->pair_room, "a tree of boxes"));
    for (int64_t i = 0; i < count; i++) {
        builder->boxes[i] = trace_shape_box(scene, &scene->shapes[i]);
        builder->order[i] = (int32_t)i;
    }
    int64_t root;
    if (count == 0) {
        return HALO_OK;
    }
    HALO_TRY(add_pair(builder, 0, count, &root));
    return split_pair(builder, root, 0);
}
