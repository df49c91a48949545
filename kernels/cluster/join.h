#ifndef HALOBEAT_KERNELS_CLUSTER_JOIN_H
#define HALOBEAT_KERNELS_CLUSTER_JOIN_H

#include "kernels/cluster/borders.h"

/* Local, pure. Sets superpixel [pieces] to the superpixel of each of `pieces` pieces, as
 * cluster_connect.h defines it, and *after to their number. `areas` ([pieces], pixels) and
 * `borders` are overwritten. HALO_MEMORY, HALO_CANCELLED. Internal to the cluster kernel. */
halo_status cluster_join(int64_t pieces, int64_t *areas, cluster_borders *borders,
                         int64_t min_pixels, int32_t *superpixel, int64_t *after);

#endif
