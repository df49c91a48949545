#ifndef HALOBEAT_WALK_ESTIMATE_H
#define HALOBEAT_WALK_ESTIMATE_H

#include "base/status.h"
#include "kernels/walk/walk.h"

#include <stdbool.h>
#include <stddef.h>

/* Estimates from walkers' displacements. All functions are local and pure.
 *
 * Walkers are computed in tasks, each with its own sums. The variation between tasks gives the
 * error of a result: errors are half of the 95 % confidence interval, by the jackknife over tasks
 * (J. W. Tukey, Bias and confidence in not-quite large samples, 1958) and Student's t. */

/* The number of walkers per task (the last one may have fewer), such that there are at least 16
 * tasks if there are enough walkers; and the number of tasks. */
int halo_walk_task_size(int64_t walkers);
int64_t halo_walk_tasks(int64_t walkers);

/* The number of walkers of task `task`, from 0 on. */
int halo_walk_task_walkers(int64_t walkers, int64_t task);

/* The number of records of halo_walk_run, and how many steps apart they are by default. */
int64_t halo_walk_records(int64_t steps, int64_t every);
int64_t halo_walk_default_every(int64_t steps);

typedef struct {
    int axes;
    int64_t walkers, steps, every;
    const int64_t *sums; /* [tasks][records][halo_walk_sums] */
} halo_walk_samples;

/* A value and its error; a negative error is unknown, since there is only one task. */
typedef struct {
    double value, error;
} halo_walk_number;

/* The motion along one axis after the steps of one record. */
typedef struct {
    int64_t steps;
    halo_walk_number mean;     /* mean displacement, cells */
    halo_walk_number square;   /* mean square of the displacement */
    halo_walk_number variance; /* variance of the displacement */
    halo_walk_number slope;    /* of the spread per step, fitted from half of the steps on, which
                                * excludes the initial phase (a line through the origin would
                                * include it). The spread is the variance, or without drift the
                                * mean square */
    halo_walk_number before;   /* slope from a quarter to half of the steps */
    halo_walk_number change;   /* slope minus `before` */
} halo_walk_motion;

/* Estimates of products of displacements along two axes, after record `record`: the element of a
 * tensor. `mean` is that of axis `a`, `square` the mean product, `variance` the covariance.
 * `drifts`: the mean displacement is not 0. */
void halo_walk_estimate_pair_sized(const halo_walk_samples *samples, int64_t record, int a, int b,
                                   bool drifts, halo_walk_motion *motion, size_t motion_bytes);
static inline halo_walk_motion halo_walk_estimate_pair(const halo_walk_samples *samples,
                                                       int64_t record, int a, int b, bool drifts)
{
    halo_walk_motion halo_filled;
    halo_walk_estimate_pair_sized(samples, record, a, b, drifts, &halo_filled,
                                  sizeof(halo_walk_motion));
    return halo_filled;
}

/* The same along one axis. */
static inline halo_walk_motion halo_walk_estimate(const halo_walk_samples *samples, int64_t record,
                                                  int axis, bool drifts)
{
    return halo_walk_estimate_pair(samples, record, axis, axis, drifts);
}

/* A value in its 95 % confidence interval; NaN: unknown, or there is none. */
typedef struct {
    double value, low, high;
} halo_walk_interval;

/* The tortuosity: how much slower than in the fluid alone (halo_walk_facts.free_slope) the mean
 * square grows. Confined walkers have none. */
halo_walk_interval halo_walk_tortuosity_sized(const halo_walk_motion *motion, double free_slope,
                                              size_t motion_bytes);
#define halo_walk_tortuosity(...) halo_walk_tortuosity_sized(__VA_ARGS__, sizeof(halo_walk_motion))

/* True if the spread has not yet become linear: the magnitude of `change` is above 1.25 errors,
 * which happens by chance in 1 or 2 of 100 cases. False if there are too few walkers to tell. */
bool halo_walk_is_curved_sized(const halo_walk_motion *motion, size_t motion_bytes);
#define halo_walk_is_curved(...) halo_walk_is_curved_sized(__VA_ARGS__, sizeof(halo_walk_motion))

/* True if the slope is 0 to within its error: the walkers are confined. */
bool halo_walk_is_confined_sized(const halo_walk_motion *motion, size_t motion_bytes);
#define halo_walk_is_confined(...) \
    halo_walk_is_confined_sized(__VA_ARGS__, sizeof(halo_walk_motion))

#endif
