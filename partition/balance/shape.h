#ifndef HALOBEAT_PARTITION_BALANCE_SHAPE_H
#define HALOBEAT_PARTITION_BALANCE_SHAPE_H

#include "partition/balance/balance.h"

/* The distribution of cost over the rows of a strip. Local and pure. */

/* Minimum cost in seconds, for clocks with a coarse resolution. */
#define HALO_MIN_COST 1e-12

/* Sets `profile` [rows] to the measured cost of each row of a strip, whose sum is `seconds`. A
 * single block that was interrupted must not change the cost of its rows: a block that differs from
 * its neighbours, relative to `work` ([rows], the known costs, 0 if unknown), is replaced by their
 * level, unless it differed last time too. `struck` [rows] stores which did. False if no costs of
 * blocks are known. */
bool halo_shape_unfold(const halo_load *load, double seconds, const double *work,
                       unsigned char *struck, double *profile);

/* True if the shape of `profile` differs from that of `work` ([rows] both) by more than noise.
 * `noise` is the relative standard error of the strip's time. */
bool halo_shape_differs(const double *work, const double *profile, const halo_load *load,
                        double noise);

/* The median, over some parts of the strip, of the ratio between `profile` and `work`, which
 * excludes parts whose rows have become more or less expensive than the others. */
double halo_shape_middle(const double *work, const double *profile, int64_t rows);

/* Sum of values lo to hi - 1. */
double halo_shape_sum(const double *values, int64_t lo, int64_t hi);

#endif
