#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_DRAW_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_DRAW_H

#include "io/canvas/canvas.h"
#include "io/contour/contours.h"

/* Drawing contours on a canvas that shows the pixels of an image `enlarge` times as large or
 * `reduce` times smaller; both are 1 or more, and one of them is 1. */
typedef struct {
    const halo_contours *contours;
    const halo_contour_point *points; /* [halo_contours_point_count] their positions */
    int64_t unit;                     /* units of a position per pixel; 0 means 1 */
    int64_t enlarge, reduce;
    const halo_canvas_pen *pen;
} halo_contours_drawing;

/* Local. Draws the lines of all contours, clipped to the canvas. HALO_MEMORY. */
halo_status halo_contours_draw(const halo_canvas *canvas, const halo_contours_drawing *what);

#endif
