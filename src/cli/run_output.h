#ifndef HALOBEAT_CLI_RUN_OUTPUT_H
#define HALOBEAT_CLI_RUN_OUTPUT_H

#include "cli/run_job.h"

/* Collective. Write it, if there is one. */
halo_status run_output_write(run_job *job);

#endif
