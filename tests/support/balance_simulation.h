#ifndef HALOBEAT_TESTS_BALANCE_SIMULATION_H
#define HALOBEAT_TESTS_BALANCE_SIMULATION_H

#include "partition/balance/balance.h"

#include <stdbool.h>
#include <stdint.h>

/* A simulated cluster: 300 beats of up to 4096 rows on up to 16 ranks with known costs, speeds and
 * noise, so that a balancer can be compared with the ideal. */

enum { SIM_RANKS = 16, SIM_ROWS = 4096, SIM_BEATS = 300 };

/* Bounds of the time of `chain` with its default options: it keeps old cuts that cost at most lazy
 * = 1.5 % more, and cuts for which the gain would be at most gain = 3 %. So it may take that much
 * longer than a balancer that moves at every plan; and longer than none only if it moved for a
 * temporary change, for which the first bound applies. */
#define SIM_CHAIN_LAZY 1.015
#define SIM_CHAIN_BAND (1.03 * SIM_CHAIN_LAZY)

/* A situation. 0: it does not occur. Shares are of a rank's beats. */
typedef struct {
    const char *name;
    double (*cost)(int64_t row, int beat); /* NULL: 1 */
    double (*speed)(int rank, int beat);   /* NULL: 1 */
    int ranks;                             /* 0: 16 */
    int64_t rows;                          /* 0: SIM_ROWS */
    int every;                             /* beats between plans; 0: 1 */
    double noise;                          /* relative, of a rank's beat, */
    bool normal;        /* normal distribution; otherwise uniform within +- noise */
    double block_noise; /* relative, of a block's beat, uniform within +- this */
    double move_scale;  /* of the seconds to move a row; 0: 1 */
    double hiccups;     /* share in which hiccups begin: 5 times as long, for all blocks */
    int hiccup_beats;   /* number of beats they last; 0: 1 */
    double spikes;      /* share in which one block is interrupted */
    double spike_size;  /* mean of this time, exponentially distributed; 1: the beat of an even
                         * strip */
    double tail;        /* mean of an exponential deviate added to every beat, in the same unit */
    double common;      /* share in which all ranks take 1.5 times as long */
    bool blind;         /* no costs of blocks are measured */
} sim_situation;

typedef struct {
    double seconds, ideal;        /* of all beats; `seconds` includes moving */
    double clean_seconds;         /* without noise, with the same moves */
    int64_t rows;                 /* moved */
    int moves, first_move;        /* number of plans that moved, and the first beat of one */
    int moved_by[SIM_BEATS];      /* number of moves before each beat */
    double efficiency[SIM_BEATS]; /* ideal / actual of each beat, without noise */
    double idc[SIM_BEATS];
    uint64_t digest; /* of all cuts */
} sim_result;

/* Runs a situation with a balancer; `options` as for its create. */
void sim_run(const sim_situation *situation, const halo_balancer *balancer, const char *options,
             uint64_t seed, sim_result *result);

#endif
