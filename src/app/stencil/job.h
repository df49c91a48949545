#ifndef HALOBEAT_APP_STENCIL_JOB_H
#define HALOBEAT_APP_STENCIL_JOB_H

#include "app/balance.h"
#include "app/progress.h"
#include "app/run_loop.h"
#include "app/stencil/movie.h"
#include "app/stencil/source.h"
#include "core/beat/beat.h"

/* Any kernel from its first cells to the files. */

typedef struct {
    halo_world *world;
    cli_balance *balance;
    const app_options *given;
    const run_arguments *arguments;
    const halo_kernel *kernel;
    run_source source;
    halo_beat *beat;
    int beats_per_exchange; /* beats an exchange lasts for */
    run_picture picture;    /* where one was asked for */
    run_film film;
    cli_course course;
    progress progress;
    halo_clock clock; /* reading, pictures, writing; the beats have their own */
    double seconds;   /* the whole job, on this rank */
} run_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to all that it is given. */
halo_status run_job_run(run_job *job, halo_world *world, cli_balance *balance,
                        const app_options *given, const run_arguments *arguments,
                        const halo_kernel *kernel);

/* Local. */
void run_job_free(run_job *job);

/* Local. Beats done so far, those before a checkpoint included. */
int64_t run_job_beats(const run_job *job);

#endif
