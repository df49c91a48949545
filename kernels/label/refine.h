#ifndef HALOBEAT_LABEL_REFINE_H
#define HALOBEAT_LABEL_REFINE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Foreground pixels made better before they are labelled, by labelling something first. Both are
 * collective; `partition` cuts the domain, of 2 or 3 axes, into strips or blocks, one for each
 * rank; `foreground`, cells of 1 bit of this rank's part, is changed. `instructions` as in
 * halo_label_options. HALO_ARGUMENT as halo_label_create and halo_label_run have it, HALO_MEMORY,
 * HALO_MPI; all ranks get the same. */

/* Background from which no way leads to an edge of the image becomes foreground. Ways go from pixel
 * to pixel along one axis at a time, so that this is scipy.ndimage.binary_fill_holes; edges of a
 * periodic axis are none. HALO_ARGUMENT if all axes are periodic. */
halo_status halo_fill_holes(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *foreground,
                            const char *instructions);

/* Only foreground regions with a pixel whose grey value is at least `high` stay foreground
 * (hysteresis, as in J. Canny: A computational approach to edge detection, 1986): with foreground
 * from `low` on and all neighbours of the fewest, this is
 * skimage.filters.apply_hysteresis_threshold. `grey` has cells of 1, 8 or 16 bits. */
halo_status halo_hysteresis(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *grey, int64_t high,
                            int connectivity, const halo_view *foreground,
                            const char *instructions);

#endif
