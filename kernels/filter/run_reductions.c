#include "base/minmax.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/foreground.h"
#include "kernels/filter/reduction.h"
#include "kernels/filter/run_internal.h"

/* Parts of a segment that look at all samples before the segment is computed. */

/* Local. Tells of the time that a part of the chain has taken. */
void filter_run_tell_seconds(const filter_run *run, int part, double begun)
{
    const filter_watch *watch = run->options.watch;
    if (watch != NULL && watch->seconds != NULL) {
        watch->seconds[part] += halo_seconds() - begun;
    }
}

/* A part of a segment that looks at all samples which the parts before it make. */
typedef struct {
    filter_run *run;
    filter_segment before; /* these; of none there may be 0 */
    const filter_part *part;
    void *state;
} look;

/* Local. Adds what `pipeline`, or with NULL the source, makes. */
static halo_status add_layers(const look *l, filter_pipeline *pipeline, const filter_made *made,
                              int64_t tile)
{
    filter_run *run = l->run;
    halo_view view = filter_row_view(l->part->in, made->memory, halo_filter_run_width(run->chain));
    view.stride[0] = (ptrdiff_t)made->pitch;
    for (int64_t at = run->lo; at < run->hi; at += tile) {
        int64_t count = halo_min(tile, run->hi - at);
        HALO_TRY(pipeline != NULL ? halo_filter_pipeline_make(pipeline, count, made->row)
                                  : filter_run_copy_layers(run, count, made->row));
        view.owned.n[0] = count * run->rows;
        l->part->reduction->add(l->state, &view);
        HALO_TRY(halo_watch_work(run->world, at + count - run->lo, run->hi - run->lo));
    }
    return HALO_OK;
}

/* Local. */
static halo_status look_at_all(const look *l)
{
    enum { ROWS = 16 };
    const filter_run *run = l->run;
    filter_pipeline *pipeline = NULL;
    filter_made made = {0};
    halo_status status = HALO_OK;
    if (run->lo == run->hi) {
        return HALO_OK;
    }
    if (l->before.count > 0) { /* whose rows are told of when they are made for others */
        const filter_pipeline_options options = {.instructions = run->options.instructions,
                                                 .tile = run->options.tile,
                                                 .world = run->world};
        status = halo_filter_pipeline_create(&pipeline, run->chain, &l->before, run->lo, run->hi,
                                             &run->source, &options);
    }
    int64_t tile = pipeline != NULL ? halo_filter_pipeline_tile(pipeline)
                   : run->rows > 1  ? 1
                                    : ROWS;
    HALO_IF_OK(status,
               halo_filter_made_create(&made, l->part->in, halo_filter_run_width(run->chain),
                                       tile * run->rows));
    HALO_IF_OK(status, add_layers(l, pipeline, &made, tile));
    halo_filter_pipeline_destroy(&pipeline);
    halo_filter_made_free(&made);
    return status;
}

static halo_status pass_over(void *context, void *state)
{
    look *l = context;
    l->state = state;
    HALO_TRY(filter_run_begin_pass(l->run));
    return halo_agree(l->run->world, look_at_all(l));
}

/* Collective. Ends the reductions of a segment, one after the other. */
halo_status filter_run_reduce(filter_run *run, const filter_segment *segment)
{
    for (int k = 0; k < segment->count; k++) {
        look l = {.run = run, .before = *segment, .part = run->chain->part[segment->first + k]};
        l.before.count = k;
        if (l.part->reduction != NULL) {
            double begun = halo_seconds();
            HALO_TRY(filter_reduce(run->world, l.part, run->options.instructions, pass_over, &l));
            filter_run_tell_seconds(run, segment->first + k, begun);
        }
    }
    return HALO_OK;
}
