#include "partition/balance/shape.h"

#include <math.h>

enum { SEGMENTS = 8 }; /* of a strip, in which its shape is compared */

static const double min_shape = .03;   /* mean relative difference that is a change of shape */
static const double outstanding = 2.5; /* times its neighbours is a block that was interrupted */

double halo_shape_sum(const double *values, int64_t lo, int64_t hi)
{
    double total = 0;
    for (int64_t y = lo; y < hi; y++) {
        total += values[y];
    }
    return total;
}

/* A block's cost relative to what is known, or as it is where nothing is. */
static double block_change(const halo_load *load, const double *work, int64_t block)
{
    int64_t lo = block * load->block_rows, hi = lo + load->block_rows;
    hi = hi < load->rows ? hi : load->rows;
    double known = halo_shape_sum(work, lo, hi) / (double)(hi - lo);
    double cost = fmax((double)load->row_cost[block], HALO_MIN_COST);
    return known > 0 ? cost / known : cost;
}

/* Write the blocks' costs to their rows; those that stand out are brought down to the greater of
 * their neighbours. */
static void unfold_blocks(const halo_load *load, const double *work, unsigned char *struck,
                          double *profile)
{
    int64_t blocks = (load->rows + load->block_rows - 1) / load->block_rows;
    double before = 0, change = block_change(load, work, 0);
    for (int64_t b = 0; b < blocks; b++) {
        int64_t lo = b * load->block_rows, hi = lo + load->block_rows;
        hi = hi < load->rows ? hi : load->rows;
        double after = b + 1 < blocks ? block_change(load, work, b + 1) : 0;
        double typical = fmax(before, after), cost = (double)load->row_cost[b];
        bool stands_out = blocks > 1 && change > outstanding * typical;
        if (stands_out && struck[lo] == 0) {
            cost *= typical / change;
        }
        for (int64_t y = lo; y < hi; y++) {
            profile[y] = fmax(cost, HALO_MIN_COST);
            struck[y] = stands_out ? 1 : 0;
        }
        before = change;
        change = after;
    }
}

bool halo_shape_unfold(const halo_load *load, double seconds, const double *work,
                       unsigned char *struck, double *profile)
{
    if (load->row_cost == NULL || load->rows == 0) {
        return false;
    }
    unfold_blocks(load, work, struck, profile);
    double scale = seconds / halo_shape_sum(profile, 0, load->rows);
    for (int64_t y = 0; y < load->rows; y++) {
        profile[y] *= scale;
    }
    return true;
}

/* Mean difference, over the segments of a strip, between two shapes that sum up to 1. */
static double shape_difference(const double *work, const double *profile, int64_t rows)
{
    double work_sum = halo_shape_sum(work, 0, rows);
    double profile_sum = halo_shape_sum(profile, 0, rows), difference = 0;
    int64_t segments = rows < SEGMENTS ? rows : SEGMENTS;
    for (int64_t s = 0; s < segments; s++) {
        int64_t lo = rows * s / segments, hi = rows * (s + 1) / segments;
        difference += fabs(halo_shape_sum(work, lo, hi) / work_sum -
                           halo_shape_sum(profile, lo, hi) / profile_sum);
    }
    return difference;
}

/* Return the difference that counts as a change of shape. The noise of single blocks is estimated
 * from how much the changes of neighbouring blocks differ; the mean of square roots is robust
 * against the few blocks whose costs did change. */
static double shape_limit(const double *work, const double *profile, const halo_load *load,
                          double noise)
{
    double roots = 0, before = 0;
    int64_t blocks = 0;
    for (int64_t y = 0; y < load->rows; y += load->block_rows, blocks++) {
        double change = profile[y] / work[y];
        roots += blocks > 0 ? sqrt(fabs(change - before)) : 0;
        before = change;
    }
    /* For normal deviates the mean root is .822 of the root of their standard deviation. */
    double root = blocks > 1 ? roots / (double)(blocks - 1) / .822 : 0;
    double block_noise = root * root / sqrt(2), segment = (double)blocks / SEGMENTS;
    double segment_noise = block_noise / sqrt(fmax(segment, 1));
    return fmax(min_shape, fmax(2 * segment_noise, 2.5 * noise * sqrt(SEGMENTS)));
}

bool halo_shape_differs(const double *work, const double *profile, const halo_load *load,
                        double noise)
{
    double limit = shape_limit(work, profile, load, noise);
    return shape_difference(work, profile, load->rows) > limit;
}

double halo_shape_middle(const double *work, const double *profile, int64_t rows)
{
    double changes[SEGMENTS];
    int64_t segments = rows < SEGMENTS ? rows : SEGMENTS;
    for (int64_t s = 0; s < segments; s++) {
        int64_t lo = rows * s / segments, hi = rows * (s + 1) / segments, at = s;
        double change = halo_shape_sum(profile, lo, hi) / halo_shape_sum(work, lo, hi);
        for (; at > 0 && changes[at - 1] > change; at--) {
            changes[at] = changes[at - 1];
        }
        changes[at] = change;
    }
    return (changes[(segments - 1) / 2] + changes[segments / 2]) / 2;
}
