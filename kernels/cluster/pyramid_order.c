#include "kernels/cluster/pyramid_order.h"

#include "kernels/cluster/pyramid_ops.h"

#include <string.h>

/* Pixels of a node are in the order of their first value from the beginning to the end, so that
 * halving them along that axis takes no time; along another one they are parted, each part keeping
 * that order. */

enum { KEY_BITS = 9, KEYS = 1 << KEY_BITS, SAMPLE = 128, ORDERED_AXIS = 2 };

typedef struct {
    const pyramid *p;
    pyramid_take_leaf *take;
    void *context;
} ordering;

/* The smallest and the largest key along each axis, or nearly so: any order of pixels is right,
 * some are fast. Places are known from how a node came about. */
typedef struct {
    int32_t lo[CLUSTER_AXES], hi[CLUSTER_AXES];
} extent;

static void measure_values(extent *e, const void *pixels, int n, int axes)
{
    bool wide = axes > ORDERED_AXIS + 1;
    int step = n > SAMPLE ? n / SAMPLE : 1;
    e->lo[ORDERED_AXIS] = pyramid_key(pyramid_packed_at(pixels, 0, wide), ORDERED_AXIS);
    e->hi[ORDERED_AXIS] = pyramid_key(pyramid_packed_at(pixels, n - 1, wide), ORDERED_AXIS);
    for (int a = ORDERED_AXIS + 1; a < axes; a++) {
        e->lo[a] = INT32_MAX;
        e->hi[a] = INT32_MIN;
        for (int i = 0; i < n; i += step) {
            int32_t key = pyramid_key(pyramid_packed_at(pixels, i, true), a);
            e->lo[a] = key < e->lo[a] ? key : e->lo[a];
            e->hi[a] = key > e->hi[a] ? key : e->hi[a];
        }
    }
}

static int max_axis(const pyramid *p, const extent *e)
{
    int axis = 0;
    float max = -1;
    for (int a = 0; a < p->job->axes; a++) {
        float length = (float)(e->hi[a] - e->lo[a]) * (a < 2 ? 1 : p->weight);
        if (length > max) {
            max = length;
            axis = a;
        }
    }
    return axis;
}

/* ---- parting --------------------------------------------------------------------------------- */

/* A key's rank: which of up to KEYS stretches of the extent it lies in. */
typedef struct {
    int from, mask; /* of the key in a packed pixel */
    int32_t lo;
    int shift;
} ranking;

static ranking ranking_of(int axis, int32_t lo, int32_t hi)
{
    ranking r = {.from = axis < 2 ? axis * PLACE_BITS : (axis - 1) * FIELD,
                 .mask = axis < 2 ? TILE - 1 : (1 << FIELD) - 1,
                 .lo = axis < 2 ? 0 : lo};
    while (axis >= 2 && (hi - lo) >> r.shift >= KEYS) {
        r.shift++;
    }
    return r;
}

INLINE int rank_of(ranking r, bool place, pyramid_wide pixel)
{
    int32_t key = (int32_t)(pixel >> r.from) & r.mask;
    if (place) {
        return key;
    }
    key = (key - r.lo) >> r.shift;
    key = key < 0 ? 0 : key;
    return key < KEYS ? key : KEYS - 1;
}

/* The `left` pixels of the lowest ranks go first. Returns the last one's rank. */
INLINE int part(const void *pixels, void *to, int n, int left, ranking r, bool place, bool wide)
{
    int counts[2][KEYS], pivot = 0, less = 0, ranks = place ? TILE : KEYS;
    memset(counts[0], 0, (size_t)ranks * sizeof(int));
    memset(counts[1], 0, (size_t)ranks * sizeof(int));
    for (int i = 0; i < n; i++) { /* equal ranks come in rows: two counts do not wait */
        counts[i & 1][rank_of(r, place, pyramid_packed_at(pixels, i, wide))]++;
    }
    while (less + counts[0][pivot] + counts[1][pivot] < left) {
        less += counts[0][pivot] + counts[1][pivot];
        pivot++;
    }
    int equal = left - less, low = 0, high = left; /* of the pivot's, `equal` go left */
    for (int i = 0; i < n; i++) {
        pyramid_wide pixel = pyramid_packed_at(pixels, i, wide);
        int rank = rank_of(r, place, pixel);
        int is_equal = rank == pivot, goes = (rank < pivot) | (is_equal & (equal > 0));
        equal -= is_equal;
        pyramid_packed_put(to, goes ? low : high, wide, pixel);
        low += goes;
        high += 1 - goes;
    }
    return pivot;
}

int pyramid_part_plain(const pyramid_narrow *pixels, pyramid_narrow *to, int n, int left, int axis,
                       int lo, int hi)
{
    return part(pixels, to, n, left, ranking_of(axis, lo, hi), true, false);
}

static int part_along(const ordering *o, const void *pixels, void *to, int n, int left, int axis,
                      const extent *e)
{
    if (!pyramid_is_wide(o->p)) {
        return o->p->ops->part(pixels, to, n, left, axis, e->lo[axis], e->hi[axis]);
    }
    ranking r = ranking_of(axis, e->lo[axis], e->hi[axis]);
    return axis < 2 ? part(pixels, to, n, left, r, true, true)
                    : part(pixels, to, n, left, r, false, true);
}

/* Halves along the longest axis until a leaf is left. `room` is that of a node, or half of one:
 * leaves fill up from the left, so that a node's are in a row. `other` is room for as many pixels:
 * halves go there and back. */
static void halve(const ordering *o, char *pixels, char *other, int n, int room, extent e)
{
    if (n <= 0) {
        return;
    }
    if (room == LEAF) {
        o->take(o->context, pixels, n);
        return;
    }
    int left = n < room / 2 ? n : room / 2;
    extent low = e, high = e;
    if (n > left) {
        measure_values(&e, pixels, n, o->p->job->axes);
        int axis = max_axis(o->p, &e);
        if (axis != ORDERED_AXIS) {
            low.hi[axis] = high.lo[axis] = part_along(o, pixels, other, n, left, axis, &e);
            char *parted = other;
            other = pixels;
            pixels = parted;
        }
    }
    size_t bytes = (size_t)left * pyramid_packed_bytes(pyramid_is_wide(o->p));
    halve(o, pixels, other, left, room / 2, low);
    halve(o, pixels + bytes, other + bytes, n - left, room / 2, high);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Pixels of smooth pictures have keys that repeat, and each count would wait for the one before:
 * the pixels are counted in this number of parts side by side. */
enum { STRETCHES = 4 };

typedef struct {
    int32_t lo;
    int shift;
    int stretch;
} sorting;

static sorting sorting_of(const void *pixels, int n, int cell_bits, bool wide)
{
    sorting s = {.stretch = n / STRETCHES};
    if (cell_bits == 8) { /* all keys have a count */
        return s;
    }
    int32_t hi = 0;
    s.lo = INT32_MAX;
    for (int i = 0; i < n; i++) {
        int32_t key = pyramid_key(pyramid_packed_at(pixels, i, wide), ORDERED_AXIS);
        s.lo = key < s.lo ? key : s.lo;
        hi = key > hi ? key : hi;
    }
    while ((hi - s.lo) >> s.shift >= KEYS) {
        s.shift++;
    }
    return s;
}

INLINE int sort_rank(sorting s, pyramid_wide pixel)
{
    return (pyramid_key(pixel, ORDERED_AXIS) - s.lo) >> s.shift;
}

/* In the order of their first value, or nearly so where it has many bits; equal ones stay in their
 * order. */
INLINE void sort_packed(const void *pixels, void *to, int n, int cell_bits, bool wide)
{
    sorting s = sorting_of(pixels, n, cell_bits, wide);
    int ends[STRETCHES][KEYS], end = 0;
    memset(ends, 0, sizeof ends);
    for (int i = 0; i < s.stretch; i++) {
        for (int k = 0; k < STRETCHES; k++) {
            ends[k][sort_rank(s, pyramid_packed_at(pixels, k * s.stretch + i, wide))]++;
        }
    }
    for (int i = STRETCHES * s.stretch; i < n; i++) {
        ends[STRETCHES - 1][sort_rank(s, pyramid_packed_at(pixels, i, wide))]++;
    }
    for (int rank = 0; rank < KEYS; rank++) {
        for (int k = 0; k < STRETCHES; k++) {
            int count = ends[k][rank];
            ends[k][rank] = end;
            end += count;
        }
    }
    for (int i = 0; i < s.stretch; i++) {
        for (int k = 0; k < STRETCHES; k++) {
            pyramid_wide pixel = pyramid_packed_at(pixels, k * s.stretch + i, wide);
            pyramid_packed_put(to, ends[k][sort_rank(s, pixel)]++, wide, pixel);
        }
    }
    for (int i = STRETCHES * s.stretch; i < n; i++) {
        pyramid_wide pixel = pyramid_packed_at(pixels, i, wide);
        pyramid_packed_put(to, ends[STRETCHES - 1][sort_rank(s, pixel)]++, wide, pixel);
    }
}

void pyramid_order(const pyramid *p, void *pixels, void *scratch, int n, pyramid_take_leaf *take,
                   void *context)
{
    if (pyramid_is_wide(p)) {
        sort_packed(pixels, scratch, n, p->cell_bits, true);
    } else {
        sort_packed(pixels, scratch, n, p->cell_bits, false);
    }
    halve(&(ordering){p, take, context}, scratch, pixels, n, TILE_PIXELS,
          (extent){.hi = {TILE - 1, TILE - 1}});
}
