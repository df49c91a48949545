#ifndef HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H
#define HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H

#include "core/beat/beat.h"
#include "core/beat/depth_trials.h"
#include "core/beat/superstep.h"

/* What the files of the heartbeat share. Internal to them. */

/* Numbers of the heartbeat's own that ride on the vote behind the kernel's, where the depth of
 * halos is chosen. */
enum {
    BEAT_DEPTH_NANOSECONDS,
    BEAT_DEPTH_CELLS,
    BEAT_DEPTH_TAKEN,
    BEAT_DEPTH_BEATS,
    BEAT_DEPTH_CHANGING,
    BEAT_DEPTH_SUMS
};

/* What a depth that is chosen follows from. */
typedef struct {
    bool automatic;                    /* otherwise none of the rest is used */
    halo_machine machine;              /* as measured, the same on all ranks */
    int64_t supersteps, next;          /* done; after which it is looked at again */
    double seconds, cells;             /* computed by this rank before the superstep at hand */
    double all_nanoseconds, all_cells; /* by all ranks since the last look */
    int64_t longest_run;               /* beats that were asked for at once */

    /* Whole supersteps, waiting and votes included. What one took is known after its vote, and
     * rides on the next one. */
    halo_depth_trials trials;
    double begun, taken;  /* this rank's: seconds; `begun` is 0 when it has been timed */
    int beats_now;        /* of the superstep at hand */
    int beats, skipped;   /* of `taken`, 0 if it does not count; supersteps yet to be skipped */
    int under_way, stale; /* votes under way; those of them that tell of another depth's times */
    double all_taken, all_beats; /* nanoseconds, beats: of all ranks since the last look */
    double changing;     /* nanoseconds of this rank's last change, until they have been sent */
    double all_changing; /* of all ranks' */
} beat_depth;

struct halo_beat {
    halo_world *world;
    const halo_kernel *kernel;
    halo_beat_options options;
    halo_exchange_options exchange; /* those of them that say how halos travel */
    halo_domain domain;
    halo_partition partition;
    halo_superstep *superstep;
    halo_loop *loop; /* whose report counts messages of exchanges that are no more */
    beat_depth depth;
    halo_async_options async; /* which options.async points to, unless that is NULL */
    halo_async_report async_report;

    /* When the last plan was made. */
    int64_t messages, bytes; /* that had been sent */
};

/* Local. Can the parts of `partition` move within their memory, and are they wanted to? Strips can,
 * where the system lets them. */
bool halo_beat_moves_in_place(const halo_beat *beat, const halo_partition *partition);

/* Collective, before a run. Connects parts that an earlier move had no memory left to connect. */
halo_status halo_beat_connect(halo_beat *beat);

/* Collective, before there are fields. *beats is the depth of halos that is asked for, or chosen.
 */
halo_status halo_beat_begin_depth(halo_beat *beat, const halo_partition *partition, int *beats);

/* Local. Beats of the first supersteps, with halos for `beats`. */
int halo_beat_first_beats(const halo_beat *beat, int beats);

/* Local, where depths are chosen: before each superstep; after it, what this rank adds to the vote;
 * after a vote, what all ranks have added. */
void halo_beat_begin_superstep(halo_beat *beat, int beats);
void halo_beat_count_superstep(halo_beat *beat, int64_t sums[BEAT_DEPTH_SUMS]);
void halo_beat_hear_superstep(halo_beat *beat, const int64_t sums[BEAT_DEPTH_SUMS]);

/* Collective, before each superstep. Looks, now and then, whether another depth is better; `left`
 * beats are yet to be done, below 0: nobody knows. */
halo_status halo_beat_adapt_depth(halo_beat *beat, int64_t left);

/* Collective, between supersteps. Halos for `beats` beats from now on, in other fields. *changed:
 * false, on all ranks, after a failure that leaves all as it was. */
halo_status halo_beat_set_depth(halo_beat *beat, int beats, bool *changed);

/* A hook of the loop, whose context is a halo_beat: plans, and moves what is to be moved. */
halo_status halo_beat_balance(void *context, int64_t left, bool overdue);

/* Another one: has no plan been made for long? */
bool halo_beat_is_overdue(void *context);

#endif
