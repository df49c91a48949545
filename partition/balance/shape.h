#ifndef HALOBEAT_PARTITION_BALANCE_SHAPE_H
#define HALOBEAT_PARTITION_BALANCE_SHAPE_H

#include "partition/balance/balance.h"

/* How costs are spread over the rows of a strip. Local and pure. */

/* A clock too coarse must not make costs vanish; seconds. */
#define HALO_MIN_COST 1e-12

/* The measured cost of each row of a strip, [rows], together `seconds`. A single block that was
 * interrupted says nothing of its rows: one that stands out from its neighbours, relative to
 * `work` ([rows], what is known; 0 where nothing is), is taken for one like them, unless it stood
 * out last time, too. `struck` [rows] remembers which did. False if no costs of blocks are known.
 */
bool halo_shape_unfold(const halo_load *load, double seconds, const double *work,
                       unsigned char *struck, double *profile);

/* Does the shape of `profile` differ from that of `work` ([rows] both) by more than noise can?
 * `noise` is the relative standard error of the strip's time. */
bool halo_shape_differs(const double *work, const double *profile, const halo_load *load,
                        double noise);

/* By how much `profile` differs from `work` in the middle one of some parts of the strip, which is
 * not one where rows have become dearer or cheaper than the others. */
double halo_shape_middle(const double *work, const double *profile, int64_t rows);

/* Sum of values lo to hi - 1. */
double halo_shape_sum(const double *values, int64_t lo, int64_t hi);

#endif
