#ifndef HALOBEAT_LABEL_SOLID_SHAPE_H
#define HALOBEAT_LABEL_SOLID_SHAPE_H

#include "base/memory.h"
#include "core/world/watch.h"
#include "partition/box.h"

/* Hulls and Feret diameters of regions of volumes, from the corners of what a region has in each
 * plane. Local and exact; internal to the label kernel. */

/* A voxel of a region that is a corner of the hull of its voxels in a plane, or in a part of it. */
typedef struct {
    int64_t region;
    int64_t at[HALO_AXES]; /* plane, row, column */
} solid_corner;

/* Runs of rows of a plane, row after row, from which its corners are found. Zero-initialise it. */
typedef struct {
    halo_buffer runs, outline;
} solid_plane;

/* Adds a region's voxels left to right - 1 in a row. `*last` is the run that it has had last, and
 * becomes this one; -1: none in this plane. HALO_MEMORY. */
halo_status solid_plane_add(solid_plane *plane, int64_t *last, int64_t region, int64_t row,
                            int64_t left, int64_t right);

/* Appends the corners of all regions to `corners`, of solid_corner, and removes the runs.
 * HALO_MEMORY. */
halo_status solid_plane_end(solid_plane *plane, int64_t z, halo_buffer *corners);

void solid_plane_free(solid_plane *plane);

/* For regions with all their corners [count], which are sorted: hulls[region - first] is set to the
 * number of voxels whose centre is in the hull or on its face; the hull is that of the centres of
 * voxels' faces, as in scikit-image. diameters[region - first] is the largest distance of two
 * points that are centres of faces of voxels in the hull, which are the points of scikit-image's
 * marching cubes, for voxels of `size`, and widths[region - first] the least distance of two
 * parallel planes with these points between them; NULL: they are not needed. The memory taken
 * is that for the largest region. The world watches. HALO_MEMORY, HALO_CANCELLED. */
halo_status solid_find_shapes(const halo_world *world, solid_corner *corners, int64_t count,
                              int64_t first, const double size[HALO_AXES], int64_t *hulls,
                              double *diameters, double *widths);

#endif
