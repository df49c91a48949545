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

/* Pens for contours before and after they have moved. */
typedef struct {
    halo_canvas_pen thin, strong;
} halo_contours_pens;

/* Local. Chooses pens for an image of this size: lines as wide as in a picture that is shown at its
 * own size, wider in larger ones, but not too wide for the contours. */
halo_contours_pens halo_contours_pens_choose(const halo_contours *contours, int64_t width,
                                             int64_t height);

/* Local. Draws contours on an image at its own size: their points in thin lines, and `points`, in
 * units of 1 / `unit` pixel, in strong ones. HALO_MEMORY. */
halo_status halo_contours_draw_moved(const halo_canvas *canvas, const halo_contours *contours,
                                     const halo_contour_point *points, int64_t unit,
                                     const halo_contours_pens *pens);

#endif
