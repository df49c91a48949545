#ifndef HALOBEAT_LABEL_SURFACE_H
#define HALOBEAT_LABEL_SURFACE_H

#include "kernels/label/measure/numbered.h"

/* Surfaces of regions of volumes, as marching cubes finds them (mesh_cells.h). They are closed:
 * where a region touches a face of the volume, the surface goes around its voxels there. Sums over
 * cells are whole numbers. Internal to the label kernel and its commands. */

typedef struct {
    double area;   /* of the surface, in units of the size */
    double volume; /* that it encloses, in voxels */
} label_surface;

/* Collective. Sets *out [*count] to the surfaces of the image's regions that this rank reports; the
 * caller frees it with halo_memory_free. The image has three axes, none periodic; `size` is that of
 * a voxel. Takes memory for a plane of labels. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks.
 */
halo_status label_surfaces(const label_numbered *image, const double size[HALO_AXES],
                           label_surface **out, int64_t *count);

/* Collective. Sets *area to the area of the surface between all regions together and what is in
 * none of them. Faces of the volume are no part of it. Otherwise as label_surfaces. */
halo_status label_surface_of_all(const label_numbered *image, const double size[HALO_AXES],
                                 double *area);

/* Local. Bytes that label_surfaces allocates per region. */
int64_t label_surface_bytes(void);

#endif
