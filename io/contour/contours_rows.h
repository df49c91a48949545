#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_ROWS_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_ROWS_H

#include "io/contour/contours_read.h"

/* Contours that have moved as rows of the same size, one for each point, as checkpoints store them.
 * All functions are local. */

typedef struct {
    halo_contour_point now;   /* in units of 1 / `unit` pixel */
    halo_contour_point begun; /* in pixels */
    int32_t contour;          /* from 0 */
} halo_contours_row;

/* Writes the rows of contours whose points are at `points` now: [halo_contours_point_count]. */
void halo_contours_rows_make(const halo_contours *c, const halo_contour_point *points,
                             halo_contours_row *rows);

/* True if rows [count] are of contours with limits->min points or more each, which lie in an image
 * of limits->width x limits->height pixels. */
bool halo_contours_rows_are_valid(const halo_contours_row *rows, int64_t count,
                                  const halo_contours_limits *limits, int64_t unit);

/* Adds the contours of valid rows to `c`, which is empty. HALO_MEMORY. */
halo_status halo_contours_rows_take(const halo_contours_row *rows, int64_t count, halo_contours *c);

#endif
