#ifndef HALOBEAT_KERNELS_LABEL_LABEL_REGION_H
#define HALOBEAT_KERNELS_LABEL_LABEL_REGION_H

#include <stdint.h>

/* What is known about a region, or about the part of it that lies in one strip. All sums are
 * exact. Planes, rows and columns are global; an image of two axes is plane 0. */
typedef struct {
    int64_t number;    /* 1 to the number of regions */
    int64_t area;      /* pixels */
    int64_t top, left; /* bounding box, half-open: rows top to bottom - 1 */
    int64_t bottom, right;
    int64_t row_sum, column_sum; /* over the pixels; the centroid times the area */
    int64_t grey_sum;
    int64_t last; /* the largest row-major pixel index, (plane * rows + row) * width + column */
    int64_t front, back; /* bounding box: planes front to back - 1 */
    int64_t plane_sum;
} halo_region;

#endif
