#include "kernels/cluster/pyramid.h"

#include "base/memory.h"

#include <string.h>

/* Pixels of tiles into leaves. */

/* A pixel in 64 bits, in fields of 16: row * TILE + column, then values from the smallest possible
 * one on. */
typedef uint64_t packed;

enum { FIELD = 16, PLACE_BITS = 7, TILE_PIXELS = TILE * TILE, KEY_BITS = 9, KEYS = 1 << KEY_BITS };

typedef struct {
    const pyramid *p;
    pyramid_leaf *leaf; /* the next one */
    const pyramid_tile_row *tile_row;
    packed *pixels, *other; /* [TILE_PIXELS] */
} building;

static int32_t min_value(const pyramid *p)
{
    return p->cell_bits == 48 ? INT16_MIN : 0;
}

static int32_t key_of(packed pixel, int axis)
{
    return axis == 0   ? (int32_t)(pixel & (TILE - 1))
           : axis == 1 ? (int32_t)(pixel >> PLACE_BITS & (TILE - 1))
                       : (int32_t)(pixel >> ((axis - 1) * FIELD) & 0xffff);
}

/* ---- a leaf ---------------------------------------------------------------------------------- */

/* The box of keys lo to hi along an axis, and the integers that represent pixels in it. */
static void set_axis(const pyramid *p, pyramid_leaf *leaf, int axis, int32_t lo, int32_t hi)
{
    const float full = 32768.F;
    bool place = axis < 2, doubled = place || p->cell_bits == 8;
    int32_t half = doubled ? hi - lo : (hi - lo + 1) / 2;
    int32_t offset = doubled ? lo + hi : lo + half;
    int32_t factor = half > 0 ? 32767 / half : 0;
    factor = half > 32767 ? 1 : factor;
    float unit = (place ? 1.F : p->weight) * (doubled ? .5F : 1.F);
    leaf->offset[axis] = (uint16_t)offset;
    leaf->factor[axis] = (int16_t)factor;
    leaf->box.middle[axis] = unit * (float)offset;
    leaf->box.half[axis] = factor > 0 ? unit * full / (float)factor : 0;
}

static void store_values(const pyramid *p, pyramid_pixels *to, const int32_t *keys, int axis)
{
    if (p->cell_bits == 8) {
        for (int i = 0; i < LEAF; i++) {
            to->values[i] = (unsigned char)keys[i];
        }
    } else {
        uint16_t *values = (uint16_t *)(void *)to->values + (axis - 2) * LEAF;
        for (int i = 0; i < LEAF; i++) {
            values[i] = (uint16_t)keys[i];
        }
    }
}

static void add_leaf(building *at, const packed *pixels, int n)
{
    const pyramid *p = at->p;
    pyramid_leaf *leaf = at->leaf++;
    pyramid_pixels *to = pyramid_pixels_of(p, at->tile_row, leaf);
    packed all[LEAF];
    leaf->pixels = (uint8_t)n;
    for (int i = 0; i < LEAF; i++) {
        all[i] = pixels[i < n ? i : n - 1];
        to->place[i] = (uint16_t)(all[i] & 0xffff);
    }
    for (int a = 0; a < p->job->axes; a++) {
        int32_t lo = INT32_MAX, hi = INT32_MIN, sum = 0, min = a < 2 ? 0 : min_value(p);
        int32_t keys[LEAF];
        for (int i = 0; i < LEAF; i++) {
            keys[i] = key_of(all[i], a) + min;
            lo = keys[i] < lo ? keys[i] : lo;
            hi = keys[i] > hi ? keys[i] : hi;
            sum += keys[i];
        }
        leaf->sum[a] = sum - (LEAF - n) * keys[LEAF - 1];
        set_axis(p, leaf, a, lo, hi);
        if (a >= 2) {
            store_values(p, to, keys, a);
        }
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Pixels of a node are in the order of their first value from the beginning to the end, so that
 * halving them along that axis takes no time; along another one they are parted, each part keeping
 * that order. */

/* The smallest and the largest key along each axis, or nearly so: any order of pixels is right,
 * some are fast. Places are known from how a node came about. */
typedef struct {
    int32_t lo[CLUSTER_AXES], hi[CLUSTER_AXES];
} extent;

enum { SAMPLE = 128, ORDERED_AXIS = 2 };

static void measure_values(extent *e, const packed *pixels, int n, int axes)
{
    int step = n > SAMPLE ? n / SAMPLE : 1;
    e->lo[ORDERED_AXIS] = key_of(pixels[0], ORDERED_AXIS);
    e->hi[ORDERED_AXIS] = key_of(pixels[n - 1], ORDERED_AXIS);
    for (int a = ORDERED_AXIS + 1; a < axes; a++) {
        e->lo[a] = INT32_MAX;
        e->hi[a] = INT32_MIN;
        for (int i = 0; i < n; i += step) {
            int32_t key = key_of(pixels[i], a);
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

INLINE int rank_of(ranking r, bool place, packed pixel)
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
INLINE int part(const packed *pixels, packed *to, int n, int left, ranking r, bool place)
{
    int counts[2][KEYS], pivot = 0, less = 0, ranks = place ? TILE : KEYS;
    memset(counts[0], 0, (size_t)ranks * sizeof(int));
    memset(counts[1], 0, (size_t)ranks * sizeof(int));
    for (int i = 0; i < n; i++) { /* equal ranks come in rows: two counts do not wait */
        counts[i & 1][rank_of(r, place, pixels[i])]++;
    }
    while (less + counts[0][pivot] + counts[1][pivot] < left) {
        less += counts[0][pivot] + counts[1][pivot];
        pivot++;
    }
    int equal = left - less, low = 0, high = left; /* of the pivot's, `equal` go left */
    for (int i = 0; i < n; i++) {
        int rank = rank_of(r, place, pixels[i]);
        int is_equal = rank == pivot, goes = (rank < pivot) | (is_equal & (equal > 0));
        equal -= is_equal;
        to[goes ? low : high] = pixels[i];
        low += goes;
        high += 1 - goes;
    }
    return pivot;
}

/* In the order of their first value, or nearly so where it has many bits. */
static void sort(const packed *pixels, packed *to, int n)
{
    int ends[KEYS] = {0}, lo = INT32_MAX, hi = 0, shift = 0, end = 0;
    for (int i = 0; i < n; i++) {
        int32_t key = key_of(pixels[i], ORDERED_AXIS);
        lo = key < lo ? key : lo;
        hi = key > hi ? key : hi;
    }
    while ((hi - lo) >> shift >= KEYS) {
        shift++;
    }
    for (int i = 0; i < n; i++) {
        ends[(key_of(pixels[i], ORDERED_AXIS) - lo) >> shift]++;
    }
    for (int k = 0; k < KEYS; k++) {
        int count = ends[k];
        ends[k] = end;
        end += count;
    }
    for (int i = 0; i < n; i++) {
        to[ends[(key_of(pixels[i], ORDERED_AXIS) - lo) >> shift]++] = pixels[i];
    }
}

/* Halves along the longest axis until a leaf is left (k-d tree: J. L. Bentley, 1975). `room` is
 * that of a node, or half of one: leaves fill up from the left, so that a node's are in a row.
 * `other` is room for as many pixels: halves go there and back. */
static void order(building *at, packed *pixels, packed *other, int n, int room, extent e)
{
    if (n <= 0) {
        return;
    }
    if (room == LEAF) {
        add_leaf(at, pixels, n);
        return;
    }
    int left = n < room / 2 ? n : room / 2;
    extent low = e, high = e;
    if (n > left) {
        measure_values(&e, pixels, n, at->p->job->axes);
        int axis = max_axis(at->p, &e);
        if (axis != ORDERED_AXIS) {
            ranking r = ranking_of(axis, e.lo[axis], e.hi[axis]);
            int pivot = axis < 2 ? part(pixels, other, n, left, r, true)
                                 : part(pixels, other, n, left, r, false);
            low.hi[axis] = high.lo[axis] = pivot;
            packed *parted = other;
            other = pixels;
            pixels = parted;
        }
    }
    order(at, pixels, other, left, room / 2, low);
    order(at, pixels + left, other + left, n - left, room / 2, high);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The pixels of a square of the tile, quarter by quarter. */
static packed *gather(const building *at, const halo_view *picture, int64_t y0, int64_t x0,
                      int side, const halo_box *box, packed *to)
{
    enum { SQUARE = 8 };
    const pyramid *p = at->p;
    const halo_box *owned = &at->tile_row->owned;
    int64_t y1 = owned->lo[0] + owned->n[0], x1 = owned->lo[1] + owned->n[1];
    if (side > SQUARE) {
        side /= 2;
        for (int i = 0; i < 4; i++) {
            to = gather(at, picture, y0 + i / 2 * side, x0 + i % 2 * side, side, box, to);
        }
        return to;
    }
    for (int64_t y = y0 < owned->lo[0] ? owned->lo[0] : y0; y < y0 + side && y < y1; y++) {
        const void *row = halo_row(picture, y - picture->owned.lo[0]);
        for (int64_t x = x0 < owned->lo[1] ? owned->lo[1] : x0; x < x0 + side && x < x1; x++) {
            packed pixel = (packed)((y - box->lo[0]) * TILE + (x - box->lo[1]));
            for (int a = 0; a < p->job->axes - 2; a++) {
                int32_t value = cluster_value(picture, row, x - picture->owned.lo[1], a);
                pixel |= (packed)(uint32_t)(value - min_value(p)) << ((a + 1) * FIELD);
            }
            *to++ = pixel;
        }
    }
    return to;
}

static pyramid_box no_box(void)
{
    pyramid_box box;
    for (int a = 0; a < CLUSTER_AXES; a++) {
        box.middle[a] = 0;
        box.half[a] = -1;
    }
    return box;
}

/* `box` covers `part` too. */
static void cover(pyramid_box *box, const pyramid_box *part, int axes)
{
    for (int a = 0; a < axes; a++) {
        float lo = part->middle[a] - part->half[a], hi = part->middle[a] + part->half[a];
        if (box->half[a] >= 0) {
            float low = box->middle[a] - box->half[a], high = box->middle[a] + box->half[a];
            lo = low < lo ? low : lo;
            hi = high > hi ? high : hi;
        }
        box->middle[a] = (lo + hi) / 2;
        box->half[a] = (hi - lo) / 2;
    }
}

/* Boxes of the nodes, which cover those of their leaves. */
static void build_nodes(const pyramid *p, pyramid_tile *tile, const pyramid_leaf *leaves)
{
    int span = PARTS;
    for (int i = 0; i < TILE_NODES; i++) {
        tile->nodes[i] = (pyramid_node){no_box(), -1};
    }
    for (int level = 1; level <= LEVELS; level++, span *= PARTS) {
        pyramid_node *nodes = tile->nodes + pyramid_first_node(level);
        for (int i = 0; i < tile->leaves; i++) {
            cover(&nodes[i / span].box, &leaves[i].box, p->job->axes);
        }
    }
}

static void build_tile(building *at, const halo_view *picture, int t)
{
    const pyramid_tile_row *tile_row = at->tile_row;
    pyramid_tile *tile = &tile_row->tile[t];
    pyramid_leaf *first = &tile_row->leaves[(size_t)t * TILE_LEAVES];
    halo_box box = {.lo = {tile_row->tile_y, tile_row->tile_x + (int64_t)t * TILE}};
    packed *end = gather(at, picture, box.lo[0], box.lo[1], TILE, &box, at->pixels);
    int n = (int)(end - at->pixels);
    at->leaf = first;
    if (at->p->ordered) {
        sort(at->pixels, at->other, n);
        order(at, at->other, at->pixels, n, TILE_PIXELS, (extent){.hi = {TILE - 1, TILE - 1}});
    } else {
        for (int i = 0; i < n; i += LEAF) {
            add_leaf(at, at->pixels + i, n - i < LEAF ? n - i : LEAF);
        }
    }
    tile->leaves = (int)(at->leaf - first);
    build_nodes(at->p, tile, first);
}

static halo_status make_room(const pyramid *p, pyramid_tile_row *tile_row)
{
    const size_t line = 63;
    size_t tiles = (size_t)tile_row->tiles, leaves = tiles * TILE_LEAVES;
    size_t tile_bytes = (tiles * sizeof *tile_row->tile + line) & ~line;
    size_t leaf_bytes = (leaves * sizeof *tile_row->leaves + line) & ~line;
    halo_memory_free(tile_row->memory);
    HALO_TRY(halo_memory_create(&tile_row->memory,
                                tile_bytes + leaf_bytes + leaves * p->pixel_bytes,
                                "pixels in the order of their clusters"));
    unsigned char *memory = tile_row->memory;
    tile_row->tile = (pyramid_tile *)(void *)memory;
    tile_row->leaves = (pyramid_leaf *)(void *)(memory + tile_bytes);
    tile_row->pixels = memory + tile_bytes + leaf_bytes;
    return HALO_OK;
}

halo_status pyramid_build(pyramid *p, pyramid_tile_row *tile_row, const halo_view *picture)
{
    void *scratch;
    HALO_TRY(make_room(p, tile_row));
    HALO_TRY(halo_memory_create(&scratch, 2 * TILE_PIXELS * sizeof(packed), "pixels of a tile"));
    building at = {.p = p, .tile_row = tile_row, .pixels = scratch};
    at.other = at.pixels + TILE_PIXELS;
    for (int t = 0; t < tile_row->tiles; t++) {
        build_tile(&at, picture, t);
    }
    halo_memory_free(scratch);
    tile_row->built = true;
    return HALO_OK;
}
