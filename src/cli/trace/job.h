#ifndef HALOBEAT_CLI_TRACE_JOB_H
#define HALOBEAT_CLI_TRACE_JOB_H

#include "app/run.h"
#include "base/memory.h"
#include "kernels/trace/trace.h"

typedef struct {
    app_arguments all;
    const char *scene, *output, *heat; /* names of files; NULL: not asked for */
    int64_t size[2];                   /* width, height; 0: as the scene says */
    int64_t subpixels, depth;
    double cutoff, ambient;
} trace_options;

typedef struct {
    app_run *run;
    halo_buffer text; /* the scene, on all ranks */
    halo_trace_scene *scene;
    int64_t line, empty_line; /* the line of a shape; of the first one without area */
    int64_t width, height;
    double read_seconds, tree_seconds; /* on this rank */
    halo_trace *trace;
    int64_t tiles;

    /* Rank 0. */
    unsigned char *pixels; /* [3 * width * height] */
    int64_t *steps;        /* [tiles] */
    halo_trace_counts counts;
} trace_job;

/* Collective. Read the scene, and, of what the options leave open, its size. HALO_FILE,
 * HALO_FORMAT. */
halo_status trace_read_scene(app_run *run);

#endif
