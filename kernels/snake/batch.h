#ifndef HALOBEAT_SNAKE_BATCH_H
#define HALOBEAT_SNAKE_BATCH_H

#include "kernels/snake/snake_internal.h"

/* Batches of points evaluated together. Points of one turn do not depend on each other, so that any
 * of them may share a batch. Internal to the kernel. */

typedef struct {
    halo_snake *snake;
    snake_batch batch;
    int count; /* lanes in use */
    int64_t points[SNAKE_LANES], contours[SNAKE_LANES];
    bool at_edge[SNAKE_LANES]; /* positions of its window are not the default ones */
    int8_t row_of[SNAKE_SIDE * SNAKE_SIDE],
        column_of[SNAKE_SIDE * SNAKE_SIDE]; /* row and column of each position in a window */

    /* The gradient. */
    const uint16_t *corner; /* address of cell (0, 0) of the image, even if it is not in the
                             * strip */
    ptrdiff_t pitch;        /* in cells */
    int64_t rows, columns;
    float scale; /* pixels per unit of points */
} snake_lanes;

/* Local. Begins the batches of a turn. */
void snake_lanes_begin(snake_lanes *lanes, halo_snake *snake);

/* Local. Adds the points lo to hi - 1 of contour `contour` whose bits are set in `mask`; bits are
 * by number modulo 64. */
void snake_lanes_add(snake_lanes *lanes, int64_t contour, int64_t lo, int64_t hi, uint64_t mask);

/* Local. Evaluates the points of an incomplete batch. */
void snake_lanes_end(snake_lanes *lanes);

#endif
