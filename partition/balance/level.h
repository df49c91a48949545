#ifndef HALOBEAT_PARTITION_BALANCE_LEVEL_H
#define HALOBEAT_PARTITION_BALANCE_LEVEL_H

#include "partition/balance/estimate.h"

/* Tracking the total time of a strip through noise, jumps and interruptions. Local. */

/* A measurement of a strip. */
typedef struct {
    double ratio;       /* measured time / predicted time */
    double noise;       /* relative standard error of the ratio; 0: unknown */
    int64_t supersteps; /* supersteps in the mean, 1 or more */
    double spread;      /* variance of measurements / variance of their ratios, at least 1 */
} halo_level;

/* Updates the patience after the measurements of all ranks. */
void halo_patience_update(halo_patience *patience);

/* True if temporary jumps are frequent: more than 1 % of the measurements. */
bool halo_patience_is_tried(const halo_patience *patience);

/* Processes a measurement. Returns the relative time by which the strip now seems to exceed the
 * prediction. A jump that is accepted changes the rank's speed instead. `all_variance` is the mean
 * over ranks. */
double halo_level_take(halo_rank_estimate *rank, halo_patience *patience, const halo_level *level,
                       double all_variance);

/* Only tests whether a measurement is a jump. Returns true if it is; it is then pending or
 * accepted. */
bool halo_level_take_jump(halo_rank_estimate *rank, halo_patience *patience,
                          const halo_level *level, double all_variance);

/* The factor by which all strips together exceeded the prediction: the median of `ratios` [count],
 * which are sorted by this; of two middle values the one closer to 1, or 1 if they are on different
 * sides. */
double halo_level_common(double *ratios, int count);

#endif
