#ifndef HALOBEAT_TESTS_BALANCE_SIMULATION_H
#define HALOBEAT_TESTS_BALANCE_SIMULATION_H

#include "partition/balance/balance.h"

#include <stdbool.h>
#include <stdint.h>

/* A cluster without a cluster: 300 beats of up to 4096 rows on up to 16 ranks with costs, speeds
 * and noise that are known, so that a balancer is compared with the ideal. */

enum { SIM_RANKS = 16, SIM_ROWS = 4096, SIM_BEATS = 300 };

/* Seconds of a row of cost 1 on a rank of speed 1, and for moving a row. */
extern const double sim_row_seconds, sim_move_seconds;

/* What bounds the time that `chain` takes, by its options' defaults: it keeps old cuts that cost at
 * most lazy = 1.5 %, and cuts of which others would gain no more than gain = 3 %. So it may take
 * that much longer than a balancer that moves at every plan; and longer than none only where it
 * moved for a change that did not last, for which the former is allowed. */
#define SIM_CHAIN_LAZY 1.015
#define SIM_CHAIN_BAND (1.03 * SIM_CHAIN_LAZY)

/* What happens. Zero means it does not. Shares are of a rank's beats. */
typedef struct {
    const char *name;
    double (*cost)(int64_t row, int beat); /* NULL: 1 */
    double (*speed)(int rank, int beat);   /* NULL: 1 */
    int ranks;                             /* 0: 16 */
    int64_t rows;                          /* 0: SIM_ROWS */
    int every;                             /* beats between plans; 0: 1 */
    double noise;                          /* relative, of a rank's beat, */
    bool normal;        /* normally distributed; otherwise even within +- noise */
    double block_noise; /* relative, of a block's beat, even within +- this */
    double move_scale;  /* of sim_move_seconds; 0: 1 */
    double hiccups;     /* share in which hiccups begin: 5 times as long, all blocks */
    int hiccup_beats;   /* how many beats they last; 0: 1 */
    double spikes;      /* share in which one block is interrupted, */
    double spike_size;  /* for this mean time, exponentially distributed; 1: an even strip's beat */
    double tail;        /* mean of an exponential deviate that is added to every beat; as above */
    double common;      /* share in which all ranks together take 1.5 times as long */
    bool blind;         /* no costs of blocks are measured */
} sim_situation;

typedef struct {
    double seconds, ideal;        /* of all beats; moving is in `seconds` */
    double clean_seconds;         /* as if there were no noise, but the same moves */
    int64_t rows;                 /* moved */
    int moves, first_move;        /* plans; beat */
    int moved_by[SIM_BEATS];      /* moves before each beat */
    double efficiency[SIM_BEATS]; /* ideal / actual of each beat, noise left out */
    double idc[SIM_BEATS];
    uint64_t digest; /* of all cuts */
} sim_result;

/* Run a situation with a balancer; `options` as for its create. */
void sim_run(const sim_situation *situation, const halo_balancer *balancer, const char *options,
             uint64_t seed, sim_result *result);

#endif
