#ifndef HALOBEAT_PARTITION_BALANCE_LEVEL_H
#define HALOBEAT_PARTITION_BALANCE_LEVEL_H

#include "partition/balance/estimate.h"

/* Following how long a strip takes as a whole, through noise, jumps and interruptions. Local. */

/* A strip's time as it was measured. */
typedef struct {
    double ratio;       /* measured over predicted */
    double noise;       /* its relative standard error; 0 if not known */
    int64_t supersteps; /* that it is the mean of, at least 1 */
    double spread;      /* variance of measurements over that of their ratios, at least 1 */
} halo_level;

/* The patience after all ranks' measurements. */
void halo_patience_update(halo_patience *patience);

/* Are jumps that go away frequent: more than one measurement in a hundred? */
bool halo_patience_is_tried(const halo_patience *patience);

/* Take in a measurement: by how much the strip now seems to take longer than was predicted. What is
 * believed to be a jump goes to the rank's speed instead. `all_variance` is the ranks' mean. */
double halo_level_take(halo_rank_estimate *rank, halo_patience *patience, const halo_level *level,
                       double all_variance);

/* Only look whether a measurement is a jump. True if so: then it is waited for, or believed. */
bool halo_level_take_jump(halo_rank_estimate *rank, halo_patience *patience,
                          const halo_level *level, double all_variance);

/* By how much all strips took longer than predicted, all together: the middle one of `ratios`
 * ([count], which are sorted), of the two middle ones the one nearer to 1; 1 if those disagree. */
double halo_level_common(double *ratios, int count);

#endif
