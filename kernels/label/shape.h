#ifndef HALOBEAT_LABEL_SHAPE_H
#define HALOBEAT_LABEL_SHAPE_H

#include "kernels/label/label.h"

/* Shapes of regions: the perimeter, and the axes of the ellipse (of a volume: ellipsoid) that has
 * the same second moments. Definitions are those of scikit-image's regionprops. What is added up
 * over pixels are whole numbers, so that shapes are the same for any number of ranks. */

/* How pixels of the border lie, which decides what each counts for in the perimeter. */
enum { HALO_SHAPE_BORDERS = 3 };

typedef struct {
    /* Of the pixels' places, in pixels^2, over all of them: zz, yy, xx, zy, zx, yx. NaN along an
     * axis of the image that the region goes round. */
    double covariance[6];
    /* Pixels of the border that count for 1, for sqrt(2), and for the mean of both; 0 of volumes.
     */
    int64_t border[HALO_SHAPE_BORDERS];
    /* Pixels in the convex hull, which is that of the middles of pixels' edges; those on its border
     * count. 0 of volumes, of periodic images, and if it was not asked for. */
    int64_t hull;
} halo_shape;

/* Collective, after a run that has measured, with HALO_LABEL_SCAN as its numbering. The shapes of
 * the regions that halo_label_regions tells on this rank, in the same order: `*out` [*count], which
 * the caller frees with halo_memory_free. Opposite edges of a periodic axis touch.
 * `hulls`: find hulls, too, which takes some bytes for each row of each region.
 * HALO_ARGUMENT for another numbering, or a label that does not measure; HALO_MEMORY, HALO_MPI. All
 * ranks get the same. */
halo_status halo_label_shapes(halo_label *label, bool hulls, halo_shape **out, int64_t *count);

/* Local. Bytes that halo_label_shapes takes for a region. */
int64_t halo_label_shape_bytes(void);

/* Local. In pixels, of an image of two axes. A pixel is on the border if one of its 4 neighbours is
 * not of the region. By how many such pixels stand beside it and diagonally from it, it counts for
 * 1, sqrt(2), the mean of both, or nothing (K. Benkrid, D. Crookes: Design and FPGA implementation
 * of a perimeter estimator, 2000). */
double halo_shape_perimeter(const halo_shape *shape);

typedef struct {
    double major, minor; /* lengths of the longest and of the shortest axis: 4 times the standard
                          * deviation along it, of volumes sqrt(20) times */
    double eccentricity; /* of two axes: 0 of a circle, 1 of a line; else 0 */
    double orientation;  /* of two axes: the angle from the axis of rows (down) to the major axis,
                          * counter-clockwise, from -pi/2 to pi/2; else 0 */
} halo_shape_axes;

/* Local. size[axis] is how large a pixel is along planes, rows and columns: lengths are in these
 * units. */
halo_shape_axes halo_shape_find_axes(const halo_shape *shape, int axes,
                                     const double size[HALO_AXES]);

#endif
