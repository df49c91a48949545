#ifndef HALOBEAT_LABEL_SHAPE_HULL_H
#define HALOBEAT_LABEL_SHAPE_HULL_H

#include "core/world/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* Convex hulls of regions in two axes, from their left and right ends in each row. Local and exact;
 * internal to the label kernel. */

/* In `rows` rows from `row` on, pixels of the region are in columns left to right - 1, of which
 * both ends are its own. */
typedef struct {
    int64_t region, row, rows, left, right;
} shape_extent;

/* The maximum and the minimum Feret diameter of regions. */
typedef struct {
    double size[2];   /* of a pixel along rows and columns */
    double *diameter; /* [region - first] is set */
    double *width;    /* the same of the minimum; or NULL */
} shape_ferets;

/* For whole regions: hulls[region - first] is set to the number of pixels whose centre is in the
 * hull or on its edge; the hull is that of the centres of pixel edges, as in scikit-image.
 * `extents` [count], which are all rows of each region, are sorted. Unless `ferets` is NULL, also
 * ferets->diameter: the largest distance of two points that are centres of edges of pixels in the
 * hull, which are the points of scikit-image's contour; and ferets->width: the least distance of
 * two parallel lines with all of these between them. Takes memory for the rows of the largest
 * region. The world, or NULL, watches. HALO_MEMORY, HALO_CANCELLED. */
halo_status shape_find_hulls(const halo_world *world, shape_extent *extents, int64_t count,
                             int64_t first, int64_t *hulls, const shape_ferets *ferets);

typedef struct {
    int64_t row, x;
} shape_point;

/* Leaves, of points [count] with rising rows, the corners of their convex hull on the side of
 * smaller x, and returns how many there are: the lower half of Andrew's monotone chain (A. M.
 * Andrew: Another efficient algorithm for convex hulls in two dimensions, 1979). */
int64_t shape_find_corners(shape_point *points, int64_t count);

#endif
