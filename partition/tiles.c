#include "partition/tiles.h"

#include "base/minmax.h"

enum {
    MIN_LAYERS = 8,      /* of a tile along axis 0: what neighbouring tiles share is read again */
    DEFAULT_LAYERS = 32, /* where rows are cut as well */
    MIN_CELLS = 256,     /* of a row in a tile: shorter ones make loops short */
    MIN_ROWS = 4         /* of a plane */
};

/* The range of the tiles' corners that covers the boxes of all beats. */
typedef struct {
    int64_t lo[HALO_AXES], hi[HALO_AXES];
} span;

static span find_span(const halo_tiles *tiles)
{
    span all;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        all.lo[axis] = INT64_MAX;
        all.hi[axis] = INT64_MIN;
        for (int beat = 0; beat < tiles->beats; beat++) {
            const halo_box *box = &tiles->boxes[beat];
            int64_t lean = (int64_t)beat * tiles->depth;
            if (halo_box_cells(box) > 0) {
                all.lo[axis] = halo_min(all.lo[axis], box->lo[axis] + lean);
                all.hi[axis] = halo_max(all.hi[axis], box->lo[axis] + box->n[axis] + lean);
            }
        }
    }
    return all;
}

/* Set *out to the cells that the tile with corner `base` computes at a beat; return false if there
 * are none. */
static bool lean(const halo_tiles *tiles, const int64_t base[HALO_AXES], int beat, halo_box *out)
{
    *out = tiles->boxes[beat];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (tiles->size[axis] > 0) {
            int64_t first = base[axis] - (int64_t)beat * tiles->depth;
            int64_t end = out->lo[axis] + out->n[axis];
            out->lo[axis] = halo_max(out->lo[axis], first);
            out->n[axis] = halo_min(end, first + tiles->size[axis]) - out->lo[axis];
        }
        if (out->n[axis] <= 0) {
            return false;
        }
    }
    return true;
}

static void walk_tile(const halo_tiles *tiles, const halo_tile_visitor *visitor,
                      const int64_t base[HALO_AXES])
{
    for (int beat = 0; beat < tiles->beats; beat++) {
        halo_box box;
        if (lean(tiles, base, beat, &box)) {
            visitor->compute(visitor->context, beat, &box);
        }
    }
}

static int64_t stride(const halo_tiles *tiles, const span *all, int axis)
{
    return tiles->size[axis] > 0 ? tiles->size[axis] : all->hi[axis] - all->lo[axis];
}

void halo_tiles_walk(const halo_tiles *tiles, const halo_tile_visitor *visitor)
{
    span all = find_span(tiles);
    int64_t base[HALO_AXES], middle = (int64_t)(tiles->beats - 1) * tiles->depth / 2;
    for (base[0] = all.lo[0]; base[0] < all.hi[0]; base[0] += stride(tiles, &all, 0)) {
        for (base[1] = all.lo[1]; base[1] < all.hi[1]; base[1] += stride(tiles, &all, 1)) {
            for (base[2] = all.lo[2]; base[2] < all.hi[2]; base[2] += stride(tiles, &all, 2)) {
                walk_tile(tiles, visitor, base);
            }
        }
        if (visitor->pass != NULL) {
            visitor->pass(visitor->context, base[0] - middle,
                          base[0] - middle + stride(tiles, &all, 0));
        }
    }
}

void halo_tiles_choose(halo_tiles *tiles, const halo_box *cells, int axes, size_t cell_bytes,
                       size_t cache_bytes, const bool whole[HALO_AXES])
{
    int64_t besides = (int64_t)(tiles->beats + 1) * tiles->depth; /* layers read beside a tile's */
    int64_t held = (int64_t)(cache_bytes / (cell_bytes > 0 ? cell_bytes : 1));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        tiles->size[axis] = 0;
    }
    if (tiles->beats == 1 || whole[0] || halo_box_cells(cells) == 0) {
        return;
    }
    int64_t layer = cells->n[1] * cells->n[2];
    if (axes == 1 || whole[1] || held / layer >= besides + MIN_LAYERS) {
        tiles->size[0] = halo_max(MIN_LAYERS, held / layer - besides);
        return;
    }
    if (axes == 2) {
        tiles->size[0] = DEFAULT_LAYERS;
        tiles->size[1] = halo_max(MIN_CELLS, held / (besides + DEFAULT_LAYERS) - besides);
        return;
    }
    int64_t rows = MIN_ROWS;
    while ((rows + 1 + besides) * (rows + 1 + besides) * cells->n[2] <= held) {
        rows++;
    }
    tiles->size[0] = tiles->size[1] = rows;
}
