#ifndef HALOBEAT_LABEL_SHAPE_HULL_H
#define HALOBEAT_LABEL_SHAPE_HULL_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Convex hulls of regions of two axes, from where they begin and end in each row. Local and exact;
 * internal to the label kernel. */

/* In `row`, pixels of the region lie from column left to right - 1. */
typedef struct {
    int64_t region, row, left, right;
} shape_extent;

/* Whole regions: hulls[region - first] becomes how many pixels have their centre in the hull, or on
 * its edge; the hull is that of the middles of pixels' edges, as scikit-image has it. `extents`
 * [count], one for each row of each region, are brought in order. HALO_MEMORY. */
halo_status shape_find_hulls(shape_extent *extents, int64_t count, int64_t first, int64_t *hulls);

#endif
