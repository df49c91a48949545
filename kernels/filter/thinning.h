#ifndef HALOBEAT_FILTER_THINNING_H
#define HALOBEAT_FILTER_THINNING_H

#include "kernels/filter/filter.h"

/* Thinning of volumes to lines of one voxel. Internal to the kernels. */

/* Collective. Thins a volume of bits in place. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. */
halo_status filter_thin_volume(const filter_field_call *call);

#endif
