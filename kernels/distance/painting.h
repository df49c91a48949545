#ifndef HALOBEAT_DISTANCE_PAINTING_H
#define HALOBEAT_DISTANCE_PAINTING_H

#include "kernels/distance/balls.h"

/* Paints balls in a strip, the largest ones first, so that each pixel is painted once. Internal to
 * the kernel; everything is local. */

typedef struct {
    int64_t layers, rows, width; /* of the strip */
    int64_t first;               /* its first layer */
    uint32_t *squares;           /* [layers][rows][width]; the foreground is what is not 0 */
    int64_t words;               /* of a row of `left` */
    uint64_t *left;              /* bits of the foreground that is not painted */
    int64_t *lefts;              /* [layers][rows] their number */
} painting;

/* HALO_MEMORY. Call painting_end in any case. */
halo_status painting_begin(painting *p);

/* Sets pixels of the ball that are left to its square. Returns a number that grows with the time it
 * took. */
int64_t painting_ball(painting *p, const distance_ball *ball);

void painting_end(painting *p);

#endif
