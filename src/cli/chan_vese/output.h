#ifndef HALOBEAT_CLI_CHAN_VESE_OUTPUT_H
#define HALOBEAT_CLI_CHAN_VESE_OUTPUT_H

#include "cli/chan_vese/job.h"

/* Collective, before any work is done. Can all files be made, and are they all different? */
halo_status chan_vese_output_check(const chan_vese_job *job);

/* Collective. Write what was asked for. */
halo_status chan_vese_output_write(chan_vese_job *job);

#endif
