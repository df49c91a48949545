#ifndef HALOBEAT_CORE_BEAT_DEPTH_TRIALS_H
#define HALOBEAT_CORE_BEAT_DEPTH_TRIALS_H

#include "partition/model.h"

/* Which depth of halos a run should have next. The model of partition/model.h predicts what a beat
 * takes with each; what beats took in this run with the depths it has had counts for more. The
 * model is wrong where large messages are slower than it says, parts with deep halos leave the
 * cache, or ranks share cores. All functions are local and pure: the same figures, the same depth.
 */

/* What depths are chosen from. */
typedef struct {
    const halo_machine *machine;
    const halo_workload *workload; /* whose beats are not read */
    const int *parts;              /* [HALO_AXES] */
    int min, max;                  /* beats an exchange */
    double change;                 /* seconds a beat that another depth has to save */
} halo_depth_range;

enum { HALO_DEPTH_TRIALS = 16 };

/* Zero-initialise it. */
typedef struct {
    int count;
    struct {
        int beats;      /* an exchange */
        double seconds; /* a beat */
    } tried[HALO_DEPTH_TRIALS];
} halo_depth_trials;

/* A beat took `seconds`, with halos for `beats`. What is known of other depths is forgotten where
 * this one takes half as long again as before, or the other way round: something has changed. */
void halo_depth_trials_note(halo_depth_trials *trials, int beats, double seconds);

/* Seconds of a beat with halos for `beats`: as measured, or as predicted but as wrong as the
 * prediction of the nearest depth that was tried is. */
double halo_depth_trials_expect(const halo_depth_trials *trials, const halo_depth_range *range,
                                int beats);

/* The depth to have next, where that is `now`: another one where a beat is expected to be a tenth
 * shorter; or where beats take a quarter longer than predicted and nobody knows why, half of it or
 * twice as much, each once; and what it saves is more than range->change. Within the range also
 * where `now` is not. */
int halo_depth_trials_choose(const halo_depth_trials *trials, const halo_depth_range *range,
                             int now);

#endif
