#ifndef HALOBEAT_CLI_CLUSTER_PICTURES_H
#define HALOBEAT_CLI_CLUSTER_PICTURES_H

#include "cli/cluster/job.h"
#include "kernels/cluster/cluster_chunk.h"
#include "kernels/cluster/cluster_means.h"

/* Collective. Write every pixel in its cluster's mean grey or colour, as 8-bit PNG, of greys of 16
 * bits as 16-bit. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status cluster_pictures_mosaic(cli_cluster_job *job, const halo_cluster_means *means,
                                    const char *path);

/* Collective. Write the image, in 8 bits a channel, with lines where clusters meet: one pixel wide,
 * on the upper or the left of both. `colours` has it in red, green and blue, or is NULL for its
 * greys; values go from 0 to `maximum`. */
halo_status cluster_pictures_outline(cli_cluster_job *job, const halo_field *colours,
                                     int64_t maximum, const char *path);

#endif
