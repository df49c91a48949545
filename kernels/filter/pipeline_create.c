#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/pipeline_internal.h"
#include "kernels/filter/second.h"

#include <stdlib.h>
#include <string.h>

/* The rings of a pipeline, and rows for its results. */

static const halo_isa_variant nan_variants[] = HALO_ISA_VARIANTS(filter_nan_ops, AVX512);

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
    int64_t rows = filter_pipeline_most_layers(p, stage->part) * p->rows;
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
    int64_t planes = p->axis == 0 ? 2 * depth + filter_pipeline_most_layers(p, part) : 1;
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
