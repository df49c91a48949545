#ifndef HALOBEAT_CLI_MOTION_ARROWS_H
#define HALOBEAT_CLI_MOTION_ARROWS_H

#include "cli/motion/job.h"

/* Local. Keep this rank's rows of the frame that was read, to draw on them. HALO_MEMORY. */
halo_status motion_arrows_keep(cli_motion_job *job);

/* Collective. The vectors as arrows on the earlier frame, in the colours of the flow. */
halo_status motion_arrows_write(cli_motion_job *job, const char *path);

#endif
