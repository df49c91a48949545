#ifndef HALOBEAT_TESTS_BALANCE_WATCH_H
#define HALOBEAT_TESTS_BALANCE_WATCH_H

#include "core/balance/balancing.h"
#include "core/beat/beat.h"

/* Checks every decision of a balancing as it is told, and its report in the end (with expect). */

enum { BALANCE_WATCH_RANKS = 64 };

typedef struct {
    halo_world *world;
    halo_balancing *balancing;
    const char *text; /* names the case where a check fails */
    int64_t min_rows; /* of a strip that is not empty; 0: not checked */
    int64_t every;
    int ranks;
    int64_t plans, moves, rows_moved, last_beat;
    bool blocks; /* axes take turns, with as many parts as they have */
    bool planned[HALO_AXES];
    int64_t cuts[HALO_AXES][BALANCE_WATCH_RANKS + 1]; /* as the last decision left them */
    bool was_empty[HALO_AXES][BALANCE_WATCH_RANKS];   /* this part has had no layers */
    int64_t refilled;                                 /* times that a rank had none and got some */
    uint64_t digest;                                  /* of all decisions */
    const halo_beat *beat;                            /* for balance_watch_strip */
} balance_watch;

/* Collective. Begin to balance: `balancer` and `migrate` as in halo_balance_options; `watch` is
 * made anew but for its `text`, `min_rows` and `blocks`, and must stay where it is until the end.
 */
void balance_watch_start(balance_watch *watch, halo_world *world, const char *balancer,
                         int64_t every, const char *migrate);

/* Collective. Were all decisions told, and the same on all ranks? Balancing ends. */
void balance_watch_end(balance_watch *watch);

/* Local. For halo_beat_options.watch, with the balance_watch as context: does this rank own what
 * was decided? `beat` must be set. Never stops a run. */
bool balance_watch_strip(void *watch, int64_t beats, int64_t changed);

#endif
