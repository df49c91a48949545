#ifndef HALOBEAT_CLI_MOTION_JOB_H
#define HALOBEAT_CLI_MOTION_JOB_H

#include "app/balance.h"
#include "app/image.h"
#include "app/progress.h"
#include "app/run_loop.h"
#include "cli/motion/frames.h"
#include "core/file/checkpoint.h"
#include "kernels/motion/motion_figures.h"

/* `halobeat motion` from frames to files, a pair of frames in each of the course's beats. */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    const app_options *given;
    const motion_arguments *arguments;
    halo_motion_options options; /* as asked for, or as the checkpoint has them */
    motion_frames frames;
    cli_image image;          /* the last one that was read, */
    char name[NUMBERED_SIZE]; /* and its name */
    bool sequence;            /* more than one pair */
    halo_motion *motion;
    void *earlier;        /* the earlier frame's rows of this rank, where they are drawn on */
    size_t earlier_pitch; /* bytes */
    cli_course course;
    progress progress;
    progress hidden;              /* of a sequence, each frame has no line of its own */
    halo_motion_figures *figures; /* of pairs [course.end - course.begin], on rank 0 */
    halo_clock clock;             /* reading and writing; the motion has its own */
    double pair_seconds;          /* clustering and matching, on this rank */
    double seconds;               /* the whole job, on this rank */
    /* From a checkpoint. */
    halo_checkpoint_reader *reader;
    json_t *saved;               /* its options */
    halo_motion_centre *centres; /* [clusters] */
} cli_motion_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to `world`, `balance` and `arguments`. */
halo_status cli_motion_run(cli_motion_job *job, halo_world *world, cli_balance *balance,
                           const app_options *given, const motion_arguments *arguments);

/* Local. */
void cli_motion_free(cli_motion_job *job);

/* Local. Pairs done, those before a checkpoint included. */
int64_t cli_motion_pairs(const cli_motion_job *job);

#endif
