#include "kernels/cluster/pyramid_order.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <string.h>

/* Pixels of tiles into leaves. */

typedef struct {
    const pyramid *p;
    pyramid_leaf *leaf; /* the next one */
    const pyramid_tile_row *tile_row;
    char *pixels, *scratch; /* [TILE_PIXELS + ORDER_SLACK] packed */
} building;

static int32_t min_value(const pyramid *p)
{
    return p->cell_bits == 48 ? INT16_MIN : 0;
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

/* Keys of a leaf's pixels along an axis; those behind the last pixel are copies of its. */
INLINE void find_keys(const void *pixels, int n, int axis, int32_t min, bool wide, int32_t *keys)
{
    if (n == LEAF) { /* a count that the compiler knows */
        for (int i = 0; i < LEAF; i++) {
            keys[i] = pyramid_key(pyramid_packed_at(pixels, i, wide), axis) + min;
        }
        return;
    }
    for (int i = 0; i < LEAF; i++) {
        keys[i] = pyramid_key(pyramid_packed_at(pixels, i < n ? i : n - 1, wide), axis) + min;
    }
}

INLINE void add_axis(const pyramid *p, pyramid_leaf *leaf, pyramid_pixels *to, const void *pixels,
                     int axis, bool wide)
{
    int32_t keys[LEAF], lo, hi, sum = 0;
    find_keys(pixels, leaf->pixels, axis, axis < 2 ? 0 : min_value(p), wide, keys);
    lo = hi = keys[0];
    for (int i = 0; i < LEAF; i++) {
        lo = keys[i] < lo ? keys[i] : lo;
        hi = keys[i] > hi ? keys[i] : hi;
        sum += keys[i];
    }
    leaf->sum[axis] = sum - (LEAF - leaf->pixels) * keys[LEAF - 1];
    set_axis(p, leaf, axis, lo, hi);
    if (axis >= 2) {
        store_values(p, to, keys, axis);
    }
}

INLINE void add_pixels(const pyramid *p, pyramid_leaf *leaf, pyramid_pixels *to, const void *pixels,
                       bool wide)
{
    for (int i = 0; i < LEAF; i++) {
        int from = i < leaf->pixels ? i : leaf->pixels - 1;
        to->place[i] = (uint16_t)(pyramid_packed_at(pixels, from, wide) & 0xffff);
    }
    add_axis(p, leaf, to, pixels, 0, wide);
    add_axis(p, leaf, to, pixels, 1, wide);
    add_axis(p, leaf, to, pixels, 2, wide);
    if (wide) {
        add_axis(p, leaf, to, pixels, 3, wide);
        add_axis(p, leaf, to, pixels, 4, wide);
    }
}

static void add_leaf(void *context, const void *pixels, int n)
{
    building *at = context;
    const pyramid *p = at->p;
    pyramid_leaf *leaf = at->leaf++;
    pyramid_pixels *to = pyramid_pixels_of(p, at->tile_row, leaf);
    leaf->pixels = (uint8_t)n;
    if (pyramid_is_wide(p)) {
        add_pixels(p, leaf, to, pixels, true);
    } else {
        add_pixels(p, leaf, to, pixels, false);
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The tile whose pixels are gathered, and the number gathered so far. */
typedef struct {
    const building *at;
    const halo_view *picture;
    int64_t y, x; /* the tile's corner, global */
    int n;
} gathering;

enum { SQUARE = 8 };

/* A whole square of 8-bit pixels. */
static void gather_square(gathering *g, int64_t y0, int64_t x0)
{
    pyramid_narrow *to = (pyramid_narrow *)(void *)g->at->pixels + g->n;
    for (int64_t y = y0; y < y0 + SQUARE; y++, to += SQUARE) {
        const uint8_t *row = halo_row(g->picture, y - g->picture->owned.lo[0]);
        const uint8_t *values = row + (x0 - g->picture->owned.lo[1]);
        pyramid_narrow place = (pyramid_narrow)((y - g->y) * TILE + (x0 - g->x));
        for (int i = 0; i < SQUARE; i++) {
            to[i] = place + (pyramid_narrow)i + ((pyramid_narrow)values[i] << FIELD);
        }
    }
    g->n += SQUARE * SQUARE;
}

static void gather_pixels(gathering *g, int64_t y0, int64_t y1, int64_t x0, int64_t x1)
{
    const pyramid *p = g->at->p;
    for (int64_t y = y0; y < y1; y++) {
        const void *row = halo_row(g->picture, y - g->picture->owned.lo[0]);
        for (int64_t x = x0; x < x1; x++) {
            pyramid_wide pixel = (pyramid_wide)((y - g->y) * TILE + (x - g->x));
            for (int a = 0; a < p->job->axes - 2; a++) {
                int32_t value = cluster_value(g->picture, row, x - g->picture->owned.lo[1], a);
                pixel |= (pyramid_wide)(uint32_t)(value - min_value(p)) << ((a + 1) * FIELD);
            }
            pyramid_packed_put(g->at->pixels, g->n++, pyramid_is_wide(p), pixel);
        }
    }
}

/* The pixels of a square of the tile, quarter by quarter. */
static void gather(gathering *g, int64_t y0, int64_t x0, int side)
{
    if (side > SQUARE) {
        side /= 2;
        for (int i = 0; i < 4; i++) {
            gather(g, y0 + i / 2 * side, x0 + i % 2 * side, side);
        }
        return;
    }
    const halo_box *owned = &g->at->tile_row->owned;
    int64_t y_end = owned->lo[0] + owned->n[0], x_end = owned->lo[1] + owned->n[1];
    bool whole =
        y0 >= owned->lo[0] && y0 + side <= y_end && x0 >= owned->lo[1] && x0 + side <= x_end;
    if (whole && g->at->p->cell_bits == 8) {
        gather_square(g, y0, x0);
        return;
    }
    gather_pixels(g, halo_max(y0, owned->lo[0]), halo_min(y0 + side, y_end),
                  halo_max(x0, owned->lo[1]), halo_min(x0 + side, x_end));
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
    gathering g = {at, picture, tile_row->tile_y, tile_row->tile_x + (int64_t)t * TILE, 0};
    gather(&g, g.y, g.x, TILE);
    at->leaf = first;
    if (at->p->ordered) {
        pyramid_order(at->p, at->pixels, at->scratch, g.n, add_leaf, at);
    } else {
        size_t bytes = pyramid_packed_bytes(pyramid_is_wide(at->p));
        for (int i = 0; i < g.n; i += LEAF) {
            add_leaf(at, at->pixels + (size_t)i * bytes, g.n - i < LEAF ? g.n - i : LEAF);
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
    size_t bytes = (TILE_PIXELS + ORDER_SLACK) * pyramid_packed_bytes(pyramid_is_wide(p));
    HALO_TRY(halo_memory_create(&scratch, 2 * bytes, "pixels of a tile"));
    building at = {.p = p, .tile_row = tile_row, .pixels = scratch};
    at.scratch = at.pixels + bytes;
    for (int t = 0; t < tile_row->tiles; t++) {
        build_tile(&at, picture, t);
    }
    halo_memory_free(scratch);
    tile_row->built = true;
    return HALO_OK;
}
