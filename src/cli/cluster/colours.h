#ifndef HALOBEAT_CLI_CLUSTER_COLOURS_H
#define HALOBEAT_CLI_CLUSTER_COLOURS_H

#include "cli/cluster/job.h"

/* The image in red, green and blue, which the beats do not keep. */

/* Local, the same on all ranks. Are results in colour: of an image that has colours, or was asked
 * to be seen so? */
bool cluster_colours_has(const cli_cluster_job *job);

/* Collective. Read the image into strips by `cuts`, as L, a and b: cells of `into`. Errors as
 * cli_image_read. */
halo_status cluster_colours_read_lab(cli_cluster_job *job, const int64_t *cuts,
                                     const halo_view *into);

#endif
