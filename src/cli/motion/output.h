#ifndef HALOBEAT_CLI_MOTION_OUTPUT_H
#define HALOBEAT_CLI_MOTION_OUTPUT_H

#include "cli/motion/job.h"

/* Collective. Can all files be made, and are they all different, from the frames too? Before any
 * work is done, once it is known what frames there are. `begin` is the first one. */
halo_status motion_output_check(cli_motion_job *job, int64_t begin);

/* Local, the same on all ranks, once a frame is open. Does its flow fit in the file that was asked
 * for? HALO_ARGUMENT. */
halo_status motion_output_fits(const cli_motion_job *job);

/* Collective. Write the files of the pair that begins with the frame `index`. */
halo_status motion_output_write(cli_motion_job *job, int64_t index);

#endif
