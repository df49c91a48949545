#ifndef HALOBEAT_LABEL_REFINE_H
#define HALOBEAT_LABEL_REFINE_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/label_region.h"
#include "partition/cuts.h"

/* Refining foreground before it is labelled, which itself needs labelling. All functions are
 * collective; `partition` cuts the domain, of 2 or 3 axes, into strips or blocks, one per rank;
 * `foreground`, cells of 1 bit of this rank's part, is changed in place. `instructions` as in
 * halo_label_options. HALO_ARGUMENT as of halo_label_create and halo_label_run, HALO_MEMORY,
 * HALO_TRANSPORT; the same on all ranks. */

/* Fills holes: background that is not connected to an edge of the image becomes foreground.
 * Background is connected along one axis at a time, as in scipy.ndimage.binary_fill_holes; edges of
 * a periodic axis are not edges. HALO_ARGUMENT if all axes are periodic. */
halo_status halo_fill_holes(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *foreground,
                            const char *instructions);

/* Keeps only the foreground regions that pass `filter`; with `holes` keeps all of them, and adds
 * the regions of the background that pass it. `connectivity` as in halo_label_options, of the
 * regions that are looked at. */
halo_status halo_keep_regions(halo_world *world, const halo_domain *domain,
                              const halo_partition *partition, const halo_region_filter *filter,
                              int connectivity, bool holes, const halo_view *foreground,
                              const char *instructions);

/* Hysteresis threshold (J. Canny, A computational approach to edge detection, 1986): keeps only
 * foreground regions with a pixel whose grey value is at least `high`. If the foreground is all
 * pixels of at least `low`, and connectivity is 4 or 6, this is
 * skimage.filters.apply_hysteresis_threshold. `grey` has cells of 1, 8 or 16 bits. */
halo_status halo_hysteresis(halo_world *world, const halo_domain *domain,
                            const halo_partition *partition, const halo_view *grey, int64_t high,
                            int connectivity, const halo_view *foreground,
                            const char *instructions);

#endif
