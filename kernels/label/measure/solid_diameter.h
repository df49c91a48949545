#ifndef HALOBEAT_LABEL_SOLID_DIAMETER_H
#define HALOBEAT_LABEL_SOLID_DIAMETER_H

#include "base/memory.h"
#include "core/world/watch.h"
#include "partition/box.h"

/* The largest distance in a set of voxels. Local; internal to the label kernel. */

/* A voxel, from the corner of the set's bounding box. */
typedef struct {
    int64_t at[HALO_AXES];
    int64_t cell; /* of a coarse grid; set here */
} solid_voxel;

typedef struct {
    solid_voxel *corners; /* [count], at least 1: those of the set's convex hull, or more */
    int64_t count;
    const int64_t *n;        /* [HALO_AXES] voxels of the bounding box */
    const double *size;      /* [HALO_AXES] of a voxel */
    halo_buffer *boxes;      /* for the search */
    const halo_world *world; /* watches */
} solid_voxels;

/* Sets *diameter to the largest distance of two centres of faces of the voxels, and sorts these.
 * Pairs in boxes that are too near to each other are left out, in a ball nearly all. HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status solid_find_diameter(const solid_voxels *voxels, double *diameter);

#endif
