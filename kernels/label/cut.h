#ifndef HALOBEAT_LABEL_CUT_H
#define HALOBEAT_LABEL_CUT_H

#include "core/field/field.h"
#include "kernels/label/label_value.h"
#include "partition/cuts.h"

/* How an image is cut to be labelled. All functions are local. Internal to the label kernel. */

/* HALO_ARGUMENT for a partition that does not cut the domain into a part for each rank. */
halo_status label_cut_check(const halo_partition *partition, const halo_domain *domain, int ranks);

/* What `decomposition` asks for (see halo_label_options), for pixels that are given as `given`
 * says; `given` itself where they may stay as they are. The caller frees the partition.
 * HALO_ARGUMENT, HALO_MEMORY. */
halo_status label_cut(halo_partition *out, const halo_domain *domain, const halo_partition *given,
                      const char *decomposition);

/* Are these the pixels that `partition` gives to `rank`? HALO_ARGUMENT for another part of the
 * image and for cells of other sizes. `grey` are values of that type; of ALIKE it may be NULL. */
halo_status label_cut_check_pixels(const halo_partition *partition, int rank,
                                   const halo_view *foreground, const halo_view *grey,
                                   halo_label_value type);

#endif
