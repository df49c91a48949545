#ifndef HALOBEAT_CLI_SNAKE_OVERLAY_H
#define HALOBEAT_CLI_SNAKE_OVERLAY_H

#include "cli/snake/job.h"

/* Collective. Write --overlay: the picture, with thin lines where the contours began and
 * strong ones where they are. Every rank draws the rows it has of the picture. */
halo_status snake_overlay_write(snake_job *job);

#endif
