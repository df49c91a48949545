#ifndef HALOBEAT_CLI_SNAKE_DRAW_H
#define HALOBEAT_CLI_SNAKE_DRAW_H

#include "cli/snake/contours.h"
#include "io/canvas/canvas.h"

/* Contours on a canvas that shows a picture's pixels `enlarge` times as large, or that many times
 * smaller; one of both is 1. */
typedef struct {
    const snake_contours *contours;
    const snake_place *places; /* [points] */
    int64_t enlarge, reduce;
    const halo_canvas_pen *pen;
} snake_drawing;

/* Local. HALO_MEMORY. */
halo_status snake_draw(const halo_canvas *canvas, const snake_drawing *what);

#endif
