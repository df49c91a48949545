#include "kernels/cluster/pyramid.h"

#include "base/memory.h"
#include "kernels/cluster/pyramid_ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------------
 */

static void free_bands(pyramid *p)
{
    for (int i = 0; i < p->bands; i++) {
        halo_memory_free(p->band[i].memory);
    }
    free(p->band);
    p->band = NULL;
    p->bands = 0;
}

static void pyramid_destroy(void **engine)
{
    pyramid *p = *engine;
    if (p != NULL) {
        free_bands(p);
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
    pyramid *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the state of clustering");
    }
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
    free_bands(engine);
}

/* ---- bands ------------------------------------------------------------------------------------
 */

static bool same_box(const halo_box *a, const halo_box *b)
{
    return a->lo[0] == b->lo[0] && a->n[0] == b->n[0] && a->lo[1] == b->lo[1] && a->n[1] == b->n[1];
}

static pyramid_band band_of(const halo_box *owned, int64_t tile_row)
{
    int64_t end = owned->lo[0] + owned->n[0], tile_y = tile_row * TILE;
    int64_t lo = tile_y > owned->lo[0] ? tile_y : owned->lo[0];
    int64_t hi = tile_y + TILE < end ? tile_y + TILE : end;
    int64_t first = owned->lo[1] / TILE;
    int64_t last = (owned->lo[1] + owned->n[1] + TILE - 1) / TILE;
    return (pyramid_band){.owned = {.lo = {lo, owned->lo[1]}, .n = {hi - lo, owned->n[1], 1}},
                          .tile_x = first * TILE,
                          .tile_y = tile_y,
                          .tiles = (int)(last - first)};
}

/* Bands of the part as it is; those that are what they were stay built. */
static halo_status lay_bands(pyramid *p, const halo_box *owned)
{
    if (p->band != NULL && same_box(owned, &p->owned)) {
        return HALO_OK;
    }
    int64_t first = owned->lo[0] / TILE, end = (owned->lo[0] + owned->n[0] + TILE - 1) / TILE;
    int bands = (int)(end - first);
    pyramid_band *band = calloc((size_t)bands + 1, sizeof *band);
    if (band == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: %d rows of tiles", bands);
    }
    for (int i = 0; i < bands; i++) {
        band[i] = band_of(owned, first + i);
        for (int j = 0; j < p->bands; j++) {
            if (same_box(&p->band[j].owned, &band[i].owned)) {
                band[i] = p->band[j];
                p->band[j].memory = NULL;
                break;
            }
        }
    }
    free_bands(p);
    p->band = band;
    p->bands = bands;
    p->owned = *owned;
    return HALO_OK;
}

static int64_t walk_band(pyramid *p, pyramid_band *band, const cluster_centres *centres,
                         bool counts)
{
    pyramid_walk walk = {.p = p, .centres = centres, .counts = counts};
    for (int t = 0; t < band->tiles; t += REGION_TILES) {
        int last = t + REGION_TILES < band->tiles ? t + REGION_TILES : band->tiles;
        p->ops->walk(&walk, band, t, last);
    }
    return walk.changed;
}

/* Labels of a tile; `labels` is row by row. */
static void label_tile(const pyramid *p, pyramid_band *band, int t, const uint16_t *labels)
{
    pyramid_leaf *leaves = &band->leaves[(size_t)t * TILE_LEAVES];
    for (int l = 0; l < band->tile[t].leaves; l++) {
        pyramid_pixels *pixels = pyramid_pixels_of(p, band, &leaves[l]);
        bool uniform = true;
        for (int n = 0; n < LEAF; n++) {
            pixels->label[n] = labels[pixels->place[n]];
            uniform = uniform && pixels->label[n] == pixels->label[0];
        }
        leaves[l].uniform = uniform;
        leaves[l].label = pixels->label[0];
    }
}

static void label_rectangles(const pyramid *p, pyramid_band *band)
{
    const cluster_job *job = p->job;
    uint16_t labels[TILE * TILE];
    for (int t = 0; t < band->tiles; t++) {
        int64_t x = band->tile_x + (int64_t)t * TILE;
        int64_t end = x + TILE < job->domain.n[1] ? x + TILE : job->domain.n[1];
        for (int64_t row = 0; row < TILE && band->tile_y + row < job->domain.n[0]; row++) {
            cluster_rectangles_row(&job->rectangles, band->tile_y + row, x, end,
                                   labels + row * TILE);
        }
        label_tile(p, band, t, labels);
    }
}

/* Labels of all bands as they are. */
static halo_status make_labels(pyramid *p, const halo_view *picture)
{
    const cluster_job *job = p->job;
    static const size_t header = sizeof(pyramid_pixels);
    const float byte = 255, max = 65535;
    p->cell_bits = picture->cell_bits;
    p->pixel_bytes = header + LEAF * (size_t)p->cell_bits / 8;
    p->magnitude = p->weight * (p->cell_bits == 8 ? byte : max);
    HALO_TRY(lay_bands(p, &picture->owned));
    for (int i = 0; i < p->bands; i++) {
        pyramid_band *band = &p->band[i];
        if (band->built) {
            continue;
        }
        HALO_TRY(pyramid_build(p, band, picture));
        label_rectangles(p, band);
        if (job->begun) {
            walk_band(p, band, &job->before, false);
        }
    }
    return HALO_OK;
}

/* ---- beats ------------------------------------------------------------------------------------
 */

static halo_status pyramid_beat(void *engine, const cluster_job *job, const halo_view *picture,
                                halo_row_cost *row_cost, int64_t *changed)
{
    pyramid *p = engine;
    HALO_TRY(make_labels(p, picture));
    for (int i = 0; i < p->bands; i++) {
        *changed += walk_band(p, &p->band[i], &job->now, true);
        int64_t lo = p->band[i].owned.lo[0] - picture->owned.lo[0];
        halo_row_cost_mark(row_cost, lo, lo + p->band[i].owned.n[0]);
    }
    return HALO_OK;
}

/* What of a leaf lies in the wanted rows. */
static void copy_leaf(const pyramid *p, const pyramid_band *band, const pyramid_leaf *leaf,
                      int64_t y, int64_t rows, uint16_t *out, size_t pitch)
{
    const pyramid_pixels *pixels = pyramid_pixels_of(p, band, leaf);
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
    for (int i = 0; i < p->bands; i++) {
        const pyramid_band *band = &p->band[i];
        int64_t band_y = band->tile_y - picture->owned.lo[0] - first;
        if (band_y >= rows || band_y + TILE <= 0) {
            continue;
        }
        for (int t = 0; t < band->tiles; t++) {
            int64_t x = band->tile_x + (int64_t)t * TILE - picture->owned.lo[1];
            for (int l = 0; l < band->tile[t].leaves; l++) {
                copy_leaf(p, band, &band->leaves[(size_t)t * TILE_LEAVES + (size_t)l], band_y, rows,
                          out + x, pitch);
            }
        }
    }
    return HALO_OK;
}

const cluster_engine cluster_tiles = {.name = "tiles",
                                      .create = tiles_create,
                                      .destroy = pyramid_destroy,
                                      .forget = pyramid_forget,
                                      .beat = pyramid_beat,
                                      .labels = pyramid_labels};

const cluster_engine cluster_leaves = {.name = "leaves",
                                       .create = leaves_create,
                                       .destroy = pyramid_destroy,
                                       .forget = pyramid_forget,
                                       .beat = pyramid_beat,
                                       .labels = pyramid_labels};
