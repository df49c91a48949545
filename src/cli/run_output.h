#ifndef HALOBEAT_CLI_RUN_OUTPUT_H
#define HALOBEAT_CLI_RUN_OUTPUT_H

#include "cli/run_job.h"

/* Local, the same on all ranks, before any work is done. Can the cells become the file that is
 * wished for? HALO_ARGUMENT. */
halo_status run_output_check(const run_job *job);

/* Collective. Write it, if there is one. */
halo_status run_output_write(run_job *job);

#endif
