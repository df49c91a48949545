#ifndef HALOBEAT_CLI_CLUSTER_JOB_H
#define HALOBEAT_CLI_CLUSTER_JOB_H

#include "app/balance.h"
#include "app/image.h"
#include "app/progress.h"
#include "app/run_loop.h"
#include "cli/cluster/checkpoint.h"
#include "cli/cluster/options.h"
#include "core/beat/beat.h"
#include "kernels/cluster/cluster.h"

/* `halobeat cluster` from the file to the files: read and distribute, beat, write. */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    app_options *given;
    const cluster_arguments *arguments;
    cli_image image;
    cluster_checkpoint saved; /* what the run goes on from */
    halo_cluster_options options;
    halo_kernel kernel;
    halo_beat *beat;
    int64_t few; /* pixels; a beat that changes no more of them is the last one */
    cli_course course;
    int64_t changed; /* pixels that went to another cluster in the last beat; -1: there was none */
    double inertia;  /* squares of distances to the mean of the own cluster, summed over pixels */
    progress progress;
    halo_clock clock; /* reading and writing; the beats have their own */
    double seconds;   /* the whole job, on this rank */
} cli_cluster_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to all that it is given. */
halo_status cluster_job_run(cli_cluster_job *job, halo_world *world, cli_balance *balance,
                            app_options *given, const cluster_arguments *arguments);

/* Local. */
void cluster_job_free(cli_cluster_job *job);

/* Local. Beats done so far, those before a checkpoint included. */
int64_t cluster_job_beats(const cli_cluster_job *job);

/* Local. Why the beats ended, in words. */
const char *cluster_job_ending(const cli_cluster_job *job);

#endif
