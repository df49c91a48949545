#ifndef HALOBEAT_LABEL_SHAPE_H
#define HALOBEAT_LABEL_SHAPE_H

#include "kernels/label/label.h"

/* Shapes of regions: perimeter, and axes of the ellipse (for volumes, ellipsoid) with the same
 * second moments. Definitions are those of scikit-image's regionprops. Sums over pixels are
 * integers, so that shapes are the same on any number of ranks. */

/* Classes of border pixels, by their contribution to the perimeter. */
enum { HALO_SHAPE_BORDERS = 3 };

typedef struct {
    /* Covariance of the positions of all pixels, in pixels^2: zz, yy, xx, zy, zx, yx. NaN along a
     * periodic axis that the region winds around. */
    double covariance[6];
    /* Number of border pixels that contribute 1, sqrt(2), and the mean of both; 0 for volumes. */
    int64_t border[HALO_SHAPE_BORDERS];
    /* The maximum Feret diameter, in units of the size asked for: the largest distance of two
     * centres of edges of pixels (of volumes: faces of voxels) in the convex hull, as in
     * scikit-image. 0 for periodic images, and if it was not requested. */
    double feret;
    /* Pixels in the convex hull, including those on its border; the hull is that of the centres of
     * pixel edges, of volumes of voxel faces. 0 for periodic images, and if hulls were not
     * requested. */
    int64_t hull;
} halo_shape;

/* Options: what is computed besides moments and borders. Zero-initialised: nothing. */
typedef struct {
    bool hulls;             /* pixels in convex hulls, which takes some bytes for each row of each
                             * region, in volumes for each corner that it has in each plane */
    bool ferets;            /* Feret diameters; implies hulls */
    double size[HALO_AXES]; /* of a pixel along planes, rows and columns, for Feret diameters */
    double **widths; /* NULL, or with `ferets`: *widths is set to the minimum Feret diameters, in
                      * the order of shapes, which the caller frees with halo_memory_free: the least
                      * distance of two parallel lines (of volumes: planes) with all of the points
                      * between them. They are 0 for periodic images. Of volumes each takes longer
                      * than the maximum one */
} halo_shape_options;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan). Sets *out [*count] to the shapes of the regions of halo_label_regions on
 * this rank, in the same order; the caller frees it with halo_memory_free. Opposite edges of a
 * periodic axis touch. HALO_ARGUMENT for another numbering, or a label without `measure`;
 * HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_label_shapes_sized(halo_label *label, const halo_shape_options *options,
                                    halo_shape **out, int64_t *count, size_t options_bytes);
#define halo_label_shapes(...) halo_label_shapes_sized(__VA_ARGS__, sizeof(halo_shape_options))

/* Local. Bytes that halo_label_shapes allocates per region; `solid`: of a volume, with hulls or
 * Feret diameters. */
int64_t halo_label_shape_bytes(bool solid);

/* Local. The perimeter in pixels, in an image of two axes. A pixel is on the border if one of its 4
 * neighbours is not in the region. By the number of border pixels beside it and diagonally from it,
 * it contributes 1, sqrt(2), the mean of both, or nothing (K. Benkrid, D. Crookes: Design and FPGA
 * implementation of a perimeter estimator, 2000). */
double halo_shape_perimeter(const halo_shape *shape);

typedef struct {
    double major, minor; /* lengths of the longest and shortest axis: 4 times the standard
                          * deviation along it, for volumes sqrt(20) times */
    double eccentricity; /* in two axes: 0 for a circle, 1 for a line; otherwise 0 */
    double orientation;  /* in two axes: the angle from the axis of rows (down) to the major
                          * axis, counter-clockwise, from -pi/2 to pi/2; otherwise 0 */
} halo_shape_axes;

/* Local. size[axis] is the size of a pixel along planes, rows and columns: lengths are in these
 * units. */
halo_shape_axes halo_shape_find_axes(const halo_shape *shape, int axes,
                                     const double size[HALO_AXES]);

#endif
