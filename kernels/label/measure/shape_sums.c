#include "kernels/label/measure/shape_sums.h"

#include <math.h>

/* The axes of each product. */
static const int one[SHAPE_SQUARES] = {0, 1, 2, 1, 2, 2}, other[SHAPE_SQUARES] = {0, 1, 2, 0, 0, 1};

/* 0 + 1 + 4 + ... + (n - 1)^2. Division of 64 bits is a multiplication, of 128 bits a call. */
static shape_wide sum_of_squares(int64_t n)
{
    enum { NARROW = 1 << 20 };
    return n <= NARROW ? (shape_wide)((n - 1) * n * (2 * n - 1) / 6)
                       : (shape_wide)((n - 1) * n) * (2 * n - 1) / 6;
}

void shape_add_run(shape_moments *moments, int64_t z, int64_t y, int64_t begin, int64_t end)
{
    int64_t n = end - begin, columns = (begin + end - 1) * n / 2;
    moments->area += n;
    moments->sum[1] += n * y;
    moments->sum[2] += columns;
    moments->square[1] += (shape_wide)(n * y) * y;
    moments->square[2] +=
        (shape_wide)(n * begin) * begin + (shape_wide)begin * (n * (n - 1)) + sum_of_squares(n);
    moments->square[5] += (shape_wide)columns * y;
    if (z != 0) { /* images have no more than that */
        moments->sum[0] += n * z;
        moments->square[0] += (shape_wide)(n * z) * z;
        moments->square[3] += (shape_wide)(n * y) * z;
        moments->square[4] += (shape_wide)columns * z;
    }
}

void shape_add(shape_moments *to, const shape_moments *part)
{
    to->area += part->area;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        to->sum[axis] += part->sum[axis];
    }
    for (int i = 0; i < SHAPE_SQUARES; i++) {
        to->square[i] += part->square[i];
    }
}

/* The sums of (a + by a)(b + by b), multiplied out. */
void shape_shift(shape_moments *moments, const int64_t by[HALO_AXES])
{
    for (int i = 0; i < SHAPE_SQUARES; i++) {
        int a = one[i], b = other[i];
        moments->square[i] += (shape_wide)by[a] * moments->sum[b] +
                              (shape_wide)by[b] * moments->sum[a] +
                              (shape_wide)by[a] * by[b] * moments->area;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        moments->sum[axis] += by[axis] * moments->area;
    }
}

/* Places are counted from the whole numbers below the centroid, so that what is subtracted is
 * small, and only then rounded: regions far from the corner lose no digits. */
void shape_covariance(const shape_sums *sums, double covariance[SHAPE_SQUARES])
{
    const shape_moments *moments = &sums->moments;
    shape_moments near = *moments;
    int64_t area = moments->area, back[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t sum = moments->sum[axis], place = sum / area;
        back[axis] = -(place - (place * area > sum));
    }
    shape_shift(&near, back);
    for (int i = 0; i < SHAPE_SQUARES; i++) {
        shape_wide product = (shape_wide)near.sum[one[i]] * near.sum[other[i]];
        double whole = (double)(near.square[i] - product / area);
        double rest = (double)(product % area) / (double)area;
        bool round = ((sums->round >> one[i] | sums->round >> other[i]) & 1) != 0;
        covariance[i] = round ? (double)NAN : (whole - rest) / (double)area;
    }
}
