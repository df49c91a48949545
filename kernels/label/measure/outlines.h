#ifndef HALOBEAT_LABEL_OUTLINES_H
#define HALOBEAT_LABEL_OUTLINES_H

#include "kernels/label/measure/numbered.h"

/* The edges of regions, for pictures. Internal to the label kernel and its commands. */

/* Collective. Sets *out to a bit for each pixel of this rank's rows, which the caller frees with
 * halo_memory_free: bit x % 64 of word x / 64 of the words of a row, (n[2] + 63) / 64 of them. A
 * bit is 1 if the pixel is in a region, and one of its 4 neighbours in the image (of a volume: in
 * its plane) is not in the same one; as skimage.segmentation.find_boundaries with the mode "inner"
 * has it for images. Edges of the image are none. HALO_MEMORY, HALO_TRANSPORT; the same on all
 * ranks. */
halo_status label_outlines(const label_numbered *image, uint64_t **out);

#endif
