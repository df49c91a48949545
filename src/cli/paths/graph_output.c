#include "app/outputs.h"
#include "base/memory.h"
#include "base/names.h"
#include "cli/paths/job.h"
#include "core/world/collect.h"
#include "kernels/graph/graph_back.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Rank 0 has all distances, and writes. */

/* ---- values of vertices ---------------------------------------------------------------------- */

static halo_status fill_distances(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const graph_job *job = ((const app_run *)context)->job;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, &job->distances[first + i], sizeof(double));
    }
    return HALO_OK;
}

static halo_status fill_numbers(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const graph_job *job = ((const app_run *)context)->job;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, &job->numbers[first + i], sizeof(int32_t));
    }
    return HALO_OK;
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
    bool table = halo_name_ends(path, ".csv");
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
    return halo_digraph_nearest(job->whole, job->distances, job->sources, job->source_count,
                                job->numbers);
}

static halo_status find_nearest(app_run *run)
{
    bool root = halo_world_rank(run->world) == 0;
    return halo_agree(run->world, root ? find_numbers(run->job) : HALO_OK);
}

static void release_nearest(app_run *run)
{
    graph_job *job = run->job;
    halo_memory_free(job->numbers);
    job->numbers = NULL;
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

static halo_status write_path(app_run *run, const char *path, halo_buffer *text)
{
    static const char head[] = "target,step,vertex,distance\n";
    const graph_job *job = run->job;
    int32_t *before;
    halo_buffer way = {0};
    (void)path;
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

static const app_writer distance_writers[] = {{".npy", HALO_NPY_F64, .fill = fill_distances}, {0}};
static const app_writer number_writers[] = {{".npy", HALO_NPY_I32, .fill = fill_numbers}, {0}};

const app_output paths_graph_outputs[] = {
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
