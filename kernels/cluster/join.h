#ifndef HALOBEAT_KERNELS_CLUSTER_JOIN_H
#define HALOBEAT_KERNELS_CLUSTER_JOIN_H

#include "base/status.h"

#include <stdint.h>

/* Two pieces that touch. */
typedef struct {
    int32_t first, second; /* of all pieces, from 0; first < second */
    int64_t faces;         /* pixel faces that both share */
} cluster_border;

/* Local, pure. Sets superpixel [pieces] to the superpixel of each of `pieces` pieces, as
 * cluster_connect.h defines it, and *after to their number. `areas` ([pieces], pixels) and
 * `borders` ([count], each pair one or more times) are overwritten. HALO_MEMORY. Internal to the
 * cluster kernel. */
halo_status cluster_join(int64_t pieces, int64_t *areas, cluster_border *borders, int64_t count,
                         int64_t min_pixels, int32_t *superpixel, int64_t *after);

#endif
