#ifndef HALOBEAT_IO_CONTOUR_CONTOURS_DRAW_H
#define HALOBEAT_IO_CONTOUR_CONTOURS_DRAW_H

#include "io/canvas/canvas.h"
#include "io/contour/contours.h"

/* Contours on a canvas that shows a picture's pixels `enlarge` times as large, or `reduce` times
 * smaller; both are 1 or more, and one of them is 1. */
typedef struct {
    const halo_contours *contours;
    const halo_contour_point *points; /* [halo_contours_point_count]: where they are, */
    int64_t unit;                     /* places a pixel; 0 means 1 */
    int64_t enlarge, reduce;
    const halo_canvas_pen *pen;
} halo_contours_drawing;

/* Local. Draw the lines of all contours, as far as they are on the canvas. HALO_MEMORY. */
halo_status halo_contours_draw(const halo_canvas *canvas, const halo_contours_drawing *what);

#endif
