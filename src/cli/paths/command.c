#include "app/beats.h"
#include "app/frame.h"
#include "app/image/image.h"
#include "app/report/facts.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/paths/job.h"
#include "core/world/collect.h"
#include "kernels/graph/raster_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- before the first beat ------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    (void)run;
    use->want = HALO_IMAGE_ARRAYS;
}

/* The method by its name: what was asked for, or the default. */
static const char *method_of(const app_run *run)
{
    const char *asked = ((const paths_options *)run->options)->method;
    return asked != NULL ? asked : halo_world_ranks(run->world) == 1 ? "bucket" : "async";
}

static bool has_trait(const app_run *run, unsigned trait)
{
    return (paths_method_traits(method_of(run)) & trait) != 0;
}

static halo_status check_method(const app_run *run)
{
    int ranks = halo_world_ranks(run->world);
    if (run->arguments->decomposition.detector != NULL && !has_trait(run, PATHS_DETECTS)) {
        return halo_fail(HALO_ARGUMENT, "--detector needs --method async or decentral, not %s",
                         method_of(run));
    }
    return !has_trait(run, PATHS_ALONE) || ranks == 1
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--method %s is for one rank, and there are %d; use async or settle",
                           method_of(run), ranks);
}

/* Without rounds a rank looks for messages so often that it does not work long on distances that
 * others know to be too large, and so seldom that looking costs little. Simulated, this is within a
 * few percent of the best on 2 to 64 ranks. */
static int64_t choose_quota(const app_run *run)
{
    enum { LOOKS = 128, LEAST = 256 };
    const paths_options *asked = run->options;
    int64_t cells = run->domain.n[0] * run->domain.n[1] / halo_world_ranks(run->world);
    int64_t without_rounds = halo_min(halo_max(cells / LOOKS, LEAST), HALO_PATHS_ASYNC_QUOTA);
    return app_was_given(run, &asked->quota) && !has_trait(run, PATHS_POOL) ? asked->quota
           : has_trait(run, PATHS_QUEUES)                                   ? without_rounds
                                          : HALO_PATHS_DEFAULT_QUOTA;
}

static halo_status open_inputs(app_run *run)
{
    enum { DECIMAL = 10 };
    const paths_options *asked = run->options;
    paths_job *job = run->job;
    job->options =
        (halo_paths_options){.neighbours = (int)strtol(asked->neighbours, NULL, DECIMAL),
                             .cell_size = {asked->cell_size.along_y, asked->cell_size.along_x},
                             .max_distance = asked->max_distance,
                             .instructions = run->arguments->common.instructions};
    if (!app_was_given(run, &asked->all.beats)) {
        run->last_beat = INT64_MAX / 2;
    }
    HALO_TRY(check_method(run));
    HALO_TRY(paths_open_places(run));
    return paths_check_restored(run);
}

/* Strips are as high as halos are deep, so that ranks may be left without any. */
static halo_status create_beat(app_run *run)
{
    paths_job *job = run->job;
    const decomposition_arguments *decomposition = &run->arguments->decomposition;
    const halo_async_options async = {.detector = decomposition->detector};
    const halo_beat_options options = {.kernel_options = &job->options,
                                       .async = has_trait(run, PATHS_QUEUES) ? &async : NULL};
    return decomposition->parts == NULL || strcmp(decomposition->parts, "strips") == 0
               ? app_create_strips(run, &job->kernel, &options)
               : app_create_blocks(run, &job->kernel, &options);
}

static halo_status create(app_run *run)
{
    paths_job *job = run->job;
    job->options.quota = choose_quota(run);
    job->kernel = halo_paths_kernel(&job->options);
    HALO_TRY(halo_agree(run->world, halo_partition_strips(&job->strips, &run->domain,
                                                          halo_world_ranks(run->world))));
    run->cuts = job->strips.cuts[0];
    HALO_TRY(create_beat(run));
    return paths_create_cells(run);
}

/* The queue has the cells of a front, of which nobody knows the length: an eighth of all. */
static void find_needs(const app_run *run, app_needs *needs)
{
    enum { SHARE = 8 };
    const paths_job *job = run->job;
    int64_t cells = halo_box_cells(&halo_beat_view(run->beat, 0)->owned);
    int64_t strip = job->cells == NULL ? 0 : cells * (int64_t)sizeof(halo_paths_cell);
    needs->computing = cells * (int64_t)sizeof(int32_t) / SHARE - strip;
    needs->writing += needs->computing + strip;
}

/* ---- beats ----------------------------------------------------------------------------------- */

halo_paths_map paths_map(const app_run *run)
{
    const paths_job *job = run->job;
    return (halo_paths_map){.world = run->world,
                            .domain = &run->domain,
                            .partition = halo_beat_partition(run->beat),
                            .cells = halo_beat_view(run->beat, 0),
                            .options = &job->options};
}

static const char *ending(const app_run *run)
{
    (void)run;
    return "all distances are final";
}

static halo_status search_by_pool(app_run *run)
{
    const paths_options *asked = run->options;
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    const halo_search_options options = {.method = asked->method,
                                         .detector = run->arguments->decomposition.detector,
                                         .max_distance = asked->max_distance,
                                         .quota = asked->quota};
    job->has_pooled = true;
    return halo_search_raster(&map, &options, &job->pooled);
}

/* A pool searches at once; the beat after it sees that nothing changes. */
static halo_status advance(app_run *run, int64_t count)
{
    paths_job *job = run->job;
    if (has_trait(run, PATHS_POOL) && !job->has_pooled) {
        HALO_TRY(search_by_pool(run));
    }
    return halo_beat_run(run->beat, count);
}

static const app_beats beats = {.phase = "searching",
                                .advance = advance,
                                .counted = "at beat",
                                .shares = APP_EXCHANGING,
                                .endless = true,
                                .ending = ending};

static void measure(const app_run *run, paths_job *job)
{
    double unreached = halo_paths_unreached(&job->options);
    const halo_view *view = halo_beat_view(run->beat, 0);
    job->reached = 0;
    job->farthest = 0;
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        const halo_paths_cell *cells = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            bool reached = cells[x].distance < unreached;
            job->reached += reached;
            if (reached && cells[x].distance > job->farthest) {
                job->farthest = cells[x].distance;
            }
        }
    }
}

/* How far targets are, and the paths to them. */
static halo_status find_trail(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    int64_t count = job->target_count;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_paths_bar_edges(&map);
    halo_status status = HALO_OK;
    if (count > 0) {
        HALO_TRY_OR(done, halo_agree(run->world, HALO_ALLOCATE(job->target_distances, count + 1,
                                                               "distances of targets")));
        HALO_TRY_OR(done, halo_paths_distances(&map, job->targets, count, job->target_distances));
        status = halo_paths_trace(&job->trail, &map, job->targets, count);
    }
done:
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    return status;
}

static halo_status end(app_run *run)
{
    paths_job *job = run->job;
    job->settled = run->loop->ending == APP_STEADY;
    measure(run, job);
    job->done = halo_paths_count(halo_beat_state(run->beat));
    int64_t sums[] = {job->reached, job->done.taken, job->done.improved};
    int64_t max[2] = {job->done.queue_bytes, 0};
    memcpy(&max[1], &job->farthest, sizeof job->farthest); /* in the order of its bits */
    HALO_TRY(halo_allreduce_sum(run->world, sums, sizeof sums / sizeof sums[0]));
    HALO_TRY(halo_allreduce_max(run->world, max, 2));
    job->reached = sums[0];
    job->done = (halo_paths_counts){.taken = sums[1] + job->pooled.taken,
                                    .improved = sums[2] + job->pooled.improved,
                                    .queue_bytes = halo_max(max[0], job->pooled.queue_bytes)};
    memcpy(&job->farthest, &max[1], sizeof job->farthest);
    return job->settled ? find_trail(run) : HALO_OK;
}

static halo_status find_verdict(app_run *run)
{
    const paths_job *job = run->job;
    int64_t first = 0, lost = paths_count_lost(job->target_distances, job->target_count, &first);
    return lost == 0 ? HALO_OK
                     : halo_fail(HALO_FORMAT,
                                 "no path leads to the target %" PRId64 ",%" PRId64 " (%" PRId64
                                 " of %" PRId64 " are unreachable): barriers or "
                                 "--max-distance are in the way",
                                 job->targets[first].column, job->targets[first].row, lost,
                                 job->target_count);
}

static void destroy(app_run *run)
{
    paths_job *job = run->job;
    paths_release(run);
    halo_partition_free(&job->strips);
    halo_field_destroy(&job->numbers);
    halo_paths_trail_destroy(&job->trail);
    free(job->sources);
    free(job->targets);
    free(job->target_distances);
}

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *name_target(const void *context, int64_t i)
{
    const halo_paths_place *place = &((const paths_job *)context)->targets[i];
    return json_pack("{s:I, s:I}", "x", (json_int_t)place->column, "y", (json_int_t)place->row);
}

/* NULL without a pool. */
static json_t *list_pool(const paths_job *job)
{
    const halo_quiescence_report *network = &job->pooled.network;
    return !job->has_pooled
               ? NULL
               : json_pack("{s:I, s:I, s:I}", "messages", (json_int_t)network->messages, "bytes",
                           (json_int_t)network->bytes, "control",
                           (json_int_t)(network->control + network->announcements));
}

static json_t *facts(app_run *run, json_t *texts)
{
    const paths_options *asked = run->options;
    const paths_job *job = run->job;
    int64_t cells = run->domain.n[0] * run->domain.n[1];
    const double *side = job->options.cell_size;
    bool costs = job->range.barriers < cells;
    halo_async_report async = halo_beat_get_async_report(run->beat);
    json_object_set_new(texts, "nanoseconds", json_real(1e9 * run->loop->seconds / (double)cells));
    json_object_set_new(texts, "taken_a_cell",
                        json_real((double)job->done.taken / (double)halo_max(job->reached, 1)));
    return json_pack(
        "{s:s, s:s, s:[f, f], s:I, s:f, s:f, s:I, s:I, s:f, s:b, s:I, s:I, s:I, s:I, "
        "s:s, s:f, s:I, s:o, s:o*, s:o*}",
        "method", method_of(run), "neighbours", asked->neighbours, "cell_size",
        side[1] > 0 ? side[1] : 1, side[0] > 0 ? side[0] : 1, "cells", (json_int_t)cells,
        "min_cost", costs ? job->range.min : 0, "max_cost", costs ? job->range.max : 0,
        "barrier_cells", (json_int_t)job->range.barriers, "reached_cells", (json_int_t)job->reached,
        "farthest", job->farthest, "final", (int)job->settled, "taken_cells",
        (json_int_t)job->done.taken, "improvements", (json_int_t)job->done.improved, "queue_bytes",
        (json_int_t)job->done.queue_bytes, "beat", (json_int_t)app_beats_done(run), "ended",
        app_ending_text(run), "beats_seconds", run->loop->seconds, "targets",
        (json_int_t)job->target_count, "target_distances",
        paths_list_targets(job->target_distances, job->target_count, name_target, job), "async",
        app_fact_async(&async, run->arguments->decomposition.detector), "pool", list_pool(job));
}

static const app_line lines[] = {
    {.name = "costs",
     .verbose = true,
     .text = "{min_cost} to {max_cost}[, {barrier_cells>0} cell{s:barrier_cells} "
             "are barriers]; {neighbours} neighbours"},
    {.name = "distances",
     .text = "{reached_cells} of {cells} cells are reached, the farthest at {farthest%.10g}"},
    {.name = "targets",
     .text = "{targets>0}[, the first at a distance of {target_distances.0.distance%.10g}]"},
    {.name = "beats", .text = "{beat} ({method}): {ended}"},
    APP_ASYNC_LINE,
    {.name = "messages",
     .verbose = true,
     .text = "{pool.messages} of the pool, {pool.control} to find its end"},
    {.name = "search", .text = "a reached cell is taken {taken_a_cell%.4g} times", .verbose = true},
    {.name = "queue", .text = "{queue_bytes} bytes at most on a rank", .verbose = true},
    {0}};

static const app_phase phases[] = {
    {"read", HALO_PHASE_DECODE},     {"distribute", HALO_PHASE_DISTRIBUTE},
    {"compute", HALO_PHASE_COMPUTE}, {"exchange", HALO_PHASE_EXCHANGE},
    {"vote", HALO_PHASE_VOTE},       {"trace", HALO_PHASE_MERGE},
    {"write", HALO_PHASE_ENCODE},    {0}};

static const char speed[] = "{nanoseconds%.4g} ns a cell";

static const app_service_use services[] = {
    APP_SHARED_SERVICES, {&app_checkpoint_service, &paths_state}, {0}};

static const app_command raster_command = {.syntax = &paths_syntax,
                                           .job_bytes = sizeof(paths_job),
                                           .services = services,
                                           .image = true,
                                           .takes_nodata = true,
                                           .image_use = use_image,
                                           .read = paths_read_costs,
                                           .open = open_inputs,
                                           .create = create,
                                           .needs = find_needs,
                                           .fill = paths_fill_sources,
                                           .begin = paths_spread,
                                           .beats = &beats,
                                           .end = end,
                                           .outputs = paths_outputs,
                                           .lines = lines,
                                           .speed = speed,
                                           .phases = phases,
                                           .facts = facts,
                                           .verdict = find_verdict,
                                           .destroy = destroy};

/* No option's value is the name of a graph. */
static int call(halo_world *all, int argc, char **argv)
{
    bool is_graph = false;
    for (int i = 1; i < argc; i++) {
        is_graph = is_graph || (argv[i][0] != '-' && paths_is_graph(argv[i]));
    }
    return app_main(all, is_graph ? &paths_graph_command : &raster_command, "halobeat paths", NULL,
                    argc, argv);
}

const app_command paths_command = {.syntax = &paths_syntax, .call = call};
