#ifndef HALOBEAT_CLI_CHAN_VESE_INIT_H
#define HALOBEAT_CLI_CHAN_VESE_INIT_H

#include "cli/chan_vese/job.h"

/* Collective. Fill in the level set to begin with. HALO_ARGUMENT for a file that is not of the
 * picture's size, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI. */
halo_status chan_vese_init_fill(chan_vese_job *job);

/* Local. It in words; "" if a checkpoint has it. */
enum { CHAN_VESE_INIT_TEXT = 200 };
void chan_vese_init_print(const chan_vese_job *job, char text[CHAN_VESE_INIT_TEXT]);

#endif
