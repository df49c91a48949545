#ifndef HALOBEAT_PARTITION_BALANCE_ESTIMATE_H
#define HALOBEAT_PARTITION_BALANCE_ESTIMATE_H

#include "partition/balance/alarm.h"
#include "partition/balance/balance.h"
#include "partition/balance/decision.h"

/* Estimates of the cost of rows and the speed of ranks, from noisy times per rank and per block of
 * rows. A change that leaves the shape of costs within a strip unchanged is a change of the rank's
 * speed. A change of shape is a change of the rows' cost, and so is a difference between strips,
 * except a jump where two strips meet. A change common to all ranks scales all costs. Without times
 * per block every change is one of speed. Local; the same loads give the same estimates. */

/* Weight of a new measurement. An estimate is used for up to HALO_HORIZON_PLANS plans, half as many
 * on average. Measurements with this weight are (1 - weight) / weight plans old on average: half of
 * that number, so that past changes add less error than future ones. */
#define HALO_MEASUREMENT_WEIGHT (1 / (1 + HALO_HORIZON_PLANS / 4.))

typedef struct {
    double speed;              /* seconds at speed 1 / seconds */
    double fixed;              /* seconds per beat whatever the rows */
    int seen;                  /* measurements in the estimate; 0: unknown */
    double variance;           /* relative variance of one recent measurement */
    double square, freedom;    /* the same of this measurement, and its number of differences */
    double share;              /* share of that variance in the estimate */
    double residual;           /* relative error of the estimate after the last measurement */
    double change;             /* mean change from one error to the next: high if there is a
                                * drift */
    double drift;              /* smoothed relative error */
    double size;               /* smoothed absolute relative error */
    double strike;             /* pending jump: mean of measured / predicted; 0: none */
    int strikes;               /* measurements in it */
    int64_t strike_supersteps; /* and supersteps, at least */
    bool rough;                /* the size of the jump is unreliable */
    double jumped;             /* the last accepted jump; 0: none */
    int64_t since;             /* supersteps since that one began, without those of a pending
                                * jump */
    bool sure;                 /* the last measurement has enough supersteps to be used alone */
    int64_t lo, rows;          /* its strip at the last measurement */
    bool shifted;              /* the strip has changed since the measurement before */
    bool mixed;                /* more than a quarter of its rows is new */
    bool blocks;               /* this time costs of blocks were measured */
    bool reshaped;             /* this time their shape changed */
    int jump_strike;           /* direction of a jump seen between this strip and the one before */
} halo_rank_estimate;

/* When a jump is accepted: it must last for more supersteps than recent temporary jumps, and for
 * more measurements than are likely to be in temporary jumps in a row by chance; see alarm.h. */
typedef struct {
    double alarms;  /* share of runs in which a false alarm is allowed */
    double errors;  /* standard errors that a jump must exceed */
    double longest; /* supersteps of the longest temporary jump, decaying */
    halo_alarm_history history;
    int returned; /* measurements in temporary jumps since the last update */
} halo_patience;

/* Noise of one measurement, relative. */
typedef struct {
    double variance;
    double freedom;             /* independent differences in it */
    double errors;              /* standard errors that a gain must exceed; the rounded */
    double of_plan, of_freedom; /* plan number and degrees of freedom that they were computed for */
} halo_noise;

typedef struct {
    int ranks;
    int64_t rows;
    double *work;             /* [rows]: seconds at speed 1 */
    double *profile;          /* [rows]: measured this time */
    halo_rank_estimate *rank; /* [ranks] */
    unsigned char *struck;    /* [rows]: true if their block differed last time */
    double *ratio;            /* [ranks]: measured / predicted */
    halo_noise seen, assumed; /* mean over ranks: by itself, and with the assumption made before */
    int64_t plans;            /* number of plans so far */
    double common;            /* measured / predicted of all ranks together this time */
    double spread;            /* factor by which they vary more than their differences do */
    halo_patience patience;
} halo_estimate;

/* Frees an estimate. Accepts a zeroed one. */
void halo_estimate_free(halo_estimate *estimate);

/* Resets the estimate and allocates it for `ranks` ranks and `rows` rows. `alarms`, above 0, is the
 * share of runs with an even load in which noise may be taken for a change (alarm.h). HALO_MEMORY.
 * The caller frees the estimate, also after a failure. */
halo_status halo_estimate_reset(halo_estimate *estimate, int ranks, int64_t rows, double alarms);

/* Processes the measurements with `cuts`. */
void halo_estimate_update(halo_estimate *estimate, const halo_load *loads, const int64_t *cuts);

/* True if every rank with rows was measured at least twice, or often enough at once. */
bool halo_estimate_is_ready(const halo_estimate *estimate, const int64_t *cuts);

/* The gain that noise does not reach, as a share of the time in which all ranks could finish
 * together; `last` is the last rank to finish. *errors is that in standard errors. */
double halo_estimate_noise(const halo_estimate *estimate, int last, double *errors);

#endif
