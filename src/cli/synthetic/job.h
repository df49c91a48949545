#ifndef HALOBEAT_CLI_SYNTHETIC_JOB_H
#define HALOBEAT_CLI_SYNTHETIC_JOB_H

#include "app/balance.h"
#include "app/progress.h"
#include "cli/synthetic/options.h"

/* `halobeat synthetic`: beat, then check. */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    const synthetic_arguments *arguments;
    halo_partition partition; /* in the beginning */
    halo_synthetic *synthetic;
    halo_synthetic_facts facts;
    halo_synthetic_verdict verdict;
    double run_seconds, check_seconds, seconds; /* beats, checking, everything; on this rank */
    progress progress;
} cli_synthetic_job;

/* Collective. Returns the same status on all ranks; HALO_OK also if the verdict is that the result
 * is wrong. `job` must be freed in any case; it refers to what it is given. */
halo_status cli_synthetic_run(cli_synthetic_job *job, halo_world *world, cli_balance *balance,
                              const synthetic_arguments *arguments);

/* Local. */
void cli_synthetic_free(cli_synthetic_job *job);

#endif
