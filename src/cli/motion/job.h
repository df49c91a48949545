#ifndef HALOBEAT_CLI_MOTION_JOB_H
#define HALOBEAT_CLI_MOTION_JOB_H

#include "app/image/frames.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "base/filename_pattern.h"
#include "kernels/motion/motion_figures.h"

typedef struct {
    /* Its balancer is in `motion`: no boundary moves. Its images are the frames: two or more names
     * of files, or one pattern of such names. */
    app_arguments all;
    filename_pattern pattern; /* if there is one */
    int64_t first;            /* number of the first frame; -1: not given */
    int64_t count;            /* frames of a numbered sequence; 0: not given */
    halo_optional_integer radius;
    double weight;
    halo_motion_options motion; /* all others */
    double arrow_scale;
    filename_pattern output, vectors, arrows; /* `text` is NULL where it was not asked for */
} motion_options;

/* A beat of the run is a pair of frames; the later one of them is run->image, the earlier one, if
 * it is drawn on, run->samples. */
typedef struct {
    halo_motion_options options; /* complete */
    app_frames frames;
    bool sequence; /* more than one pair */
    halo_motion *motion;
    halo_motion_figures *figures; /* of this run's pairs */
    double pair_seconds;          /* clustering and matching, on this rank */
    float *row;                   /* of flow, and the square of the longest vector, */
    int64_t max_square;           /* ... while colours are written */
} motion_job;

/* Local. Keep this rank's rows of the frame that was read as run->samples, if arrows are drawn on
 * it. HALO_MEMORY. */
halo_status motion_keep_earlier(app_run *run);

/* Local, the same on all ranks, once a frame is open. Does its flow fit in the file that was asked
 * for? HALO_ARGUMENT. */
halo_status motion_check_flow(const app_run *run);

extern const app_output motion_outputs[];

/* Local, on rank 0: see app_command. */
json_t *motion_facts(app_run *run, json_t *texts);

extern const app_line motion_lines[];
extern const app_listing motion_listings[];

#endif
