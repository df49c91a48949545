#include "kernels/distance/spacing.h"

#include <math.h>

/* Sizes of pixels as multiples of a common unit, so that squares are whole numbers. */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Are these numbers, times `factor`, whole numbers, as far as a double shows it? */
static bool are_whole(const double spacing[HALO_AXES], double factor, uint64_t whole[HALO_AXES])
{
    const double error = 1e-12, most = 1 << 20;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        double times = spacing[axis] * factor, near = nearbyint(times);
        if (near < 1 || near > most || fabs(times - near) > error * near) {
            return false;
        }
        whole[axis] = (uint64_t)near;
    }
    return true;
}

bool distance_spacing_is_common(const double spacing[HALO_AXES], uint64_t weight[HALO_AXES])
{
    enum { FACTORS = 1000 };
    /* The first one as unit, so that any units of length do. */
    for (int factor = 1; factor <= FACTORS; factor++) {
        uint64_t whole[HALO_AXES];
        if (are_whole(spacing, factor / spacing[0], whole)) {
            uint64_t unit = common_divisor(whole[0], common_divisor(whole[1], whole[2]));
            for (int axis = 0; axis < HALO_AXES; axis++) {
                weight[axis] = whole[axis] / unit * (whole[axis] / unit);
            }
            return true;
        }
    }
    return false;
}
