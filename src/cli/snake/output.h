#ifndef HALOBEAT_CLI_SNAKE_OUTPUT_H
#define HALOBEAT_CLI_SNAKE_OUTPUT_H

#include "cli/snake/job.h"

/* Collective. Can all files that were asked for be made? Before any work is done. */
halo_status snake_output_check(snake_job *job);

/* Collective. Write --gradient, if it was asked for: greys up to the steepest slope's white. */
halo_status snake_output_gradient(snake_job *job, const halo_view *gradient);

/* Collective. Write the contours, where they are, and the picture with them. */
halo_status snake_output_write(snake_job *job);

#endif
