#include "kernels/motion/fraction.h"

#include "base/minmax.h"
#include "kernels/motion/motion.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEPS = 6,
    MAX_STEP = HALO_MOTION_ONE * 3 / 2, /* from the whole pixel */
    MIN_STEP = 2                        /* a step that is not worth another look */
};

/* Slopes need a neighbour on each side in the one frame, and what lies between pixels the next one
 * right and below in the other. */
static void clip(int64_t first, int64_t shift, int side, int64_t n, int *lo, int *hi)
{
    int64_t begin = halo_max(1 - first, -shift - first);
    int64_t end = halo_min(n - 1 - first, n - 1 - shift - first);
    *lo = (int)halo_min(halo_max(begin, 0), side);
    *hi = (int)halo_max(halo_min(end, side), *lo);
}

/* The sums over all pieces, moved by u and v. */
static motion_slopes slopes_at(const motion_match_context *context, const motion_piece *pieces,
                               int64_t count, int side, int u, int v)
{
    const motion_plane *one = &context->one->levels[0], *other = &context->other->levels[0];
    motion_slopes sums = {0};
    /* Whole pixels, rounded down, and the rest. */
    int right = u & (HALO_MOTION_ONE - 1), down = v & (HALO_MOTION_ONE - 1);
    int whole_u = (u - right) / HALO_MOTION_ONE, whole_v = (v - down) / HALO_MOTION_ONE;
    for (int64_t p = 0; p < count; p++) {
        motion_stencil stencil;
        motion_stencil_set(&stencil, context, &pieces[p], side);
        motion_slope_square at = {.square = {.one = motion_plane_at(one, stencil.x, stencil.y),
                                             .one_pitch = one->pitch,
                                             .other_pitch = other->pitch,
                                             .inside = stencil.inside,
                                             .own = stencil.own},
                                  .side = side,
                                  .right = right,
                                  .down = down,
                                  .drop = context->drop};
        clip(stencil.x, whole_u, side, one->columns, &at.lo, &at.hi);
        clip(stencil.y, whole_v, side, one->rows, &at.top, &at.bottom);
        if (at.lo < at.hi && at.top < at.bottom) {
            at.square.other = motion_plane_at(other, stencil.x + whole_u, stencil.y + whole_v);
            context->ops->slope(&at, &sums);
        }
    }
    return sums;
}

/* The step that the sums ask for, in 256ths of a pixel. Slopes are of two pixels' distance,
 * differences in 256ths: what is left of both is a factor of 2. */
static bool step_of(const motion_slopes *sums, int drop, int *u, int *v)
{
    /* Half a grey step a pixel is noise. */
    double damping = 2 * (double)sums->weight * (double)(1 << drop) * (double)(1 << drop);
    double xx = (double)sums->xx + damping, yy = (double)sums->yy + damping;
    double xy = (double)sums->xy, scale = 2 * (double)(1 << drop);
    double xd = scale * (double)sums->xd, yd = scale * (double)sums->yd;
    double determinant = xx * yy - xy * xy;
    if (!(determinant > 0)) {
        return false;
    }
    double du = floor((xy * yd - yy * xd) / determinant + .5);
    double dv = floor((xy * xd - xx * yd) / determinant + .5);
    if (!(fabs(du) <= MAX_STEP && fabs(dv) <= MAX_STEP) ||
        (fabs(du) <= MIN_STEP && fabs(dv) <= MIN_STEP)) {
        return false;
    }
    *u += (int)du;
    *v += (int)dv;
    return true;
}

static bool is_closer(const motion_slopes *one, const motion_slopes *other)
{
    return (double)one->off * (double)other->weight < (double)other->off * (double)one->weight;
}

void motion_fraction(const motion_match_context *context, const motion_piece *pieces, int64_t count,
                     int side, motion_found *found)
{
    const int64_t min = 8; /* pixels */
    int begin_u = found->u * HALO_MOTION_ONE, begin_v = found->v * HALO_MOTION_ONE;
    int u = begin_u, v = begin_v;
    motion_slopes best = {0};
    found->fine_u = u;
    found->fine_v = v;
    for (int step = 0; step <= STEPS; step++) {
        motion_slopes sums = slopes_at(context, pieces, count, side, u, v);
        if (sums.weight < min) {
            return;
        }
        if (step == 0 || is_closer(&sums, &best)) {
            best = sums;
            found->fine_u = u;
            found->fine_v = v;
        } else if (step > 1) {
            return;
        }
        if (!step_of(&sums, context->drop, &u, &v) || abs(u - begin_u) > MAX_STEP ||
            abs(v - begin_v) > MAX_STEP) {
            return;
        }
    }
}
