#include "app/services/tasks.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/paths/job.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "core/world/memory_ask.h"
#include "kernels/graph/graph_back.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A vertex, of what rank 0 needs to write besides distances and the graph: tables are made as a
 * whole; nearest sources and ways back take arrays. */
static int64_t output_bytes(const paths_options *options)
{
    enum { LINE = 27, ARRAYS = 3 };
    bool text = paths_is_text(options->output) || paths_is_text(options->nearest);
    bool arrays = options->nearest != NULL || options->path != NULL;
    return (text ? LINE : 0) + (arrays ? ARRAYS * (int64_t)sizeof(int32_t) : 0);
}

/* The whole graph stays on rank 0. While it is read there are the arcs as the file has them; in the
 * end rank 0 has all distances. */
static halo_status ask_for_memory(app_run *run)
{
    const graph_job *job = run->job;
    char what[HALO_MESSAGE_SIZE / 2];
    int64_t vertices = job->vertices, arcs = job->arcs;
    bool root = app_is_root(run);
    const halo_search_bytes bytes = halo_search_estimate(
        job->places, halo_world_rank(run->world), halo_world_ranks(run->world), vertices, arcs);
    int64_t reading = root ? arcs * (int64_t)sizeof(halo_dimacs_arc) : 0;
    int64_t result = (int64_t)sizeof *job->distances + output_bytes(run->options);
    int64_t writing = root ? vertices * result : 0;
    int64_t later = bytes.part + halo_max(bytes.searching, writing);
    snprintf(what, sizeof what, "a graph of %" PRId64 " vertices and %" PRId64 " arcs (%s)",
             vertices, arcs, run->arguments->image.first);
    const halo_memory_demand demand = {
        .more = bytes.whole + halo_max(reading, later), .what = what, .remedy = "a smaller graph"};
    return halo_memory_ask(run->world, &demand);
}

static halo_status open_inputs(app_run *run)
{
    const paths_options *options = run->options;
    graph_job *job = run->job;
    bool root = app_is_root(run);
    HALO_TRY(halo_search_choose(options->method, halo_world_ranks(run->world), &job->method,
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
    return paths_ends_open(run);
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
    paths_ends *ends = &job->ends;
    int64_t count = ends->target_count;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(ends->distances, count + 1, "targets")));
    for (int64_t i = 0; i < count && job->distances != NULL; i++) {
        ends->distances[i] = job->distances[ends->targets[i]];
    }
    return halo_bcast(run->world, ends->distances, (size_t)count * sizeof *ends->distances, 0);
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
    const paths_options *given = run->options;
    graph_job *job = run->job;
    bool whole_queue = app_was_given(run, &given->kernel.quota) && given->kernel.quota == 0;
    const halo_search_options options = {.method = job->method,
                                         .detector = run->arguments->decomposition.detector,
                                         .max_distance = given->kernel.max_distance,
                                         .quota = whole_queue ? INT64_MAX : given->kernel.quota};
    progress_phase(&run->progress, "searching");
    halo_stretch stretch = halo_clock_begin(run->world);
    double begun = halo_seconds();
    HALO_TRY(halo_search_run(run->world, job->graph, job->cuts, job->ends.sources,
                             job->ends.source_count, &options, job->own, &job->counts));
    job->seconds = halo_seconds() - begun;
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    HALO_TRY(gather(run));
    measure(job);
    return find_target_distances(run);
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
    paths_ends_free(&job->ends);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Rank 0 has all distances. */
static const void *distance_at(const app_run *run, int64_t vertex)
{
    return &((const graph_job *)run->job)->distances[vertex];
}

static const void *number_at(const app_run *run, int64_t vertex)
{
    return &((const graph_job *)run->job)->numbers[vertex];
}

/* Appends the value of vertex `v` and the end of its line. */
typedef int print_value(const graph_job *job, int64_t v, char *line, size_t size);

/* A table has a head, and the vertex before each value; a text the values alone. */
static halo_status write_values(const app_run *run, const char *path, const char *name,
                                print_value *print, halo_buffer *text)
{
    enum { LINE = 96 };
    const graph_job *job = run->job;
    char line[LINE];
    bool table = halo_table_is_one(path);
    int length = table ? snprintf(line, sizeof line, "vertex,%s\n", name) : 0;
    HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    for (int64_t v = 0; v < job->vertices; v++) {
        length = table ? snprintf(line, sizeof line, "%" PRId64 ",", v + 1) : 0;
        length += print(job, v, line + length, sizeof line - (size_t)length);
        HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    }
    return HALO_OK;
}

/* With as many digits as tell it apart from all others. */
static int print_distance(const graph_job *job, int64_t v, char *line, size_t size)
{
    return snprintf(line, size, "%.17g\n", job->distances[v]);
}

static int print_number(const graph_job *job, int64_t v, char *line, size_t size)
{
    return snprintf(line, size, "%" PRId32 "\n", job->numbers[v]);
}

static halo_status write_distances(app_run *run, const char *path, halo_buffer *text)
{
    return write_values(run, path, "distance", print_distance, text);
}

static halo_status write_numbers(app_run *run, const char *path, halo_buffer *text)
{
    return write_values(run, path, "source", print_number, text);
}

static halo_status find_numbers(graph_job *job)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(job->numbers, job->vertices, "nearest sources"));
    return halo_digraph_nearest(job->whole, job->distances, job->ends.sources,
                                job->ends.source_count, job->numbers);
}

static halo_status find_nearest(app_run *run)
{
    return halo_agree(run->world, app_is_root(run) ? find_numbers(run->job) : HALO_OK);
}

static void release_nearest(app_run *run)
{
    graph_job *job = run->job;
    halo_memory_free(job->numbers);
    job->numbers = NULL;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static halo_status append_path(const graph_job *job, int64_t target, const int32_t *before,
                               halo_buffer *way, halo_buffer *text)
{
    enum { LINE = 128 };
    char line[LINE];
    HALO_TRY(halo_digraph_path(before, job->ends.targets[target], way));
    const int32_t *vertices = (const int32_t *)(const void *)way->data;
    int64_t count = (int64_t)(way->size / sizeof *vertices);
    for (int64_t step = 0; step < count; step++) {
        int32_t v = vertices[step];
        int length = snprintf(line, sizeof line, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%.17g\n",
                              target + 1, step, (int64_t)v + 1, job->distances[v]);
        HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    }
    return HALO_OK;
}

static halo_status write_path(app_run *run, const char *path, halo_buffer *text)
{
    static const char head[] = "target,step,vertex,distance\n";
    const graph_job *job = run->job;
    int32_t *before;
    halo_buffer way = {0};
    (void)path;
    HALO_TRY(halo_buffer_append(text, head, sizeof head - 1));
    HALO_TRY(HALO_ALLOCATE_LARGE(before, job->vertices, "ways back"));
    halo_status status = halo_digraph_trace(job->whole, job->distances, job->ends.sources,
                                            job->ends.source_count, before);
    for (int64_t i = 0; i < job->ends.target_count && status == HALO_OK; i++) {
        if (before[job->ends.targets[i]] >= 0) {
            status = append_path(job, i, before, &way, text);
        }
    }
    halo_buffer_free(&way);
    halo_memory_free(before);
    return status;
}

static const app_writer distance_writers[] = {{APP_ARRAYS, HALO_SAMPLE_F64, .row = distance_at},
                                              {0}};
static const app_writer number_writers[] = {{APP_ARRAYS, HALO_SAMPLE_I32, .row = number_at}, {0}};

static const app_output outputs[] = {
    {.option = offsetof(paths_options, output),
     .phase = "writing",
     .writers = distance_writers,
     .text = write_distances},
    {.option = offsetof(paths_options, nearest),
     .phase = "writing",
     .writers = number_writers,
     .text = write_numbers,
     .prepare = find_nearest,
     .finish = release_nearest},
    {.option = offsetof(paths_options, path), .phase = "writing", .text = write_path},
    {0}};

/* ---- reports --------------------------------------------------------------------------------- */

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
                     (json_int_t)job->arcs, "sources", (json_int_t)job->ends.source_count,
                     "reached_vertices", (json_int_t)job->reached, "farthest", job->farthest,
                     "taken_vertices", (json_int_t)counts->taken, "relaxed_arcs",
                     (json_int_t)counts->relaxed, "improvements", (json_int_t)counts->improved,
                     "queue_bytes", (json_int_t)counts->queue_bytes, "search_seconds", job->seconds,
                     "targets", (json_int_t)job->ends.target_count, "target_distances",
                     paths_ends_json(&job->ends), "network", report_network(job));
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
                                         .outputs = outputs,
                                         .lines = lines,
                                         .speed = speed,
                                         .lists_ranks = true,
                                         .phases = phases,
                                         .own = app_tasks_own,
                                         .facts = facts,
                                         .verdict = paths_ends_verdict,
                                         .destroy = destroy};
