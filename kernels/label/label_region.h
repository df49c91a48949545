#ifndef HALOBEAT_KERNELS_LABEL_LABEL_REGION_H
#define HALOBEAT_KERNELS_LABEL_LABEL_REGION_H

#include <stdbool.h>
#include <stdint.h>

/* Statistics of a region, or of its part in one strip. All sums are exact. Planes, rows and columns
 * are global; an image of two axes is plane 0. */
typedef struct {
    int64_t number;    /* 1 to the number of regions */
    int64_t area;      /* pixels */
    int64_t top, left; /* bounding box, half-open: rows top to bottom - 1 */
    int64_t bottom, right;
    int64_t row_sum, column_sum; /* sum over the pixels: the centroid times the area */
    int64_t grey_sum;
    int64_t last; /* the maximum row-major pixel index, (plane * rows + row) * width + column */
    int64_t front, back; /* bounding box: planes front to back - 1 */
    int64_t plane_sum;
    int64_t grey_min, grey_max; /* 0 without greys; with values their keys, and grey_sum is 0
                                 * (label_value.h) */
} halo_region;

/* Which regions are kept; the others become background. Zero-initialised: all. */
typedef struct {
    int64_t min_area, max_area; /* pixels; max_area 0: no limit */
    int64_t min_peak;           /* minimum of the largest grey value; 0: any */
    bool clear_border;          /* drop regions with a pixel on an edge of the image; edges of a
                                 * periodic axis do not count */
    int64_t largest;            /* keep at most this number of the remaining regions, those with
                                 * the largest area, and of equal areas the first in raster
                                 * order; 0: all */
} halo_region_filter;

#endif
