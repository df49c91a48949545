#ifndef HALOBEAT_LABEL_SHAPE_UNROLL_H
#define HALOBEAT_LABEL_SHAPE_UNROLL_H

#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/shape_sums.h"

/* Collective. Moments of regions that extend across periodic edges, as if the image were repeated
 * and each region cut out whole; for regions that wind around an axis sets bits in shape_sums.round
 * instead. `painting` (I64) is of the label's last run; its pixels are labelled again without
 * periodic axes, and pieces that touch across an edge are joined. `table`, of shape_sums, has no
 * moments yet; those of this rank's regions are set. Internal to the label kernel. HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status label_unroll(halo_label *label, halo_label_painting *painting, label_by_number *table);

#endif
