#include "app/report/facts.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/paths/job.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "core/world/memory_ask.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the graph ------------------------------------------------------------------------------- */

_Static_assert(sizeof(halo_dimacs_arc) == sizeof(halo_digraph_arc) &&
                   offsetof(halo_dimacs_arc, weight) == offsetof(halo_digraph_arc, weight),
               "arcs go as they are");

static halo_status read_graph(graph_job *job)
{
    halo_dimacs_graph read;
    HALO_TRY(halo_dimacs_read(job->file, &read));
    halo_dimacs_close(&job->file);
    halo_status status = halo_digraph_create(
        &job->whole, read.vertices, (const halo_digraph_arc *)(const void *)read.arcs, read.count);
    halo_memory_free(read.arcs);
    return status;
}

/* Bytes of a graph: an offset a vertex, a head and a weight an arc. */
static int64_t graph_bytes(int64_t vertices, int64_t arcs)
{
    return vertices * (int64_t)sizeof(int64_t) + arcs * (int64_t)(sizeof(int32_t) + sizeof(double));
}

static bool is_text(const char *path)
{
    return path != NULL && !halo_name_ends(path, ".npy");
}

/* A vertex, of what rank 0 needs to write besides distances and the graph: tables are made as a
 * whole; nearest sources and ways back take arrays. */
static int64_t output_bytes(const paths_options *asked)
{
    enum { LINE = 27, ARRAYS = 3 };
    bool text = is_text(asked->output) || is_text(asked->nearest);
    bool arrays = asked->nearest != NULL || asked->path != NULL;
    return (text ? LINE : 0) + (arrays ? ARRAYS * (int64_t)sizeof(int32_t) : 0);
}

/* The whole graph stays on rank 0, for the ways back. While it is read there are the arcs as the
 * file has them; then every rank has its part, with the distances of the vertices at its arcs' ends
 * and a queue; in the end rank 0 has all distances. */
static halo_status ask_for_memory(app_run *run)
{
    graph_job *job = run->job;
    char what[HALO_MESSAGE_SIZE / 2];
    int64_t ranks = halo_world_ranks(run->world), vertices = job->vertices, arcs = job->arcs;
    bool root = halo_world_rank(run->world) == 0, parts = job->places == HALO_SEARCH_PARTS;
    int64_t distance = sizeof(double), number = sizeof(int32_t);
    int64_t own = parts ? vertices / ranks : root ? vertices : 0;
    int64_t others = parts ? halo_min(vertices - own, arcs / ranks) : vertices - own;
    int64_t mine = ranks == 1 ? 0
                   : parts    ? graph_bytes(own, arcs / ranks) + others * number
                   : root     ? 0
                              : graph_bytes(vertices, arcs);
    int64_t dealing = parts && ranks > 1 ? vertices * number + own * distance : 0;
    int64_t searching = (own + others) * distance + own * (distance + number);
    int64_t writing = root ? vertices * (distance + output_bytes(run->options)) : 0;
    int64_t later = mine + halo_max(halo_max(dealing, searching), writing);
    int64_t reading = root ? arcs * (int64_t)sizeof(halo_dimacs_arc) : 0;
    snprintf(what, sizeof what, "a graph of %" PRId64 " vertices and %" PRId64 " arcs (%s)",
             vertices, arcs, run->arguments->image.first);
    const halo_memory_demand demand = {.more = (root ? graph_bytes(vertices, arcs) : 0) +
                                               halo_max(reading, later),
                                       .what = what,
                                       .remedy = "a smaller graph"};
    return halo_memory_ask(run->world, &demand);
}

/* Vertices of one of the lists, which rank 0 may have read from a file. */
static halo_status open_vertices(app_run *run, const paths_places *asked, const char *what,
                                 int64_t **out, int64_t *count)
{
    const graph_job *job = run->job;
    halo_paths_place *places = NULL;
    halo_status status = paths_open_list(run, asked, true, &places, count);
    if (status == HALO_OK) {
        status = halo_agree(run->world, HALO_ALLOCATE(*out, *count + 1, "places"));
    }
    for (int64_t i = 0; i < *count && status == HALO_OK; i++) {
        int64_t number = places[i].column;
        (*out)[i] = number - 1;
        if (number < 1 || number > job->vertices) {
            status = halo_fail(HALO_ARGUMENT,
                               "there is no vertex %" PRId64 " for a %s: vertices of the graph are "
                               "1 to %" PRId64,
                               number, what, job->vertices);
        }
    }
    free(places);
    return status;
}

static halo_status open_inputs(app_run *run)
{
    const paths_options *asked = run->options;
    graph_job *job = run->job;
    bool root = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_search_choose(asked->method, halo_world_ranks(run->world), &job->method,
                                &job->places));
    progress_phase(&run->progress, "reading");
    halo_stretch stretch = halo_clock_begin(run->world);
    HALO_TRY(halo_agree(run->world,
                        root ? halo_dimacs_open(&job->file, run->arguments->image.first, NULL, 0)
                             : HALO_OK));
    int64_t sizes[2] = {root ? halo_dimacs_vertices(job->file) : 0,
                        root ? halo_dimacs_arcs(job->file) : 0};
    HALO_TRY(halo_bcast(run->world, sizes, sizeof sizes, 0));
    job->vertices = sizes[0];
    job->arcs = sizes[1];
    HALO_TRY(ask_for_memory(run));
    HALO_TRY(halo_agree(run->world, root ? read_graph(job) : HALO_OK));
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    run->domain = (halo_domain){.axes = 1, .n = {job->vertices, 1, 1}};
    HALO_TRY(open_vertices(run, &asked->from, "source", &job->sources, &job->source_count));
    return open_vertices(run, &asked->to, "target", &job->targets, &job->target_count);
}

static halo_status create(app_run *run)
{
    graph_job *job = run->job;
    int ranks = halo_world_ranks(run->world), rank = halo_world_rank(run->world);
    bool parts = job->places == HALO_SEARCH_PARTS;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(job->cuts, ranks + 1, "parts of a graph")));
    if (rank == 0 && parts) {
        halo_digraph_cut(job->whole, ranks, job->cuts);
    }
    if (!parts) { /* rank 0 has all distances */
        halo_cuts_whole(job->vertices, ranks, job->cuts);
    }
    halo_stretch stretch = halo_clock_begin(run->world);
    HALO_TRY(halo_digraph_share(&job->graph, run->world, job->whole, parts ? job->cuts : NULL));
    halo_clock_end(&run->clock, HALO_PHASE_DISTRIBUTE, stretch, run->world);
    return halo_agree(run->world,
                      HALO_ALLOCATE_LARGE(job->own, job->cuts[rank + 1] - job->cuts[rank],
                                          "distances of vertices"));
}

/* ---- searching ------------------------------------------------------------------------------- */

/* To rank 0. */
static halo_status gather(app_run *run)
{
    graph_job *job = run->job;
    int rank = halo_world_rank(run->world);
    size_t mine = (size_t)(job->cuts[rank + 1] - job->cuts[rank]) * sizeof *job->own, total;
    void *all;
    halo_status status = halo_gatherv(run->world, job->own, mine, &all, &total);
    job->distances = all;
    HALO_TRY(halo_agree(run->world, status));
    halo_memory_free(job->own);
    job->own = NULL;
    return HALO_OK;
}

static halo_status find_target_distances(app_run *run)
{
    graph_job *job = run->job;
    int64_t count = job->target_count;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(job->target_distances, count + 1, "targets")));
    for (int64_t i = 0; i < count && job->distances != NULL; i++) {
        job->target_distances[i] = job->distances[job->targets[i]];
    }
    return halo_bcast(run->world, job->target_distances,
                      (size_t)count * sizeof *job->target_distances, 0);
}

static void measure(graph_job *job)
{
    for (int64_t v = 0; v < job->vertices && job->distances != NULL; v++) {
        double distance = job->distances[v];
        job->reached += isfinite(distance) != 0;
        job->farthest = isfinite(distance) && distance > job->farthest ? distance : job->farthest;
    }
}

static halo_status search(app_run *run)
{
    const paths_options *asked = run->options;
    graph_job *job = run->job;
    bool whole_queue = app_was_given(run, &asked->quota) && asked->quota == 0;
    const halo_search_options options = {.method = job->method,
                                         .detector = run->arguments->decomposition.detector,
                                         .max_distance = asked->max_distance,
                                         .quota = whole_queue ? INT64_MAX : asked->quota};
    progress_phase(&run->progress, "searching");
    halo_stretch stretch = halo_clock_begin(run->world);
    double begun = halo_seconds();
    HALO_TRY(halo_search_run(run->world, job->graph, job->cuts, job->sources, job->source_count,
                             &options, job->own, &job->counts));
    job->seconds = halo_seconds() - begun;
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    HALO_TRY(gather(run));
    measure(job);
    return find_target_distances(run);
}

static halo_status find_verdict(app_run *run)
{
    const graph_job *job = run->job;
    int64_t first = 0, lost = paths_count_lost(job->target_distances, job->target_count, &first);
    return lost == 0 ? HALO_OK
                     : halo_fail(HALO_FORMAT,
                                 "no path leads to the vertex %" PRId64 " (%" PRId64 " of "
                                 "%" PRId64 " targets are unreachable): there are no arcs, or "
                                 "--max-distance is in the way",
                                 job->targets[first] + 1, lost, job->target_count);
}

static void destroy(app_run *run)
{
    graph_job *job = run->job;
    halo_dimacs_close(&job->file);
    halo_digraph_destroy(&job->graph);
    halo_digraph_destroy(&job->whole);
    halo_memory_free(job->own);
    halo_memory_free(job->distances);
    halo_memory_free(job->numbers);
    free(job->cuts);
    free(job->sources);
    free(job->targets);
    free(job->target_distances);
}

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *name_target(const void *context, int64_t i)
{
    return json_pack("{s:I}", "vertex", (json_int_t)((const graph_job *)context)->targets[i] + 1);
}

/* The rings' detectors go round; the central pool needs none. */
static json_t *report_network(const graph_job *job)
{
    const halo_quiescence_report *network = &job->counts.network;
    bool detected = job->places == HALO_SEARCH_PARTS;
    return json_pack("{s:s?, s:I, s:I, s:I, s:I, s:I}", "detector",
                     detected ? network->detector : NULL, "messages", (json_int_t)network->messages,
                     "bytes", (json_int_t)network->bytes, "distances", (json_int_t)job->counts.sent,
                     "control", (json_int_t)network->control, "rounds",
                     (json_int_t)network->rounds);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const graph_job *job = run->job;
    const halo_search_counts *counts = &job->counts;
    json_object_set_new(texts, "relaxed_an_arc",
                        json_real((double)counts->relaxed / (double)halo_max(job->arcs, 1)));
    json_object_set_new(texts, "taken_a_vertex",
                        json_real((double)counts->taken / (double)halo_max(job->reached, 1)));
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:f, s:I, s:o, s:o}",
                     "method", job->method, "vertices", (json_int_t)job->vertices, "arcs",
                     (json_int_t)job->arcs, "sources", (json_int_t)job->source_count,
                     "reached_vertices", (json_int_t)job->reached, "farthest", job->farthest,
                     "taken_vertices", (json_int_t)counts->taken, "relaxed_arcs",
                     (json_int_t)counts->relaxed, "improvements", (json_int_t)counts->improved,
                     "queue_bytes", (json_int_t)counts->queue_bytes, "search_seconds", job->seconds,
                     "targets", (json_int_t)job->target_count, "target_distances",
                     paths_list_targets(job->target_distances, job->target_count, name_target, job),
                     "network", report_network(job));
}

static const app_line lines[] = {
    {.name = "graph", .verbose = true, .text = "{vertices} vertices, {arcs} arc{s:arcs}"},
    {.name = "distances",
     .text = "{reached_vertices} of {vertices} vertices are reached, the farthest at "
             "{farthest%.10g}"},
    {.name = "targets",
     .text = "{targets>0}[, the first at a distance of {target_distances.0.distance%.10g}]"},
    {.name = "search",
     .verbose = true,
     .text = "{method}: a reached vertex is taken {taken_a_vertex%.4g} times, an arc looked at "
             "{relaxed_an_arc%.4g} times"},
    {.name = "messages",
     .verbose = true,
     .text = "{network.messages>0} with {network.distances} distances[, {network.control} of the "
             "detector {network.detector}]"},
    {.name = "queue", .text = "{queue_bytes} bytes at most on a rank", .verbose = true},
    {0}};

static const app_phase phases[] = {
    {"read", HALO_PHASE_DECODE},    {"distribute", HALO_PHASE_DISTRIBUTE},
    {"search", HALO_PHASE_COMPUTE}, {"wait", HALO_PHASE_WAIT},
    {"write", HALO_PHASE_ENCODE},   {0}};

static const char speed[] = "{search_seconds%.4f} s to search";

static const app_service_use services[] = {APP_SHARED_SERVICES, {0}};

const app_command paths_graph_command = {.syntax = &paths_syntax,
                                         .services = services,
                                         .job_bytes = sizeof(graph_job),
                                         .open = open_inputs,
                                         .root = true,
                                         .create = create,
                                         .run = search,
                                         .outputs = paths_graph_outputs,
                                         .lines = lines,
                                         .speed = speed,
                                         .lists_ranks = true,
                                         .phases = phases,
                                         .own = app_tasks_own,
                                         .facts = facts,
                                         .verdict = find_verdict,
                                         .destroy = destroy};
