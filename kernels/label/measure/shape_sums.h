#ifndef HALOBEAT_LABEL_SHAPE_SUMS_H
#define HALOBEAT_LABEL_SHAPE_SUMS_H

#include "kernels/label/measure/shape.h"

/* Exact sums over the pixels of a region or of a part of it. Local; internal to the label kernel.
 * Squares of positions below 2^31 over fewer than 2^60 pixels fit 122 bits. */

__extension__ typedef __int128 shape_wide;

enum { SHAPE_SQUARES = 6 }; /* zz, yy, xx, zy, zx, yx */

typedef struct {
    int64_t area;
    int64_t sum[HALO_AXES]; /* of planes, rows, columns */
    shape_wide square[SHAPE_SQUARES];
} shape_moments;

/* The entry of region `number` (label_by_number). */
typedef struct {
    int64_t number;
    int64_t border[HALO_SHAPE_BORDERS];
    int64_t round;            /* bit i: it winds around axis i of the image */
    int64_t row, left, right; /* row - 1 is the last row with pixels of it, in these columns (0:
                               * none so far) */
    int64_t kept;             /* the number of its latest extent, from 1 */
    shape_moments moments;
} shape_sums;

/* Adds pixels `begin` to `end - 1` of row y of plane z. */
void shape_add_run(shape_moments *moments, int64_t z, int64_t y, int64_t begin, int64_t end);

/* Adds another part of the region. */
void shape_add(shape_moments *to, const shape_moments *part);

/* Shifts all pixels by by[axis] along each axis. */
void shape_shift(shape_moments *moments, const int64_t by[HALO_AXES]);

/* Rounded from exact numbers; NaN along axes that the region winds around. */
void shape_covariance(const shape_sums *sums, double covariance[SHAPE_SQUARES]);

#endif
