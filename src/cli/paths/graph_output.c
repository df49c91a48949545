#include "app/outputs.h"
#include "app/report/report.h"
#include "base/memory.h"
#include "base/names.h"
#include "cli/paths/graph.h"
#include "core/move/scatter_gather.h"
#include "io/array/npy_write.h"
#include "kernels/graph/graph_back.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rank 0 has all distances, and writes. */

/* ---- tables and arrays ----------------------------------------------------------------------- */

/* The line of vertex `v`. */
typedef int print_value(char *line, size_t size, const void *values, int64_t v);

/* Values of vertices. Distances have as many digits as tell them apart from all others. */
typedef struct {
    const char *name;
    halo_npy_type type;
    print_value *print;
    const void *values; /* [vertices], on rank 0 */
    int64_t vertices;
} vertex_values;

static int print_distance(char *line, size_t size, const void *values, int64_t v)
{
    return snprintf(line, size, "%.17g\n", ((const double *)values)[v]);
}

static int print_number(char *line, size_t size, const void *values, int64_t v)
{
    return snprintf(line, size, "%" PRId32 "\n", ((const int32_t *)values)[v]);
}

static halo_status fill_array(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const vertex_values *of = context;
    size_t bytes = halo_npy_types[of->type].bytes;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch,
               (const char *)of->values + (size_t)(first + i) * bytes, bytes);
    }
    return HALO_OK;
}

static halo_status write_array(app_run *run, const char *path, vertex_values *of)
{
    const halo_npy_header header = {
        .width = 1, .height = of->vertices, .type = of->type, .axes = 1};
    int ranks = halo_world_ranks(run->world);
    int64_t *cuts;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(cuts, ranks + 1, "an array")));
    for (int r = 1; r <= ranks; r++) {
        cuts[r] = of->vertices;
    }
    halo_status status = halo_npy_write(run->world, path, &header, cuts,
                                        &(halo_rows){.fill = fill_array, .context = of});
    free(cuts);
    return status;
}

/* With `numbered`, a head, and the vertex before each value. */
static halo_status make_text(const vertex_values *of, bool numbered, halo_buffer *text)
{
    enum { LINE = 96 };
    char line[LINE];
    int length = numbered ? snprintf(line, sizeof line, "vertex,%s\n", of->name) : 0;
    HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    for (int64_t v = 0; v < of->vertices; v++) {
        length = numbered ? snprintf(line, sizeof line, "%" PRId64 ",", v + 1) : 0;
        length += of->print(line + length, sizeof line - (size_t)length, of->values, v);
        HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    }
    return HALO_OK;
}

static halo_status write_values(app_run *run, const char *path, vertex_values *of)
{
    if (halo_name_ends(path, ".npy")) {
        return write_array(run, path, of);
    }
    halo_buffer text = {0};
    bool root = halo_world_rank(run->world) == 0;
    halo_status made = root ? make_text(of, halo_name_ends(path, ".csv"), &text) : HALO_OK;
    halo_status status = report_save_text(run->world, path, made, &text);
    halo_buffer_free(&text);
    return status;
}

static halo_status write_distances(app_run *run, const char *path)
{
    const graph_job *job = run->job;
    return write_values(run, path,
                        &(vertex_values){.name = "distance",
                                         .type = HALO_NPY_F64,
                                         .print = print_distance,
                                         .values = job->distances,
                                         .vertices = job->vertices});
}

static halo_status write_nearest(app_run *run, const char *path)
{
    const graph_job *job = run->job;
    int32_t *numbers = NULL;
    halo_status status = HALO_OK;
    if (halo_world_rank(run->world) == 0) {
        status = HALO_ALLOCATE_LARGE(numbers, job->vertices, "nearest sources");
        status = status == HALO_OK ? halo_digraph_nearest(job->whole, job->distances, job->sources,
                                                          job->source_count, numbers)
                                   : status;
    }
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        status = write_values(run, path,
                              &(vertex_values){.name = "source",
                                               .type = HALO_NPY_I32,
                                               .print = print_number,
                                               .values = numbers,
                                               .vertices = job->vertices});
    }
    halo_memory_free(numbers);
    return status;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* From the source to the target; `before` is of halo_digraph_trace. */
static halo_status append_path(const graph_job *job, int64_t target, const int32_t *before,
                               halo_buffer *way, halo_buffer *text)
{
    enum { LINE = 128 };
    char line[LINE];
    way->size = 0;
    for (int32_t v = (int32_t)job->targets[target];; v = before[v]) {
        HALO_TRY(halo_buffer_append(way, &v, sizeof v));
        if (before[v] == v) {
            break;
        }
    }
    const int32_t *vertices = (const int32_t *)(const void *)way->data;
    int64_t count = (int64_t)(way->size / sizeof *vertices);
    for (int64_t step = 0; step < count; step++) {
        int32_t v = vertices[count - 1 - step];
        int length = snprintf(line, sizeof line, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%.17g\n",
                              target + 1, step, (int64_t)v + 1, job->distances[v]);
        HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    }
    return HALO_OK;
}

static halo_status make_paths(const graph_job *job, halo_buffer *text)
{
    static const char head[] = "target,step,vertex,distance\n";
    int32_t *before;
    halo_buffer way = {0};
    HALO_TRY(halo_buffer_append(text, head, sizeof head - 1));
    HALO_TRY(HALO_ALLOCATE_LARGE(before, job->vertices, "ways back"));
    halo_status status =
        halo_digraph_trace(job->whole, job->distances, job->sources, job->source_count, before);
    for (int64_t i = 0; i < job->target_count && status == HALO_OK; i++) {
        if (before[job->targets[i]] >= 0) {
            status = append_path(job, i, before, &way, text);
        }
    }
    halo_buffer_free(&way);
    halo_memory_free(before);
    return status;
}

static halo_status write_path(app_run *run, const char *path)
{
    halo_buffer text = {0};
    bool root = halo_world_rank(run->world) == 0;
    halo_status made = root ? make_paths(run->job, &text) : HALO_OK;
    halo_status status = report_save_text(run->world, path, made, &text);
    halo_buffer_free(&text);
    return status;
}

const app_output paths_graph_outputs[] = {
    {.option = offsetof(paths_options, output), .phase = "writing", .write = write_distances},
    {.option = offsetof(paths_options, nearest), .phase = "writing", .write = write_nearest},
    {.option = offsetof(paths_options, path), .phase = "writing", .write = write_path},
    {0}};
