#ifndef HALOBEAT_CLI_MOTION_JOB_H
#define HALOBEAT_CLI_MOTION_JOB_H

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
    int64_t clusters;
    app_optional_integer radius;
    double weight;
    halo_motion_options motion; /* all others */
    double arrow_scale;
    filename_pattern output, vectors, arrows; /* `text` is NULL where it was not asked for */
} motion_options;

/* Which files are the frames. They count from 0 here; each has a number too, which is in the names
 * of files: the one in its own, or its place in a list of names from 1 on. */
typedef struct {
    const char *const *list; /* or NULL: */
    const filename_pattern *pattern;
    int64_t first; /* number of frame 0 */
    int64_t count;
} motion_frames;

/* A beat of the run is a pair of frames; the later one of them is run->image, the earlier one, if
 * it is drawn on, run->samples. */
typedef struct {
    halo_motion_options options; /* complete */
    motion_frames frames;
    bool sequence;            /* more than one pair */
    char name[FILENAME_SIZE]; /* of run->image */
    halo_motion *motion;
    halo_motion_figures *figures; /* of this run's pairs */
    double pair_seconds;          /* clustering and matching, on this rank */
    float *row;                   /* of flow, and the square of the longest vector, */
    int64_t max_square;           /* ... while colours are written */
} motion_job;

/* Collective. Find the frames: those from run->first_beat on must be there. HALO_FILE, naming the
 * one that is missing; HALO_ARGUMENT where the checkpoint is beyond the last one, or began with
 * another one than is asked for. */
halo_status motion_find_frames(app_run *run);

/* Local. Name of a frame's file, in `out` or elsewhere. */
const char *motion_frame_name(const motion_frames *frames, int64_t index, char out[FILENAME_SIZE]);

/* Local, once the frames are found. Add them and the files of all pairs. HALO_ARGUMENT where pairs
 * would need more names than they have, HALO_MEMORY. */
halo_status motion_add_files(const app_run *run, app_files *files);

/* Local, on rank 0, for --resume. Are the files of the pairs before the checkpoint there, which are
 * not computed again? HALO_FILE. */
halo_status motion_check_earlier(const app_run *run);

/* Local, the same on all ranks, once a frame is open. Does its flow fit in the file that was asked
 * for? HALO_ARGUMENT. */
halo_status motion_check_flow(const app_run *run);

/* Local. Keep this rank's rows of the frame that was read as run->samples, if arrows are drawn on
 * it. HALO_MEMORY. */
halo_status motion_keep_earlier(app_run *run);

/* Collective. Write the files of the pair that begins with the frame `index`. */
halo_status motion_write_files(app_run *run, int64_t index);

extern const app_syntax motion_syntax;
extern const app_output motion_outputs[];

/* Local, on rank 0: see app_command. */
json_t *motion_facts(app_run *run, json_t *texts);

extern const app_line motion_lines[];
extern const app_listing motion_listings[];

#endif
