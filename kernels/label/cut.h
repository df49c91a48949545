#ifndef HALOBEAT_LABEL_CUT_H
#define HALOBEAT_LABEL_CUT_H

#include "core/field/field.h"
#include "kernels/label/label_value.h"
#include "partition/cuts.h"

/* Cutting an image for labelling. All functions are local. Internal to the label kernel. */

/* HALO_ARGUMENT for a partition that does not give each rank a part of the domain. */
halo_status label_cut_check(const halo_partition *partition, const halo_domain *domain, int ranks);

/* The partition for `decomposition` (see halo_label_options) and pixels given in the partition
 * `given`; a copy of `given` if they need not move. The caller frees it. HALO_ARGUMENT,
 * HALO_MEMORY. */
halo_status label_cut(halo_partition *out, const halo_domain *domain, const halo_partition *given,
                      const char *decomposition);

/* HALO_ARGUMENT unless the pixels are those of the box `own`, with the right cell sizes. `grey` has
 * values of that type; with HALO_LABEL_NONE it may be NULL. */
halo_status label_cut_check_pixels(const halo_box *own, const halo_view *foreground,
                                   const halo_view *grey, halo_sample_type type);

#endif
