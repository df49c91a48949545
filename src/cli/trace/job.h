#ifndef HALOBEAT_CLI_TRACE_JOB_H
#define HALOBEAT_CLI_TRACE_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "base/memory.h"
#include "core/tasks/tasks.h"
#include "kernels/trace/trace.h"

typedef struct {
    app_arguments all;
    const char *scene, *output, *heat; /* names of files; NULL: not asked for */
    int64_t size[2];                   /* width, height; 0: as the scene says */
    int64_t subpixels, depth;
    double cutoff, ambient;
} trace_options;

/* Header of the message with a tile's pixels. */
typedef struct {
    halo_trace_counts counts;
} trace_head;

typedef struct {
    app_run *run;
    halo_buffer text; /* the scene, on all ranks */
    halo_trace_scene *scene;
    int64_t line, empty_line; /* the line of a shape; of the first one without area */
    int64_t width, height;
    double read_seconds, tree_seconds; /* on this rank */
    halo_trace *trace;
    int64_t tiles;
    int64_t *cuts; /* [ranks + 1]: rank 0 has all rows */

    /* Simulated machines: what tiles cost here. [tiles] */
    int64_t *own_steps;

    /* Rank 0. */
    unsigned char *pixels; /* [3 * width * height] */
    int64_t *steps;        /* [tiles] */
    halo_trace_counts counts;
} trace_job;

/* Collective. Read the scene, and, of what the options leave open, its size. HALO_FILE,
 * HALO_FORMAT. */
halo_status trace_read_scene(app_run *run);

/* The functions of halo_tasks_options. */
halo_status trace_run_tiles(void *context, halo_task_range *range);
halo_status trace_collect(void *context, int64_t task, const void *data, size_t bytes);
double trace_flops(void *context, int64_t task);

extern const app_output trace_outputs[];

/* Local, on rank 0. What is reported of what tiles cost; NULL for want of memory. */
json_t *trace_cost_facts(const trace_job *job);

#endif
