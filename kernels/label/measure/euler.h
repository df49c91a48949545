#ifndef HALOBEAT_LABEL_EULER_H
#define HALOBEAT_LABEL_EULER_H

#include "kernels/label/label.h"

/* Euler numbers of regions: objects less holes in two axes; objects less tunnels plus cavities in
 * three. Pixels are closed squares and voxels closed cubes, so that those which share a corner are
 * connected, as in scikit-image's regionprops. Sums are integers. */

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan). Sets *out [*count] to the Euler numbers of the regions of
 * halo_label_regions on this rank, in the same order; the caller frees it with halo_memory_free.
 * Edges of the image do not touch. Takes memory for a plane of labels, of an image for a row.
 * HALO_ARGUMENT for another numbering, a label without `measure`, or periodic axes; HALO_MEMORY,
 * HALO_TRANSPORT; the same on all ranks. */
halo_status halo_label_eulers(halo_label *label, int64_t **out, int64_t *count);

/* Local. Bytes that halo_label_eulers allocates per region. */
int64_t halo_label_euler_bytes(void);

#endif
