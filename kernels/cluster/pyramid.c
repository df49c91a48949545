#include "kernels/cluster/pyramid.h"

#include "base/memory.h"
#include "core/world/watch.h"
#include "kernels/cluster/pyramid_ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static void free_tile_rows(pyramid *p)
{
    for (int i = 0; i < p->tile_rows; i++) {
        halo_memory_free(p->tile_row[i].memory);
    }
    free(p->tile_row);
    p->tile_row = NULL;
    p->tile_rows = 0;
}

static void pyramid_destroy(void **engine)
{
    pyramid *p = *engine;
    if (p != NULL) {
        free_tile_rows(p);
        halo_memory_free(p->memory);
        free(p);
        *engine = NULL;
    }
}

/* The next array of a block of memory. */
static void *take(unsigned char **at, size_t bytes)
{
    const size_t line = 63;
    void *array = *at;
    *at += (bytes + line) & ~line;
    return array;
}

static void take_list(pyramid_list *list, unsigned char **at, size_t bytes)
{
    for (int a = 0; a < CLUSTER_AXES; a++) {
        list->axis[a] = take(at, bytes);
    }
    list->id = take(at, bytes);
}

static halo_status make_scratch(pyramid *p, int clusters)
{
    enum { LISTS = LEVELS + 3, MORE = 3 };
    const size_t line = 64;
    size_t room = (size_t)clusters + 2 * MAX_LANES, bytes = room * sizeof(float) + line;
    p->room = room;
    size_t arrays = LISTS * (CLUSTER_AXES + 1) + MORE + CLUSTER_AXES + 1;
    HALO_TRY(halo_memory_create(&p->memory, arrays * bytes, "lists of clusters"));
    unsigned char *at = p->memory;
    take_list(&p->region, &at, bytes - line);
    for (int level = 0; level <= LEVELS; level++) {
        take_list(&p->lists[level], &at, bytes - line);
    }
    take_list(&p->leaf, &at, bytes - line);
    p->offsets = take(&at, bytes - line);
    p->squares = take(&at, bytes - line);
    p->near = take(&at, bytes - line);
    p->steps = take(&at, (CLUSTER_AXES + 1) * (bytes - line));
    return HALO_OK;
}

static halo_status make_pyramid(void **out, const cluster_job *job, bool ordered)
{
    pyramid *p;
    HALO_TRY(HALO_ALLOCATE(p, 1, "the state of clustering"));
    *out = p;
    p->job = job;
    p->ordered = ordered;
    p->weight = (float)sqrt(job->scale);
    p->ops = job->variant->ops;
    return make_scratch(p, job->clusters);
}

static halo_status tiles_create(void **out, const cluster_job *job)
{
    return make_pyramid(out, job, false);
}

static halo_status leaves_create(void **out, const cluster_job *job)
{
    return make_pyramid(out, job, true);
}

static void pyramid_forget(void *engine)
{
    free_tile_rows(engine);
}

/* ---- rows of tiles --------------------------------------------------------------------------- */

static bool same_box(const halo_box *a, const halo_box *b)
{
    return a->lo[0] == b->lo[0] && a->n[0] == b->n[0] && a->lo[1] == b->lo[1] && a->n[1] == b->n[1];
}

static pyramid_tile_row tile_row_of(const halo_box *owned, int64_t tile_row)
{
    int64_t end = owned->lo[0] + owned->n[0], tile_y = tile_row * TILE;
    int64_t lo = tile_y > owned->lo[0] ? tile_y : owned->lo[0];
    int64_t hi = tile_y + TILE < end ? tile_y + TILE : end;
    int64_t first = owned->lo[1] / TILE;
    int64_t last = (owned->lo[1] + owned->n[1] + TILE - 1) / TILE;
    return (pyramid_tile_row){.owned = {.lo = {lo, owned->lo[1]}, .n = {hi - lo, owned->n[1], 1}},
                              .tile_x = first * TILE,
                              .tile_y = tile_y,
                              .tiles = (int)(last - first)};
}

/* Rows of tiles of the part as it is; those that are what they were stay built. */
static halo_status lay_tile_rows(pyramid *p, const halo_box *owned)
{
    if (p->tile_row != NULL && same_box(owned, &p->owned)) {
        return HALO_OK;
    }
    int64_t first = owned->lo[0] / TILE, end = (owned->lo[0] + owned->n[0] + TILE - 1) / TILE;
    int tile_rows = (int)(end - first);
    pyramid_tile_row *tile_row;
    HALO_TRY(HALO_ALLOCATE(tile_row, tile_rows, "rows of tiles"));
    for (int i = 0; i < tile_rows; i++) {
        tile_row[i] = tile_row_of(owned, first + i);
        for (int j = 0; j < p->tile_rows; j++) {
            if (same_box(&p->tile_row[j].owned, &tile_row[i].owned)) {
                tile_row[i] = p->tile_row[j];
                p->tile_row[j].memory = NULL;
                break;
            }
        }
    }
    free_tile_rows(p);
    p->tile_row = tile_row;
    p->tile_rows = tile_rows;
    p->owned = *owned;
    return HALO_OK;
}

/* Tiles at the part's ends may be of both parts. */
static int64_t count_tiles(const halo_box *owned, int axis)
{
    int64_t first = owned->lo[axis] / TILE, end = owned->lo[axis] + owned->n[axis];
    return owned->n[axis] > 0 ? (end + TILE - 1) / TILE - first : 0;
}

static int64_t pyramid_bytes(const halo_box *owned, int cell_bits)
{
    size_t leaf = sizeof(pyramid_leaf) + sizeof(pyramid_pixels) + LEAF * (size_t)cell_bits / 8;
    size_t tile = sizeof(pyramid_tile) + TILE_LEAVES * leaf;
    return count_tiles(owned, 0) *
           (int64_t)halo_memory_rounded((size_t)count_tiles(owned, 1) * tile);
}

static int64_t walk_tile_row(pyramid *p, pyramid_tile_row *tile_row, const cluster_centres *centres,
                             bool counts)
{
    pyramid_walk walk = {.p = p, .centres = centres, .counts = counts};
    for (int t = 0; t < tile_row->tiles; t += REGION_TILES) {
        int last = t + REGION_TILES < tile_row->tiles ? t + REGION_TILES : tile_row->tiles;
        p->ops->walk(&walk, tile_row, t, last);
    }
    return walk.changed;
}

/* Labels of a tile; `labels` is row by row. */
static void label_tile(const pyramid *p, pyramid_tile_row *tile_row, int t, const uint16_t *labels)
{
    pyramid_leaf *leaves = &tile_row->leaves[(size_t)t * TILE_LEAVES];
    for (int l = 0; l < tile_row->tile[t].leaves; l++) {
        pyramid_pixels *pixels = pyramid_pixels_of(p, tile_row, &leaves[l]);
        uint16_t own[LEAF], others = 0;
        for (int n = 0; n < LEAF; n++) {
            own[n] = labels[pixels->place[n]];
            others |= own[n] ^ own[0];
        }
        leaves[l].uniform = others == 0;
        leaves[l].label = own[0];
        if (others != 0) {
            memcpy(pixels->label, own, sizeof own);
        }
    }
}

static void label_rectangles(const pyramid *p, pyramid_tile_row *tile_row)
{
    const cluster_job *job = p->job;
    uint16_t labels[TILE * TILE];
    for (int t = 0; t < tile_row->tiles; t++) {
        int64_t x = tile_row->tile_x + (int64_t)t * TILE;
        int64_t end = x + TILE < job->domain.n[1] ? x + TILE : job->domain.n[1];
        for (int64_t row = 0; row < TILE && tile_row->tile_y + row < job->domain.n[0]; row++) {
            cluster_rectangles_row(&job->rectangles, tile_row->tile_y + row, x, end,
                                   labels + row * TILE);
        }
        label_tile(p, tile_row, t, labels);
    }
}

/* Labels of all rows of tiles as they are. */
static halo_status make_labels(pyramid *p, const halo_view *picture)
{
    const cluster_job *job = p->job;
    static const size_t header = sizeof(pyramid_pixels);
    const float byte = 255, max = 65535;
    p->cell_bits = picture->cell_bits;
    p->pixel_bytes = header + LEAF * (size_t)p->cell_bits / 8;
    p->magnitude = p->weight * (p->cell_bits == 8 ? byte : max);
    HALO_TRY(lay_tile_rows(p, &picture->owned));
    for (int i = 0; i < p->tile_rows; i++) {
        pyramid_tile_row *tile_row = &p->tile_row[i];
        if (tile_row->built) {
            continue;
        }
        HALO_TRY(halo_watch_work(job->world, 0, 0));
        HALO_TRY(pyramid_build(p, tile_row, picture));
        label_rectangles(p, tile_row);
        if (job->begun) {
            walk_tile_row(p, tile_row, &job->before, false);
        }
    }
    return HALO_OK;
}

/* ---- beats ----------------------------------------------------------------------------------- */

static halo_status pyramid_beat(void *engine, const cluster_job *job, const halo_view *picture,
                                halo_row_cost *row_cost, int64_t *changed)
{
    pyramid *p = engine;
    HALO_TRY(make_labels(p, picture));
    for (int i = 0; i < p->tile_rows; i++) {
        HALO_TRY(halo_watch_work(job->world, 0, 0));
        *changed += walk_tile_row(p, &p->tile_row[i], &job->now, true);
        int64_t lo = p->tile_row[i].owned.lo[0] - picture->owned.lo[0];
        halo_row_cost_mark(row_cost, lo, lo + p->tile_row[i].owned.n[0]);
    }
    return HALO_OK;
}

/* Copy the pixels of a leaf that lie in the wanted rows. */
static void copy_leaf(const pyramid *p, const pyramid_tile_row *tile_row, const pyramid_leaf *leaf,
                      int64_t y, int64_t rows, uint16_t *out, size_t pitch)
{
    const pyramid_pixels *pixels = pyramid_pixels_of(p, tile_row, leaf);
    for (int i = 0; i < leaf->pixels; i++) {
        int64_t row = y + pixels->place[i] / TILE;
        if (row >= 0 && row < rows) {
            out[row * (int64_t)pitch + pixels->place[i] % TILE] =
                leaf->uniform ? leaf->label : pixels->label[i];
        }
    }
}

static halo_status pyramid_labels(void *engine, const cluster_job *job, const halo_view *picture,
                                  int64_t first, int64_t rows, uint16_t *out, size_t pitch)
{
    pyramid *p = engine;
    (void)job;
    HALO_TRY(make_labels(p, picture));
    if (rows == 0) { /* labels are only to be made, and there is no `out` */
        return HALO_OK;
    }
    for (int i = 0; i < p->tile_rows; i++) {
        const pyramid_tile_row *tile_row = &p->tile_row[i];
        int64_t tile_row_y = tile_row->tile_y - picture->owned.lo[0] - first;
        if (tile_row_y >= rows || tile_row_y + TILE <= 0) {
            continue;
        }
        for (int t = 0; t < tile_row->tiles; t++) {
            int64_t x = tile_row->tile_x + (int64_t)t * TILE - picture->owned.lo[1];
            for (int l = 0; l < tile_row->tile[t].leaves; l++) {
                copy_leaf(p, tile_row, &tile_row->leaves[(size_t)t * TILE_LEAVES + (size_t)l],
                          tile_row_y, rows, out + x, pitch);
            }
        }
    }
    return HALO_OK;
}

const cluster_engine cluster_tiles = {.name = "tiles",
                                      .bytes = pyramid_bytes,
                                      .create = tiles_create,
                                      .destroy = pyramid_destroy,
                                      .forget = pyramid_forget,
                                      .beat = pyramid_beat,
                                      .labels = pyramid_labels};

const cluster_engine cluster_leaves = {.name = "leaves",
                                       .bytes = pyramid_bytes,
                                       .create = leaves_create,
                                       .destroy = pyramid_destroy,
                                       .forget = pyramid_forget,
                                       .beat = pyramid_beat,
                                       .labels = pyramid_labels};
