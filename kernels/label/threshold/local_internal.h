#ifndef HALOBEAT_LABEL_LOCAL_INTERNAL_H
#define HALOBEAT_LABEL_LOCAL_INTERNAL_H

#include "kernels/label/threshold/threshold.h"

/* Local thresholds in parts. Internal to the label kernel. */

/* Local, the same on all ranks. Errors of halo_threshold_local, but for memory and messages. */
halo_status label_local_check(const halo_domain *domain, const halo_partition *partition,
                              const halo_view *grey, const halo_local_threshold *options);

/* Pixels beside the rows of a transposed field (halo_local_threshold.transposed): those of the
 * strips before and behind this one. Zero-initialise it. */
typedef struct {
    void *before, *behind; /* `radius` pixels for each row, one row after the other; NULL at an end
                            * of the image that is mirrored */
    void *memory;
} label_local_sides;

/* Collective. Every strip of `partition` that is not empty has `radius` pixels or more.
 * HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_local_sides_create(label_local_sides *sides, halo_world *world,
                                     const halo_partition *partition, const halo_view *grey,
                                     int64_t radius, bool periodic);

/* Local. Accepts a zeroed one. */
void label_local_sides_free(label_local_sides *sides);

#endif
