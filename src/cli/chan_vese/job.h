#ifndef HALOBEAT_CLI_CHAN_VESE_JOB_H
#define HALOBEAT_CLI_CHAN_VESE_JOB_H

#include "app/balance.h"
#include "app/image.h"
#include "app/run_loop.h"
#include "app/stencil/movie.h"
#include "cli/chan_vese/checkpoint.h"
#include "kernels/chan_vese/chan_vese.h"

/* `halobeat chan-vese` from the file to the files: read and distribute, beat, write. */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    app_options *given;
    const chan_vese_arguments *arguments;
    cli_image image;
    chan_vese_checkpoint saved; /* what the run goes on from */
    halo_chan_vese_options options;
    halo_kernel kernel;
    halo_beat *beat;
    cli_course course;
    int64_t changed; /* pixels, by the last beat; -1: there was none */
    run_picture picture;
    run_film film;
    progress progress;
    halo_clock clock; /* reading and writing; the beats have their own */
    double seconds;   /* the whole job, on this rank */
} chan_vese_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to all that it is given. */
halo_status chan_vese_job_run(chan_vese_job *job, halo_world *world, cli_balance *balance,
                              app_options *given, const chan_vese_arguments *arguments);

/* Local. */
void chan_vese_job_free(chan_vese_job *job);

/* Local. Beats done so far, those before a checkpoint included. */
int64_t chan_vese_job_beats(const chan_vese_job *job);

/* Local. Why the beats ended, in words. */
const char *chan_vese_job_ending(const chan_vese_job *job);

#endif
