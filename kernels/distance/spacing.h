#ifndef HALOBEAT_DISTANCE_SPACING_H
#define HALOBEAT_DISTANCE_SPACING_H

#include "partition/box.h"

#include <stdbool.h>
#include <stdint.h>

/* Local, pure. Are the sizes of pixels along 3 axes multiples of one unit? Then squares of
 * distances along an axis are those of indices times its weight, in squares of that unit. */
bool distance_spacing_is_common(const double spacing[HALO_AXES], uint64_t weight[HALO_AXES]);

#endif
