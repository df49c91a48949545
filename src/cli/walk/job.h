#ifndef HALOBEAT_CLI_WALK_JOB_H
#define HALOBEAT_CLI_WALK_JOB_H

#include "app/image/spacing.h"
#include "app/outputs.h"
#include "app/run.h"
#include "app/services/tasks.h"
#include "cli/threshold.h"
#include "kernels/filter/chain.h"
#include "kernels/walk/walk.h"
#include "kernels/walk/walk_estimate.h"

typedef struct {
    app_arguments all;
    int64_t walkers, steps, every, shown;
    halo_walk_edge_choice edges;
    halo_walk_options walk; /* conductivity, flow, seed */
    app_spacing spacing;
    threshold_choice threshold;
    bool invert;
    const char *mask_filter;                  /* or NULL */
    const char *output, *plot, *trajectories; /* or NULL */
} walk_options;

typedef struct {
    halo_walk *walk;
    halo_walk_options options;
    halo_walk_facts facts;
    uint64_t *fluid; /* [rows][words]: a bit a cell, on all ranks */
    int64_t row_words;
    uint64_t *missing;             /* [row_words] of a row, while the medium is read */
    filter_chain *mask_filter;     /* of the fluid, or NULL; and then */
    uint64_t *gaps;                /* [rows][words] pixels that are missing; NULL: none is */
    uint64_t signature;            /* of its samples, on rank 0 */
    cli_threshold_range threshold; /* of fluid cells */
    int64_t every;                 /* steps from one record to the next */
    char digest[2 * sizeof(uint64_t) + 1]; /* of the image, for the journal */
    /* Rank 0, while trajectories are drawn. */
    int32_t (*places)[HALO_WALK_AXES]; /* [walkers][steps + 1] */
    halo_canvas_point *points;         /* [steps + 1] of a line */
} walk_job;

/* Local, on rank 0: the facts of the summary and of JSON, and the lines and tables of them. */
json_t *walk_facts(app_run *run, json_t *texts);
extern const app_line walk_lines[];
extern const app_listing walk_listings[];

extern const app_output walk_outputs[];

/* Collective. Filters the medium's bits, which are those of rank 0, by job->mask_filter. Pixels
 * that are missing stay solid. Errors as of halo_filter_run_bits. */
halo_status walk_filter_fluid(app_run *run);

#endif
