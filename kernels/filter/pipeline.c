#include "kernels/filter/pipeline_internal.h"

#include "base/minmax.h"
#include "core/world/clock.h"
#include "kernels/filter/second.h"

#include <string.h>

/* Layers of a strip on their way through the parts of a chain. */

int64_t halo_filter_pipeline_tile(const filter_pipeline *p)
{
    return p->tile;
}

/* ---- rings ----------------------------------------------------------------------------------- */

static char *row_of(const filter_stage *stage, int64_t layer, int64_t y)
{
    int64_t slot = layer % stage->slots;
    slot = slot < 0 ? slot + stage->slots : slot;
    return stage->memory + (size_t)slot * stage->pitch + (size_t)y * stage->margins.pitch +
           stage->margins.before;
}

/* The layer that stands for layer `layer`, which may be beyond the edges: its first row; NULL: a
 * constant. */
static const char *find_layer(const filter_pipeline *p, const filter_stage *stage, int64_t layer)
{
    int64_t at = p->wraps ? layer : filter_edge_index(stage->part->edge.mode, layer, p->layers);
    return at < stage->lo ? NULL : row_of(stage, at, 0);
}

/* The rows of a plane, and those that stand for rows beyond its edges. */
static const void **fill_plane(const filter_pipeline *p, const filter_stage *stage,
                               const char *plane, const void **to)
{
    int64_t depth = stage->part->depth[1];
    for (int64_t y = -depth; y < p->rows + depth; y++) {
        bool inside = y >= 0 && y < p->rows;
        int64_t row = inside ? y : filter_edge_index(stage->part->edge.mode, y, p->rows);
        *to++ = plane == NULL || row < 0 ? stage->margins.constant
                                         : plane + (size_t)row * stage->margins.pitch;
    }
    return to;
}

/* The rows that a tile of `count` layers from `first` on reads. */
static void fill_table(const filter_pipeline *p, const filter_stage *stage, int64_t first,
                       int64_t count)
{
    const int64_t *depth = stage->part->depth;
    const void **to = stage->table;
    for (int64_t i = -depth[p->axis]; i < count + depth[p->axis]; i++) {
        const char *layer = find_layer(p, stage, first + i);
        if (p->axis == 0) {
            to = fill_plane(p, stage, layer, to);
        } else {
            *to++ = layer != NULL ? layer : stage->margins.constant;
        }
    }
}

/* ---- computing ------------------------------------------------------------------------------- */

static halo_status read_layer(filter_pipeline *p, int64_t layer)
{
    filter_stage *stage = &p->stage[0];
    int64_t at = filter_edge_index(FILTER_WRAP, layer, p->layers);
    for (int64_t y = 0; y < p->rows; y++) {
        int64_t row = p->axis == 0 ? y : at;
        HALO_TRY(
            p->source.row(p->source.context, p->axis == 0 ? at : 0, row, row_of(stage, layer, y)));
    }
    return HALO_OK;
}

/* The stage whose ring has the input of the step of stage `s`. */
static const filter_stage *first_of_step(const filter_pipeline *p, int s)
{
    return &p->stage[s - p->stage[s].part->index];
}

/* The same rows of the second image, which are other ones beyond edges that wrap. */
static halo_status read_second(const filter_pipeline *p, const filter_stage *stage, int64_t first,
                               int64_t count)
{
    for (int64_t i = 0; i < count * p->rows; i++) {
        int64_t layer = filter_edge_index(FILTER_WRAP, first + i / p->rows, p->layers);
        HALO_TRY(filter_second_row(stage->step, p->axis == 0 ? layer : 0,
                                   p->axis == 0 ? i % p->rows : layer, stage->second[i]));
    }
    return HALO_OK;
}

/* A tile of `count` layers from `first` on; of a volume, as many as the part makes together. */
static halo_status compute_tile(filter_pipeline *p, int s, int64_t first, int64_t count,
                                void *const *out)
{
    const filter_stage *stage = &p->stage[s];
    const filter_part *part = stage->part;
    filter_tile tile = {.step = stage->step,
                        .part = part,
                        .state = stage->state,
                        .plane = p->axis == 0 ? first : 0,
                        .row = p->axis == 0 ? 0 : first,
                        .planes = p->axis == 0 ? count : 1,
                        .rows = p->axis == 0 ? p->rows : count,
                        .width = p->n[2],
                        .in = stage->table,
                        .out = out,
                        .stop = &p->stop};
    tile.in_pitch = tile.rows + 2 * part->depth[1];
    fill_table(p, stage, first, count);
    if (part->original) {
        const filter_stage *origin = first_of_step(p, s);
        for (int64_t i = 0; i < count * p->rows; i++) {
            stage->original[i] = row_of(origin, first + i / p->rows, i % p->rows);
        }
        tile.original = stage->original;
    }
    if (part->second) {
        HALO_TRY(read_second(p, stage, first, count));
        tile.second = (const void *const *)stage->second;
    }
    part->rows(&tile);
    (void)filter_tile_ends(&tile, tile.planes * tile.rows * tile.width);
    return p->stop.status;
}

/* What leaves the pipeline has one NaN; in between there are no results that depend on which one it
 * is. */
static void settle(const filter_pipeline *p, int64_t count, void *const *out)
{
    halo_sample_type type = p->stage[p->stages - 1].part->out;
    for (int64_t i = 0; i < count * p->rows && halo_sample_types[type].real; i++) {
        p->nans->settle[type == HALO_SAMPLE_F64](out[i], p->n[2]);
    }
}

/* Layers that a call of the part makes, at most. */
int64_t filter_pipeline_most_layers(const filter_pipeline *p, const filter_part *part)
{
    return p->axis == 0 ? halo_min(halo_max(part->planes, 1), p->tile) : p->tile;
}

static halo_status compute(filter_pipeline *p, int s, int64_t first, int64_t count,
                           void *const *out)
{
    int64_t most = filter_pipeline_most_layers(p, p->stage[s].part);
    for (int64_t i = 0; i < count; i += most) {
        HALO_TRY(compute_tile(p, s, first + i, halo_min(most, count - i), out + i * p->rows));
    }
    return HALO_OK;
}

/* Computes layers, and reports their time and their rows to the watch. */
static halo_status compute_watched(filter_pipeline *p, int s, int64_t first, int64_t count,
                                   void *const *out)
{
    const filter_step *step = p->stage[s].step;
    double begun = p->watch.seconds != NULL ? halo_seconds() : 0;
    HALO_TRY(compute(p, s, first, count, out));
    if (s == p->stages - 1) {
        settle(p, count, out);
    }
    if (p->watch.seconds != NULL) {
        p->watch.seconds[s] += halo_seconds() - begun;
    }
    if (p->watch.take != NULL && p->stage[s].part->index == step->parts - 1) {
        p->watch.take(p->watch.context, step->number - 1, first, count, out);
    }
    return HALO_OK;
}

static halo_status make_until(filter_pipeline *p, int s, int64_t end);

/* Makes the next `count` layers of what stage `s` puts out. */
static halo_status make_layers(filter_pipeline *p, int s, int64_t count, void *const *out)
{
    filter_stage *stage = &p->stage[s];
    int64_t need = stage->done + count + stage->part->depth[p->axis];
    HALO_TRY(make_until(p, s, halo_min(need, stage->hi)));
    HALO_TRY(compute_watched(p, s, stage->done, count, out));
    stage->done += count;
    return HALO_OK;
}

/* Makes the layers before `end` of the ring of stage `s`. */
static halo_status make_until(filter_pipeline *p, int s, int64_t end)
{
    filter_stage *stage = &p->stage[s];
    while (stage->next < end) {
        int64_t count = halo_min(s == 0 ? 1 : p->tile, end - stage->next);
        if (s == 0) {
            HALO_TRY(read_layer(p, stage->next));
        } else {
            for (int64_t i = 0; i < count * p->rows; i++) {
                stage->out[i] = row_of(stage, stage->next + i / p->rows, i % p->rows);
            }
            HALO_TRY(make_layers(p, s - 1, count, stage->out));
        }
        for (int64_t i = 0; i < count * p->rows; i++) {
            filter_margins_fill(&stage->margins,
                                row_of(stage, stage->next + i / p->rows, i % p->rows));
        }
        stage->next += count;
    }
    return HALO_OK;
}

halo_status halo_filter_pipeline_make(filter_pipeline *p, int64_t count, void *const *out)
{
    return make_layers(p, p->stages - 1, count, out);
}
