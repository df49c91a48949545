#ifndef HALOBEAT_CLI_MOTION_CHECKPOINT_H
#define HALOBEAT_CLI_MOTION_CHECKPOINT_H

#include "cli/motion/job.h"

/* How far a sequence is: the clusters' centres in the last frame, and what else the next pairs
 * depend on. The last frame itself is read again, and must be the same. */

/* Collective. Open what is to be restored, if anything is: job->options and job->centres are then
 * as it has them, *pairs are done, and *first is the number of the first frame of all; else 0 and
 * -1. HALO_ARGUMENT where other options were asked for, HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status motion_checkpoint_open(cli_motion_job *job, int64_t *pairs, int64_t *first);

/* Collective, before the first frame is read, with the motion created. */
halo_status motion_checkpoint_restore(cli_motion_job *job);

/* Local, after the first frame was read: is it the one that the checkpoint was made with? */
halo_status motion_checkpoint_check_frame(const cli_motion_job *job);

/* Collective. Save how far it is; the same bytes for every number of ranks. Nothing happens before
 * the first pair, when there is nothing to save. */
halo_status motion_checkpoint_write(cli_motion_job *job);

#endif
