#ifndef HALOBEAT_LABEL_POLYGONS_H
#define HALOBEAT_LABEL_POLYGONS_H

#include "base/memory.h"
#include "kernels/label/measure/by_number.h"

/* Regions of images of two axes as polygons along the sides of pixels. Internal to the label kernel
 * and its commands. */

/* A corner of pixels: (0, 0) is the first corner of the first pixel, y points down. */
typedef struct {
    int64_t x, y;
} polygon_point;

/* Points `first` to `first + count - 1` of a region, at each of which the ring turns. It is closed:
 * the first point follows the last one. Going along it the region is on the left in the plane of x
 * and y (in a picture, where y points down, on the right), so that x dy - y dx adds up to more than
 * 0 for the outside of a piece and to less for a hole. */
typedef struct {
    int64_t first, count;
    int64_t piece; /* of which it is the outside, or a hole in it; pieces are in ascending order */
    bool hole;     /* after the outside of its piece */
} polygon_ring;

/* Zero-initialise it. */
typedef struct {
    label_by_number table;    /* tells which regions this rank has */
    struct polygon_run *runs; /* of these, in the order of regions, rows and columns */
    int64_t *begins;          /* [count + 1] the first run of each region */
    /* The region that was traced last has these: */
    halo_buffer points; /* of polygon_point */
    halo_buffer rings;  /* of polygon_ring */
    halo_buffer vertices, order, stack, parents;
} label_polygons;

/* Collective. Collects the regions of an image that this rank reports. HALO_MEMORY, HALO_TRANSPORT.
 * Call label_polygons_free in any case. */
halo_status label_polygons_create(label_polygons *polygons, const label_numbered *image);

/* Local. Finds the rings of region `i` of this rank, from 0: pixels are connected along sides, and
 * rings that touch at a corner are different ones, so that polygons are valid. HALO_MEMORY. */
halo_status label_polygons_trace(label_polygons *polygons, int64_t i);

/* Local. Accepts zeroed polygons. */
void label_polygons_free(label_polygons *polygons);

#endif
