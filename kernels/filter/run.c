#include "kernels/filter/run_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* The segments of a chain, one after the other. */

/* ---- segments -------------------------------------------------------------------------------- */

/* Local. Tells of the rows that a step has made. */
static void tell_rows(filter_run *run, int step)
{
    const filter_watch *watch = run->options.watch;
    const halo_view *view = halo_field_view(run->field);
    for (int64_t i = 0; watch != NULL && watch->take != NULL && i < run->hi - run->lo; i++) {
        for (int64_t y = 0; y < run->rows; y++) {
            run->row[y] = filter_run_row(view, i, y);
        }
        watch->take(watch->context, step, run->lo + i, 1, run->row);
    }
}

/* Collective. */
static halo_status tell_segment(filter_run *run, int segment)
{
    const filter_watch *watch = run->options.watch;
    const filter_segment *s = &run->chain->segment[segment];
    return watch != NULL && watch->made != NULL
               ? watch->made(watch->context, segment, halo_field_view(run->field),
                             run->chain->part[s->first + s->count - 1]->out)
               : HALO_OK;
}

/* Collective. Runs a part, and reports its time to the watch. */
static halo_status call_part(const filter_run *run, int number, const filter_field_call *call)
{
    double begun = halo_seconds();
    HALO_TRY(call->part->field(call));
    filter_run_tell_seconds(run, number, begun);
    return HALO_OK;
}

/* Collective. */
static halo_status run_whole(filter_run *run, int segment)
{
    const filter_part *part = run->chain->part[run->chain->segment[segment].first];
    halo_field *out = NULL;
    if (run->field == NULL) {
        HALO_TRY(filter_run_begin_pass(run));
        HALO_TRY(filter_run_make_field(run, -1, segment, part->in));
    } else {
        run->passes++;
    }
    halo_status status = part->in_place
                             ? HALO_OK
                             : halo_filter_run_create_field(&out, run->world, run->chain,
                                                            segment + 1, part->out, run->strips);
    HALO_TRY(halo_agree(run->world, status));
    const filter_field_call call = {.world = run->world,
                                    .part = part,
                                    .strips = run->strips,
                                    .domain = &run->domain,
                                    .in = run->field,
                                    .out = out,
                                    .instructions = run->options.instructions};
    status = call_part(run, run->chain->segment[segment].first, &call);
    if (status != HALO_OK) {
        halo_field_destroy(&out);
        return status;
    }
    if (out != NULL) {
        filter_run_use_field(run, out);
    }
    if (part->index == part->step->parts - 1) {
        tell_rows(run, part->step->number - 1);
    }
    return HALO_OK;
}

/* Collective. The rows of the last segment are computed when they are asked for, unless the watch
 * needs them before. */
static halo_status run_segment(filter_run *run, int s)
{
    const filter_chain *chain = run->chain;
    const filter_segment *segment = &chain->segment[s];
    const filter_watch *watch = run->options.watch;
    bool last = s + 1 == chain->segments;
    if (segment->field) {
        HALO_TRY(run_whole(run, s));
        return !last || (watch != NULL && watch->made_last) ? tell_segment(run, s) : HALO_OK;
    }
    HALO_TRY(run->field != NULL ? filter_run_exchange(run) : HALO_OK);
    HALO_TRY(filter_run_reduce(run, segment));
    HALO_TRY(filter_run_begin_pass(run));
    if (!last || (watch != NULL && watch->made_last)) {
        HALO_TRY(filter_run_make_field(run, s, s + 1,
                                       chain->part[segment->first + segment->count - 1]->out));
        return tell_segment(run, s);
    }
    return run->lo < run->hi ? halo_filter_pipeline_create(&run->pipeline, chain, segment, run->lo,
                                                           run->hi, &run->source, &run->options)
                             : HALO_OK;
}

/* Collective. */
static halo_status run_segments(filter_run *run, int first)
{
    for (int s = first; s < run->chain->segments; s++) {
        HALO_TRY(run_segment(run, s));
    }
    run->next = run->lo;
    return HALO_OK;
}

/* ---- runs ----------------------------------------------------------------------------------- */

halo_status halo_filter_run_create(filter_run **out, halo_world *world, const filter_chain *chain,
                                   const halo_partition *strips, const filter_image *image,
                                   const filter_pipeline_options *options)
{
    filter_run *run;
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    *out = NULL;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(run, 1, "filters")));
    *run = (filter_run){.world = world,
                        .chain = chain,
                        .strips = strips,
                        .domain = halo_filter_run_domain(chain),
                        .options = *options,
                        .source = image->rows,
                        .lo = own.lo[0],
                        .hi = own.lo[0] + own.n[0]};
    run->options.world = world;
    run->rows = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    if (image->field != NULL) {
        filter_run_use_field(run, *image->field);
        *image->field = NULL;
    }
    halo_status status = halo_agree(world, HALO_ALLOCATE(run->row, run->rows, "rows"));
    HALO_IF_OK(status, halo_agree(world, run_segments(run, image->segment)));
    if (status != HALO_OK) {
        halo_filter_run_destroy(&run);
    }
    *out = run;
    return status;
}

void halo_filter_run_destroy(filter_run **run)
{
    if (*run != NULL) {
        halo_filter_pipeline_destroy(&(*run)->pipeline);
        halo_field_destroy(&(*run)->field);
        free((*run)->row);
        free(*run);
    }
    *run = NULL;
}

int halo_filter_run_passes(const filter_run *run)
{
    return run->passes;
}

int halo_filter_run_readings(const filter_run *run)
{
    return run->readings;
}

int64_t halo_filter_run_tile(const filter_run *run)
{
    return run->pipeline != NULL ? halo_filter_pipeline_tile(run->pipeline) : 1;
}

halo_status halo_filter_run_make(filter_run *run, int64_t count, void *const *out)
{
    return run->pipeline != NULL ? halo_filter_pipeline_make(run->pipeline, count, out)
                                 : filter_run_copy_layers(run, count, out);
}

/* Local. All layers of this rank, to a view of them. */
static halo_status make_all(filter_run *run, const halo_view *to)
{
    int64_t tile = halo_filter_run_tile(run);
    void **row;
    HALO_TRY(HALO_ALLOCATE(row, tile * run->rows, "rows"));
    halo_status status = HALO_OK;
    for (int64_t at = run->lo; at < run->hi && status == HALO_OK; at += tile) {
        int64_t count = halo_min(tile, run->hi - at);
        for (int64_t i = 0; i < count * run->rows; i++) {
            row[i] = filter_run_row(to, at - run->lo + i / run->rows, i % run->rows);
        }
        status = halo_filter_run_make(run, count, row);
    }
    free(row);
    return status;
}

halo_status halo_filter_run_bits(halo_world *world, const filter_chain *chain,
                                 const halo_partition *strips, const halo_view *bits,
                                 const filter_pipeline_options *options)
{
    halo_field *copy = NULL;
    filter_run *run = NULL;
    const filter_image image = {.field = &copy};
    HALO_TRY(halo_agree(
        world, halo_filter_run_create_field(&copy, world, chain, 0, HALO_SAMPLE_BIT, strips)));
    halo_view_copy(halo_field_view(copy), bits);
    halo_status status = halo_filter_run_create(&run, world, chain, strips, &image, options);
    if (status == HALO_OK) {
        status = halo_agree(world, make_all(run, bits));
    }
    halo_filter_run_destroy(&run);
    halo_field_destroy(&copy);
    return status;
}
