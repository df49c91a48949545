#ifndef HALOBEAT_SNAKE_BATCH_H
#define HALOBEAT_SNAKE_BATCH_H

#include "kernels/snake/snake_internal.h"

/* Points evaluated together. Points of one turn move without seeing each other, so that it does not
 * matter which those are: whoever comes next takes a lane. Internal to the kernel. */

typedef struct {
    halo_snake *snake;
    snake_batch batch;
    int count; /* lanes taken */
    int64_t points[SNAKE_LANES], contours[SNAKE_LANES];
    bool at_edge[SNAKE_LANES]; /* its window's places are not the default ones */
    int8_t row_of[SNAKE_SIDE * SNAKE_SIDE], column_of[SNAKE_SIDE * SNAKE_SIDE]; /* of a window */

    /* Of the gradient. */
    const uint16_t *corner; /* cell (0, 0) of the picture, were it here */
    ptrdiff_t pitch;        /* cells */
    int64_t rows, columns;
    float scale; /* pixels of a unit of points */
} snake_lanes;

/* Local. Lanes for a turn. */
void snake_lanes_begin(snake_lanes *lanes, halo_snake *snake);

/* Local. The points lo to hi - 1 of this rank, all of contour `contour`, whose bits are set in
 * `mask`, which begins anew with each multiple of 64. */
void snake_lanes_add(snake_lanes *lanes, int64_t contour, int64_t lo, int64_t hi, uint64_t mask);

/* Local. Those that still wait for others. */
void snake_lanes_end(snake_lanes *lanes);

#endif
