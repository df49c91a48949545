#ifndef HALOBEAT_TESTS_BALANCE_WATCH_H
#define HALOBEAT_TESTS_BALANCE_WATCH_H

#include "core/balance/balancing.h"
#include "core/beat/beat.h"

/* Checks every decision of a balancing when it is notified, and its report at the end (with
 * expect). */

enum { BALANCE_WATCH_RANKS = 64 };

typedef struct {
    halo_world *world;
    halo_balancing *balancing;
    const char *text; /* name of the case in messages */
    int64_t min_rows; /* of a strip that is not empty; 0: not checked */
    int64_t every;
    int ranks;
    int64_t plans, moves, rows_moved, last_beat;
    bool blocks; /* axes are planned in turn, each with its own number of parts */
    bool planned[HALO_AXES];
    int64_t cuts[HALO_AXES][BALANCE_WATCH_RANKS + 1]; /* after the last decision */
    bool was_empty[HALO_AXES][BALANCE_WATCH_RANKS];   /* this part was without layers before */
    int64_t refilled;                                 /* number of times that an empty part got
                                                       * layers */
    uint64_t digest;                                  /* of all decisions */
    const halo_beat *beat;                            /* for balance_watch_strip */
} balance_watch;

/* Collective. Begins balancing: `balancer` and `migrate` as in halo_balance_options; `watch` is
 * reset except for its `text`, `min_rows` and `blocks`, and must stay where it is until the end. */
void balance_watch_start(balance_watch *watch, halo_world *world, const char *balancer,
                         int64_t every, const char *migrate);

/* Collective. Checks that all decisions were notified, the same on all ranks. Ends balancing. */
void balance_watch_end(balance_watch *watch);

/* Local. For halo_beat_options.watch, with the balance_watch as context: checks that this rank owns
 * what was decided. `beat` must be set. Never stops a run. */
bool balance_watch_strip(void *watch, int64_t beats, int64_t changed);

#endif
