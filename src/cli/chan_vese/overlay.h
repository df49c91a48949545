#ifndef HALOBEAT_CLI_CHAN_VESE_OVERLAY_H
#define HALOBEAT_CLI_CHAN_VESE_OVERLAY_H

#include "cli/chan_vese/job.h"

/* Collective. Write --overlay: the picture, in its colours, and on it the pixels inside that have a
 * neighbour outside. */
halo_status chan_vese_overlay_write(chan_vese_job *job);

#endif
