#ifndef HALOBEAT_PARTITION_BALANCE_ESTIMATE_H
#define HALOBEAT_PARTITION_BALANCE_ESTIMATE_H

#include "partition/balance/alarm.h"
#include "partition/balance/balance.h"
#include "partition/balance/decision.h"

/* What rows cost and how fast ranks are, from noisy times per rank and per block of rows. What
 * changes without changing the shape of the costs inside a strip is the rank's speed; what changes
 * the shape is the rows' cost, and so is what differs between strips, but for a jump where two
 * strips meet. What changes for all ranks alike is neither, and scales all costs. Without times per
 * block all is speed. Local; the same from the same loads. */

/* Weight of a new measurement. What is estimated is used for up to HALO_HORIZON_PLANS plans to
 * come, half as many on average. That of measurements weighted so is (1 - weight) / weight plans
 * old; half of the former, so that what has changed since adds less error than what will change. */
#define HALO_MEASUREMENT_WEIGHT (1 / (1 + HALO_HORIZON_PLANS / 4.))

typedef struct {
    double speed;              /* seconds at speed 1 over seconds */
    double fixed;              /* seconds of a beat, whatever the rows */
    int seen;                  /* measurements in the estimate; 0: nothing known */
    double variance;           /* of one measurement, relative, of late */
    double square, freedom;    /* the same as seen this time, and in how many differences */
    double share;              /* of that variance in the estimate */
    double residual;           /* relative error of the last measurement, after it was taken in */
    double change;             /* mean change from one error to the next: what drifts has one */
    double drift;              /* smoothed relative error, */
    double size;               /* and its smoothed absolute value */
    double strike;             /* a jump not yet believed: measured over predicted, mean; 0: none */
    int strikes;               /* measurements in it, */
    int64_t strike_supersteps; /* and supersteps, at least */
    bool rough;                /* the size of that jump is not to be relied on */
    double jumped;             /* the last jump that was believed; 0: none yet */
    int64_t since;             /* supersteps since that one began, those of a new jump left out */
    bool sure;        /* the last measurement is a mean of enough supersteps to stand alone */
    int64_t lo, rows; /* of its strip when last measured */
    bool shifted;     /* those changed since the time before */
    bool mixed;       /* more than a quarter of them is new */
    bool blocks;      /* costs of rows were measured this time */
    bool reshaped;    /* their shape changed this time */
    int jump_strike;  /* where this strip meets the one before: direction of a jump seen */
} halo_rank_estimate;

/* When a jump is believed. It must show in more supersteps than any recent jump that went away
 * again, and in more measurements than jumps that go away are likely to fall into one after the
 * other by chance: see alarm.h. */
typedef struct {
    double alarms;  /* false ones that are allowed in a run */
    double errors;  /* standard errors that a jump must exceed: no noise does */
    double longest; /* supersteps of the longest that went away, fading */
    halo_alarm_history history;
    int returned; /* measurements in jumps that went away, since the last update */
} halo_patience;

/* What is known of the noise of one measurement, relative. */
typedef struct {
    double variance;
    double freedom; /* independent differences that it has been seen in */
    double errors;  /* standard errors that a gain must exceed: no noise does; and the rounded */
    double of_plan, of_freedom; /* number of the plan and freedom that they were computed for */
} halo_noise;

typedef struct {
    int ranks;
    int64_t rows;
    double *work;             /* [rows]: seconds at speed 1 */
    double *profile;          /* [rows]: as measured this time */
    halo_rank_estimate *rank; /* [ranks] */
    unsigned char *struck;    /* [rows]: did their block stand out last time? */
    double *ratio;            /* [ranks]: measured over predicted */
    halo_noise seen, assumed; /* the ranks' mean: alone, and with what is assumed before */
    int64_t plans;            /* so far */
    double common;            /* measured over predicted, what all ranks took longer this time */
    double spread;            /* by how much they vary more than what differs between them does */
    halo_patience patience;
} halo_estimate;

/* Accepts a zeroed estimate. */
void halo_estimate_free(halo_estimate *estimate);

/* Forgets everything and makes room for `ranks` ranks and `rows` rows. `alarms` is the share of
 * runs of an even load in which noise may be taken for a change, above 0 (alarm.h). HALO_MEMORY.
 * The caller frees the estimate, after a failure too. */
halo_status halo_estimate_reset(halo_estimate *estimate, int ranks, int64_t rows, double alarms);

/* Take in what was measured with `cuts`. */
void halo_estimate_update(halo_estimate *estimate, const halo_load *loads, const int64_t *cuts);

/* Was every rank that has rows measured twice at least, or often enough at once? */
bool halo_estimate_is_ready(const halo_estimate *estimate, const int64_t *cuts);

/* The gain that no noise shows, as a share of the time in which all ranks could end together, where
 * `last` is the last one to end; and how many standard errors that is. */
double halo_estimate_noise(const halo_estimate *estimate, int last, double *errors);

#endif
