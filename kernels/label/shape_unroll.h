#ifndef HALOBEAT_LABEL_SHAPE_UNROLL_H
#define HALOBEAT_LABEL_SHAPE_UNROLL_H

#include "kernels/label/by_number.h"
#include "kernels/label/shape_sums.h"

/* Collective. Moments of regions that reach across edges of periodic axes, as if the image was
 * repeated and each region cut out whole; regions that go round an axis have bits in
 * shape_sums.round instead. `painting` (I64) is of the label's last run, whose pixels are labelled
 * once more, without periodic axes: what touches across an edge is then put beside each other.
 * `table`, of shape_sums, has no moments yet; those of this rank's regions are filled in. Internal
 * to the label kernel. HALO_MEMORY, HALO_MPI. */
halo_status label_unroll(halo_label *label, halo_label_painting *painting, label_by_number *table);

#endif
