#ifndef HALOBEAT_WALK_ESTIMATE_H
#define HALOBEAT_WALK_ESTIMATE_H

#include "base/status.h"
#include "kernels/walk/walk.h"

#include <stdbool.h>

/* What walkers' displacements say. All functions are local and pure.
 *
 * Walkers are computed in tasks, each with sums of its own. How much these differ from each other
 * says how much a result would differ with other random numbers: errors are half of the interval
 * that has the true value in 95 of 100 cases, by leaving out each task in turn (the jackknife: J.
 * W. Tukey, Bias and confidence in not-quite large samples, 1958) and Student's t. */

/* Tasks of the same size, but for the last one: at least 16, as far as there are walkers. */
int halo_walk_task_size(int64_t walkers);
int64_t halo_walk_tasks(int64_t walkers);

/* Records of a run: those of halo_walk_run. */
int64_t halo_walk_records(int64_t steps, int64_t every);

typedef struct {
    int axes;
    int64_t walkers, steps, every;
    const int64_t *sums; /* [tasks][records][halo_walk_sums] */
} halo_walk_samples;

/* With its error; a negative error is not known, since there is one task. */
typedef struct {
    double value, error;
} halo_walk_number;

/* After the steps of one record, along one axis. */
typedef struct {
    int64_t steps;
    halo_walk_number mean;     /* displacement, cells */
    halo_walk_number square;   /* its mean square */
    halo_walk_number variance; /* mean square of what is between it and the mean */
    halo_walk_number slope;    /* of the spread, a step, from half of the steps on: that leaves out
                                * how walkers begin, which a line from the origin would keep. The
                                * spread is the variance, or, without a drift, the mean square */
    halo_walk_number before;   /* the same from a quarter to half of the steps, and */
    halo_walk_number change;   /* from that to the slope */
} halo_walk_motion;

/* Axis `axis` after record `record`. `drifts`: the mean displacement is not 0. */
halo_walk_motion halo_walk_estimate(const halo_walk_samples *samples, int64_t record, int axis,
                                    bool drifts);

/* Is the spread still on its way to a straight line? The change of slope is then more than 1.25
 * errors, which chance alone makes of it in 1 or 2 of 100 cases. False too where there are too few
 * walkers to tell. */
bool halo_walk_is_curved(const halo_walk_motion *motion);

/* Is the slope 0, as far as these walkers can tell? They are confined then, and go nowhere. */
bool halo_walk_is_confined(const halo_walk_motion *motion);

#endif
