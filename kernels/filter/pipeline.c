#include "kernels/filter/pipeline.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/clock.h"
#include "kernels/filter/margins.h"
#include "kernels/filter/nan_ops.h"
#include "kernels/filter/second.h"

#include <stdlib.h>
#include <string.h>

/* Layers of a strip on their way through the parts of a chain. */

static const halo_isa_variant nan_variants[] = HALO_ISA_VARIANTS(filter_nan_ops, AVX512);

/* A part, and the ring of layers that it reads. */
typedef struct {
    const filter_part *part;
    const filter_step *step;
    void *state;
    filter_margins margins; /* of the ring's rows */
    char *memory;           /* of the ring */
    int64_t slots;          /* layers in it */
    size_t pitch;           /* bytes of a layer */
    int64_t lo, hi;         /* layers that are read in all; with wrapping edges beyond the image */
    int64_t next;           /* the next layer to be made; those before it are in the ring */
    int64_t done;           /* the next layer that the part makes itself */
    const void **table;     /* of rows of a tile */
    const void **original;  /* the same of the step's input */
    void **second;          /* rows of the step's second image, or NULL */
    char *second_memory;
    void **out; /* rows of the next ring */
} filter_stage;

struct filter_pipeline {
    filter_source source;
    int axes;
    int64_t n[HALO_AXES];
    int64_t rows;   /* of a layer */
    int64_t layers; /* of the image */
    int64_t tile;
    int axis; /* of layers */
    bool wraps;
    filter_stop stop;
    int stages;
    filter_stage *stage; /* [stages] */
    filter_watch watch;
    const filter_nan_ops *nans;
};

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
static int64_t most_layers(const filter_pipeline *p, const filter_part *part)
{
    return p->axis == 0 ? halo_min(halo_max(part->planes, 1), p->tile) : p->tile;
}

static halo_status compute(filter_pipeline *p, int s, int64_t first, int64_t count,
                           void *const *out)
{
    int64_t most = most_layers(p, p->stage[s].part);
    for (int64_t i = 0; i < count; i += most) {
        HALO_TRY(compute_tile(p, s, first + i, halo_min(most, count - i), out + i * p->rows));
    }
    return HALO_OK;
}

/* The same, with what is told of it. */
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

/* ---- creating -------------------------------------------------------------------------------- */

/* Layers that make about 128 KiB, so that those of a part stay in the cache for the next; a
 * multiple of rows that filters take together. Planes are made together where that saves work, and
 * they are not too large. */
static int64_t choose_tile(const filter_pipeline *p, int64_t asked)
{
    enum { LEAST = 16, MOST = 64, BYTES = 1 << 17 };
    int64_t row = (int64_t)filter_row_bytes(p->stage[0].part->in, p->n[2]) + 1;
    if (p->axis == 0) {
        int64_t planes = 1, most = halo_max(1, FILTER_BYTES_TOGETHER / (row * p->rows));
        for (int s = 0; s < p->stages; s++) {
            planes = halo_max(planes, p->stage[s].part->planes);
        }
        return halo_min(planes, most);
    }
    return asked > 0 ? asked : halo_max(LEAST, halo_min(BYTES / row, MOST) / LEAST * LEAST);
}

/* Layers by which later stages of the same step lag behind the ring of stage `s`, if one of them
 * reads it. */
static int64_t find_lag(const filter_pipeline *p, int s)
{
    int64_t lag = 0, most = 0;
    for (int i = s; i < p->stages && p->stage[i].step == p->stage[s].step; i++) {
        lag += p->stage[i].part->depth[p->axis] + p->tile;
        most = p->stage[i].part->original ? lag : most;
    }
    return p->stage[s].part->index == 0 ? most : 0;
}

/* The layers that a stage reads: those of the next one, and its depth. */
static void find_extents(filter_pipeline *p, int64_t lo, int64_t hi)
{
    for (int s = p->stages - 1; s >= 0; s--) {
        filter_stage *stage = &p->stage[s];
        int64_t depth = stage->part->depth[p->axis];
        stage->done = lo;
        lo -= depth;
        hi += depth;
        if (!p->wraps) {
            lo = halo_max(lo, 0);
            hi = halo_min(hi, p->layers);
        }
        stage->lo = stage->next = lo;
        stage->hi = hi;
    }
}

/* Layers that the ring of a stage has. */
static int64_t slots_of(const filter_pipeline *p, int s)
{
    const filter_stage *stage = &p->stage[s];
    int64_t most = 2 * stage->part->depth[p->axis] + p->tile + find_lag(p, s);
    return halo_min(most, stage->hi - stage->lo + 1);
}

static halo_status create_second(filter_pipeline *p, filter_stage *stage)
{
    static const char what[] = "rows of an image";
    int64_t rows = most_layers(p, stage->part) * p->rows;
    HALO_TRY(filter_second_check_known(stage->step));
    size_t bytes = filter_row_bytes(stage->step->second.type, p->n[2]) + FILTER_SLACK;
    HALO_TRY(HALO_ALLOCATE_LARGE(stage->second_memory, (size_t)rows * bytes, what));
    HALO_TRY(HALO_ALLOCATE(stage->second, rows, what));
    for (int64_t i = 0; i < rows; i++) {
        stage->second[i] = stage->second_memory + (size_t)i * bytes;
    }
    return HALO_OK;
}

static halo_status create_stage(filter_pipeline *p, int s, const char *instructions)
{
    static const char what[] = "rows of filters";
    filter_stage *stage = &p->stage[s];
    const filter_part *part = stage->part;
    int64_t depth = part->depth[p->axis];
    int64_t planes = p->axis == 0 ? 2 * depth + most_layers(p, part) : 1;
    int64_t rows = (p->axis == 0 ? p->rows : p->tile) + 2 * part->depth[1];
    stage->slots = slots_of(p, s);
    HALO_TRY(
        filter_margins_create(&stage->margins, part->in, p->n[2], part->depth[2], &part->edge));
    /* Rows of planes one behind the other are read together: as rows, in different lines. */
    stage->pitch = (size_t)p->rows * stage->margins.pitch + (p->axis == 0 ? FILTER_SLACK : 0);
    HALO_TRY(HALO_ALLOCATE_LARGE(stage->memory, (size_t)stage->slots * stage->pitch + FILTER_SLACK,
                                 what));
    HALO_TRY(HALO_ALLOCATE(stage->table, planes * rows, what));
    HALO_TRY(HALO_ALLOCATE(stage->original, p->tile * p->rows, what));
    HALO_TRY(HALO_ALLOCATE(stage->out, p->tile * p->rows, what));
    HALO_TRY(part->second ? create_second(p, stage) : HALO_OK);
    return part->create != NULL ? part->create(&stage->state, stage->step, part, instructions)
                                : HALO_OK;
}

/* Finds what the stages read, and how much at a time. */
static halo_status plan(filter_pipeline *p, const filter_chain *chain,
                        const filter_segment *segment, int64_t lo, int64_t hi, int64_t tile)
{
    const filter_step *first = &chain->step[0];
    p->axes = first->axes;
    memcpy(p->n, first->n, sizeof p->n);
    p->axis = filter_layer_axis(p->axes);
    p->layers = p->n[p->axis];
    p->rows = p->axis == 0 ? p->n[1] : 1;
    p->stages = segment->count;
    p->wraps = segment->wraps;
    HALO_TRY(HALO_ALLOCATE(p->stage, p->stages, "filters"));
    for (int s = 0; s < p->stages; s++) {
        p->stage[s].part = chain->part[segment->first + s];
        p->stage[s].step = p->stage[s].part->step;
    }
    p->tile = choose_tile(p, tile);
    find_extents(p, lo, hi);
    return HALO_OK;
}

static halo_status create(filter_pipeline *p, const filter_chain *chain,
                          const filter_segment *segment, int64_t lo, int64_t hi,
                          const filter_pipeline_options *options)
{
    if (options->watch != NULL) {
        p->watch = *options->watch;
        if (p->watch.seconds != NULL) {
            p->watch.seconds += segment->first;
        }
    }
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, nan_variants, options->instructions));
    p->nans = variant->ops;
    HALO_TRY(plan(p, chain, segment, lo, hi, options->tile));
    for (int s = 0; s < p->stages; s++) {
        HALO_TRY(create_stage(p, s, options->instructions));
    }
    return HALO_OK;
}

halo_status halo_filter_pipeline_create(filter_pipeline **out, const filter_chain *chain,
                                        const filter_segment *segment, int64_t lo, int64_t hi,
                                        const filter_source *source,
                                        const filter_pipeline_options *options)
{
    filter_pipeline *p;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(p, 1, "filters"));
    p->source = *source;
    p->stop.world = options->world;
    halo_status status = create(p, chain, segment, lo, hi, options);
    if (status != HALO_OK) {
        halo_filter_pipeline_destroy(&p);
    }
    *out = p;
    return status;
}

int64_t halo_filter_pipeline_bytes(const filter_chain *chain, const filter_segment *segment,
                                   int64_t lo, int64_t hi)
{
    enum { BESIDE = 4 * FILTER_SLACK }; /* bytes around the samples of a row */
    filter_pipeline p = {0};
    int64_t bytes = 0;
    if (lo < hi && plan(&p, chain, segment, lo, hi, 0) == HALO_OK) {
        for (int s = 0; s < p.stages; s++) {
            const filter_part *part = p.stage[s].part;
            int64_t width = p.n[2] + 2 * part->depth[2];
            int64_t row = (int64_t)filter_row_bytes(part->in, width) + BESIDE;
            bytes += slots_of(&p, s) * p.rows * row;
        }
        const filter_part *last = p.stage[p.stages - 1].part;
        bytes += p.tile * p.rows * (int64_t)filter_row_bytes(last->out, p.n[2]);
    }
    free(p.stage);
    return bytes;
}

void halo_filter_pipeline_destroy(filter_pipeline **pipeline)
{
    filter_pipeline *p = *pipeline;
    for (int s = 0; p != NULL && p->stage != NULL && s < p->stages; s++) {
        filter_stage *stage = &p->stage[s];
        if (stage->part->destroy != NULL) {
            stage->part->destroy(stage->state);
        }
        filter_margins_free(&stage->margins);
        halo_memory_free(stage->memory);
        free((void *)stage->table);
        free((void *)stage->original);
        free(stage->second);
        halo_memory_free(stage->second_memory);
        free(stage->out);
    }
    if (p != NULL) {
        free(p->stage);
        free(p);
    }
    *pipeline = NULL;
}

/* ---- rows that are made ---------------------------------------------------------------------- */

halo_status halo_filter_made_create(filter_made *made, halo_sample_type type, int64_t width,
                                    int64_t rows)
{
    enum { LINE = 64 };
    size_t pitch = made->pitch = (filter_row_bytes(type, width) + LINE - 1) / LINE * LINE;
    HALO_TRY(HALO_ALLOCATE_LARGE(made->memory, (size_t)rows * pitch, "rows of filters"));
    HALO_TRY(HALO_ALLOCATE(made->row, rows, "rows of filters"));
    for (int64_t i = 0; i < rows; i++) {
        made->row[i] = made->memory + (size_t)i * pitch;
    }
    return HALO_OK;
}

void halo_filter_made_free(filter_made *made)
{
    halo_memory_free(made->memory);
    free(made->row);
    *made = (filter_made){0};
}
