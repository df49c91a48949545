#ifndef HALOBEAT_LABEL_SOLID_WIDTH_H
#define HALOBEAT_LABEL_SOLID_WIDTH_H

#include "kernels/label/measure/solid_hull.h"

/* The least distance of two parallel planes with a set of points between them. Local; internal to
 * the label kernel.
 *
 * One of the planes has a facet of the convex hull in it, or each has an edge (M. E. Houle, G. T.
 * Toussaint: Computing the width of a set, 1988). The points opposite to a facet are found by going
 * downhill from those opposite to the one before. From there on, edges are passed that are opposite
 * to those of the facet: normals of the two facets beside an edge are the ends of an arc, and two
 * edges are opposite where one's arc crosses the other's on the other side of the sphere. */

/* Memory for the search. Zero-initialise it; it may be used again. */
typedef struct {
    halo_buffer facets, stack;
} solid_width_memory;

void solid_width_free(solid_width_memory *memory);

/* Sets *width to that of the points of a hull that has been found, whose coordinates are multiples
 * of unit[axis] along planes, rows and columns. The lists `next` and `start` of the hull are used.
 * HALO_MEMORY, HALO_CANCELLED. */
halo_status solid_find_width(solid_hull *hull, const double unit[HALO_AXES],
                             solid_width_memory *memory, double *width);

#endif
