#ifndef HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H
#define HALOBEAT_CORE_BEAT_BEAT_INTERNAL_H

#include "core/beat/beat.h"
#include "core/beat/depth_trials.h"
#include "core/beat/superstep.h"

/* Internals of the heartbeat. */

/* Sums of the heartbeat itself that follow the kernel's in the vote, if the halo depth is chosen
 * automatically. */
enum {
    BEAT_DEPTH_NANOSECONDS,
    BEAT_DEPTH_CELLS,
    BEAT_DEPTH_TAKEN,
    BEAT_DEPTH_BEATS,
    BEAT_DEPTH_CHANGING,
    BEAT_DEPTH_SUMS
};

/* Data from which the depth is chosen. */
typedef struct {
    bool automatic;                    /* false: no other member is used */
    halo_machine machine;              /* measured; the same on all ranks */
    int64_t supersteps, next;          /* supersteps done; number after which the depth is
                                        * reconsidered */
    double seconds, cells;             /* of computing on this rank before the current superstep */
    double all_nanoseconds, all_cells; /* of all ranks since the depth was last considered */
    int64_t longest_run;               /* maximum number of beats of a run */

    /* Times of whole supersteps, with waiting and votes. The time of a superstep is known after its
     * vote, and sent with the next one. */
    halo_depth_trials trials;
    double begun, taken;         /* of this rank, in seconds; `begun` is 0 after it was timed */
    int beats_now;               /* of the current superstep */
    int beats, skipped;          /* beats of `taken`, 0 if it is not used; supersteps still to be
                                  * skipped */
    int under_way, stale;        /* votes under way; those of them with times of another depth */
    double all_taken, all_beats; /* nanoseconds and beats of all ranks since the depth was last
                                  * considered */
    double changing;     /* nanoseconds of this rank's last change of depth, until they are sent */
    double all_changing; /* the same of all ranks */
} beat_depth;

struct halo_beat {
    halo_world *world;
    const halo_kernel *kernel;
    halo_beat_options options;
    halo_exchange_options exchange; /* the options of exchanges */
    halo_domain domain;
    halo_partition partition;
    halo_superstep *superstep;
    halo_loop *loop; /* its report includes the messages of exchanges that were destroyed */
    beat_depth depth;
    halo_async_options async; /* the target of options.async, unless that is NULL */
    halo_async_report async_report;

    /* State at the last plan. */
    int64_t messages, bytes; /* sent up to then */
};

/* Local. True if the parts of `partition` can move within their memory, and may have to. Strips
 * can, if the system allows. */
bool halo_beat_moves_in_place(const halo_beat *beat, const halo_partition *partition);

/* Collective, before a run. Connects parts that an earlier move could not connect for lack of
 * memory. */
halo_status halo_beat_connect(halo_beat *beat);

/* Collective, before fields are created. Sets *beats to the halo depth in beats, requested or
 * chosen. */
halo_status halo_beat_begin_depth(halo_beat *beat, const halo_partition *partition, int *beats);

/* Local. The number of beats of the first supersteps, with halos for `beats`. */
int halo_beat_first_beats(const halo_beat *beat, int beats);

/* Local, if depths are chosen. Called before each superstep; after it, to add this rank's sums to
 * the vote; after the vote, with the sums of all ranks. */
void halo_beat_begin_superstep(halo_beat *beat, int beats);
void halo_beat_count_superstep(halo_beat *beat, int64_t sums[BEAT_DEPTH_SUMS]);
void halo_beat_hear_superstep(halo_beat *beat, const int64_t sums[BEAT_DEPTH_SUMS]);

/* Collective, before each superstep. Considers now and then whether another depth is better; `left`
 * beats are left, below 0: unknown. */
halo_status halo_beat_adapt_depth(halo_beat *beat, int64_t left);

/* Collective, between supersteps. Replaces fields by those with halos for `beats` beats. *changed
 * is false, on all ranks, after a failure that leaves everything unchanged. */
halo_status halo_beat_set_depth(halo_beat *beat, int beats, bool *changed);

/* The hook `balance` of the loop, whose context is a halo_beat: plans, and moves rows. */
halo_status halo_beat_balance(void *context, int64_t left, bool overdue);

/* The hook `overdue` of the loop. */
bool halo_beat_is_overdue(void *context);

#endif
