#ifndef HALOBEAT_LABEL_NEIGHBOURS_H
#define HALOBEAT_LABEL_NEIGHBOURS_H

#include "kernels/label/measure/numbered.h"

/* The number of other regions that a region touches. Internal to the label kernel and its commands.
 */

/* Collective. Sets *out [*count] to the number of other regions with which each of the image's
 * regions that this rank reports shares a side of two pixels (a face of two voxels); the caller
 * frees it with halo_memory_free. Opposite edges of a periodic axis touch. Takes memory for every
 * two regions that touch. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status label_neighbours(const label_numbered *image, int64_t **out, int64_t *count);

/* Local. Bytes per region that label_neighbours allocates, if each touches six others. */
int64_t label_neighbour_bytes(void);

#endif
