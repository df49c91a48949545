#include "app/beats.h"
#include "app/frame.h"
#include "app/image/image.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/commands.h"
#include "cli/paths/graph.h"
#include "core/world/collect.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member)  APP_ROW(paths_options, option, kind, member)
#define METHOD_ENTRY(name, traits) "|" #name

static const app_option what_rows[] = {
    {APP_FRAME_ROW("COSTS.png|.npy|GRAPH.gr", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .file = offsetof(app_arguments, image.first),
     .flags = APP_ARGUMENT,
     .required = "which costs? Give the name of an image, of a NumPy array or of a graph (.gr)"},
    {.type = APP_SECTION, .help = "From where to where:"},
    {ROW("from", CUSTOM, from), .parse = paths_parse_from,
     .file = offsetof(paths_options, from.path), .flags = APP_REPEATS,
     .value = "X,Y|VERTEX|FILE.csv|IMAGE",
     .required = "where do paths begin? Give --from X,Y or --from FILE",
     .help = "A source: column X of row Y, from 0 on; of a graph a vertex, or several, V,W. Or a "
             "file of places, x,y on each line; or an "
             "image of the same size, whose pixels are sources where they are not 0. May be "
             "given several times for several places: sources are numbered from 1 on"},
    {ROW("to", CUSTOM, to), .parse = paths_parse_to, .file = offsetof(paths_options, to.path),
     .flags = APP_REPEATS, .value = "X,Y|VERTEX|FILE.csv",
     .help = "A target, to which the path from the nearest source is traced; or a file of them. "
             "May be given several times"},
    {.type = APP_SECTION, .help = "What a step costs:"},
    {ROW("neighbours", CHOICE, neighbours), .choices = "4|8|16", .standard = "8",
     .flags = APP_SAVED,
     .help = "Neighbours of a cell: 4 beside it, 8 with the diagonal ones, 16 with a knight's "
             "moves. A step costs its length times the mean of the costs of its cells"},
    {ROW("barrier", CUSTOM, barriers), .parse = paths_parse_barrier, .flags = APP_REPEATS,
     .value = "VALUE|nan|negative",
     .help =
         "Cells that cannot be entered: those of cost VALUE; negative: those of a cost below 0. "
         "Infinite costs, NaN (nan) and cells that are missing (--nodata) are always barriers. "
         "May be given several times"},
    {ROW("cell-size", CUSTOM, cell_size), .parse = paths_parse_cell_size, .value = "SIDE|X,Y",
     .takes = "one or two numbers from 1e-9 to 1e9", .unless = "1",
     .help = "The side of a cell, or its width and its height"},
    {ROW("max-distance", REAL, max_distance), .max = 1e300, .value = "DISTANCE", .flags = APP_SAVED,
     .unless = "0: without limit", .help = "Cells farther away than this are not reached"},
    {.type = APP_SECTION, .help = "How far:"},
    {APP_BEATS_ROW("beats"), .min = 1, .unless = "until all distances are final",
     .help = "Beats at most, in addition to those before a checkpoint"},
    {.type = APP_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(paths_options, ".npy|.csv|.txt"),
     .help = "The distance of every cell from the nearest source, as a NumPy array of float64; "
             "infinite where there is no path. For a graph also as a table, or as text with one "
             "number a line"},
    {ROW("nearest", OUTPUT, nearest), .choices = ".npy|.csv|.txt|" HALO_COLOUR_ENDINGS,
     .help = "The number of every cell's nearest source, the smallest if several are as near; 0 "
             "where there is no path: an array, a picture in colours, or, for a graph, a text"},
    {ROW("path", OUTPUT, path), .choices = ".csv", .needs = "to",
     .help = "The cells of the paths from sources to targets, one a line"},
    {ROW("overlay", OUTPUT, overlay), .choices = HALO_COLOUR_ENDINGS,
     .help = "The costs as a picture with sources, targets and the paths between them"},
    {.type = APP_END}};

static const app_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("method", CHOICE, method), .choices = PATHS_METHOD_LIST(METHOD_ENTRY),
     .unless = "bucket on one rank, else async",
     .help =
         "async: each rank processes its queue, and sends changes at its boundaries at once, until "
         "a detector finds all queues empty. settle: in rounds, with an exchange after each quota. "
         "bucket: a bucket queue on one rank. For comparison: central: rank 0 hands out cells or "
         "vertices of one queue; decentral: each rank has a first-in, first-out queue"},
    {ROW("quota", INTEGER, quota), .unit = "cells", .unless = "chosen",
     .help = "Cells that a rank processes before it looks for messages, or in a round (there 16384 "
             "by default); 0: until its queue is empty"},
    {.type = APP_END}};

static const app_option *const tables[] = {
    what_rows,         app_choice_rows,        app_raw_rows,      app_checkpoint_rows,
    how_rows,          app_decomposition_rows, app_exchange_rows, app_corner_rows,
    app_detector_rows, APP_SHARED_TABLES};

const app_syntax paths_syntax = {
    .name = "paths",
    .summary = "find distances and shortest paths on a raster of costs",
    .beat = "what is done from one exchange of all boundaries to the next: without rounds until "
            "all queues are empty, or a tenth of a second; in rounds a quota of cells",
    .about =
        "Find the distance of every cell of a raster of costs from the nearest source, and the "
        "shortest paths to targets; or the same for the vertices of a graph.\n\n"
        "Costs are the greys of a picture or the numbers of a NumPy array; a step costs the "
        "mean of its cells' costs times its length. Distances are those of scikit-image's "
        "MCP_Geometric and of GRASS's r.cost, to the last bit, on any number of ranks.\n\n"
        "Graphs are files in the DIMACS format (.gr, .gr.gz); their weights are 0 or more. "
        "--from and --to are then vertices, from 1 on, and options about cells, boundaries and "
        "beats are refused.",
    .notes =
        "Examples:\n"
        "  halobeat paths cost.png --from 10,20 --to 400,300 --path path.csv --overlay path.png\n"
        "  halobeat paths slope.tif --nodata -1 --from huts.csv --nearest hut.npy -o hours.npy\n"
        "  halobeat paths maze.png --barrier 0 --neighbours 4 --from 1,1 -o steps.npy\n"
        "  halobeat paths roads.gr --from 17 --to 99,1234 -o distances.npy --path path.csv\n"
        "  halobeat paths huge.npy --from cities.png -o d.npy "
        "--checkpoint d.halo\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(paths_options),
    .describe = balance_describe,
    .check = paths_check,
};

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

static halo_status begin(app_run *run)
{
    return paths_spread(run);
}

/* ---- beats ----------------------------------------------------------------------------------- */

static const char *ending(const app_run *run)
{
    (void)run;
    return "all distances are final";
}

/* A pool searches at once; the beat after it sees that nothing changes. */
static halo_status advance(app_run *run, int64_t count)
{
    paths_job *job = run->job;
    if (has_trait(run, PATHS_POOL) && !job->has_pooled) {
        job->has_pooled = true;
        HALO_TRY(paths_run_pool(run));
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
    return job->settled ? paths_find_trail(run) : HALO_OK;
}

/* The first target that no path leads to. */
static halo_status find_verdict(app_run *run)
{
    const paths_job *job = run->job;
    int64_t lost = 0, first = -1;
    for (int64_t i = 0; job->target_distances != NULL && i < job->target_count; i++) {
        if (isinf(job->target_distances[i])) {
            first = first < 0 ? i : first;
            lost++;
        }
    }
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
    paths_release_numbers(run);
    halo_paths_trail_destroy(&job->trail);
    free(job->sources);
    free(job->targets);
    free(job->target_distances);
}

/* ---- reports --------------------------------------------------------------------------------- */

enum { MAX_TARGETS = 1000 }; /* that a summary lists */

/* NULL once there are too many, or for want of memory. */
static json_t *list_targets(const paths_job *job)
{
    json_t *list = json_array();
    for (int64_t i = 0; job->target_distances != NULL && i < job->target_count; i++) {
        double distance = job->target_distances[i];
        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:o}", "x", (json_int_t)job->targets[i].column,
                                        "y", (json_int_t)job->targets[i].row, "distance",
                                        isinf(distance) ? json_null() : json_real(distance)));
        if (i >= MAX_TARGETS) {
            json_decref(list);
            return json_null();
        }
    }
    return list;
}

/* NULL without a pool. */
static json_t *list_pool(const paths_job *job)
{
    const halo_quiescence_report *network = &job->pool_network;
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
    bool costs = job->barriers < cells;
    halo_async_report async = halo_beat_get_async_report(run->beat);
    json_object_set_new(texts, "nanoseconds", json_real(1e9 * run->loop->seconds / (double)cells));
    json_object_set_new(texts, "taken_a_cell",
                        json_real((double)job->done.taken / (double)halo_max(job->reached, 1)));
    return json_pack(
        "{s:s, s:s, s:[f, f], s:I, s:f, s:f, s:I, s:I, s:f, s:b, s:I, s:I, s:I, s:I, "
        "s:s, s:f, s:I, s:o, s:o*, s:o*}",
        "method", method_of(run), "neighbours", asked->neighbours, "cell_size",
        side[1] > 0 ? side[1] : 1, side[0] > 0 ? side[0] : 1, "cells", (json_int_t)cells,
        "min_cost", costs ? job->cost_range[0] : 0, "max_cost", costs ? job->cost_range[1] : 0,
        "barrier_cells", (json_int_t)job->barriers, "reached_cells", (json_int_t)job->reached,
        "farthest", job->farthest, "final", (int)job->settled, "taken_cells",
        (json_int_t)job->done.taken, "improvements", (json_int_t)job->done.improved, "queue_bytes",
        (json_int_t)job->done.queue_bytes, "beat", (json_int_t)app_beats_done(run), "ended",
        app_ending_text(run), "beats_seconds", run->loop->seconds, "targets",
        (json_int_t)job->target_count, "target_distances", list_targets(job), "async",
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

static const app_service_use services[] = {{&app_checkpoint_service, &paths_state}, {0}};

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
                                           .begin = begin,
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
