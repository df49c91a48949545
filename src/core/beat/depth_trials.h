#ifndef HALOBEAT_CORE_BEAT_DEPTH_TRIALS_H
#define HALOBEAT_CORE_BEAT_DEPTH_TRIALS_H

#include "partition/model.h"

/* The choice of the next halo depth of a run. The model of partition/model.h predicts the time per
 * beat for each depth; measured times of depths that were used in this run have priority. The model
 * is wrong where large messages are slower than it assumes, parts with deep halos do not fit the
 * cache, or ranks share cores. All functions are local and pure. */

/* The range of depths. */
typedef struct {
    const halo_machine *machine;
    const halo_workload *workload; /* its `beats` is not read */
    const int *parts;              /* [HALO_AXES] */
    int min, max;                  /* beats per exchange */
    double change;                 /* seconds per beat that another depth must save */
} halo_depth_range;

enum { HALO_DEPTH_TRIALS = 16 };

/* Measured depths. Zero-initialise it. */
typedef struct {
    int count;
    struct {
        int beats;      /* beats per exchange */
        double seconds; /* per beat */
    } tried[HALO_DEPTH_TRIALS];
} halo_depth_trials;

/* Notes that a beat took `seconds` with halos for `beats`. If this is 1.5 times as long as before
 * for this depth, or the reverse, conditions have changed and the times of other depths are
 * dropped. */
void halo_depth_trials_note(halo_depth_trials *trials, int beats, double seconds);

/* Expected seconds per beat with halos for `beats`: measured, or the prediction corrected by the
 * error of that for the nearest measured depth. */
double halo_depth_trials_expect(const halo_depth_trials *trials, const halo_depth_range *range,
                                int beats);

/* The next depth, after `now`. Another one if a beat is expected to be 10 % shorter and to save
 * more than range->change. If beats take 25 % longer than predicted for no known reason, half and
 * twice the depth are each tried once. The result is in the range even if `now` is not. */
int halo_depth_trials_choose(const halo_depth_trials *trials, const halo_depth_range *range,
                             int now);

#endif
