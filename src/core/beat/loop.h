#ifndef HALOBEAT_CORE_BEAT_LOOP_H
#define HALOBEAT_CORE_BEAT_LOOP_H

#include "core/world/clock.h"
#include "core/world/world.h"

/* The loop of all kernels: balance, do a superstep, vote, and stop if the run has converged or a
 * stop was requested. A table of hooks says what a superstep does; the loop knows nothing of cells.
 * The heartbeat of stencils uses it, and so do contours, whose supersteps move points, and
 * labelling, whose beats merge borders. */
typedef struct halo_loop halo_loop;

/* Options of a loop, the same on all ranks. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *vote;         /* a method of HALO_VOTE_LIST; NULL: allreduce */
    int sums;                 /* number of the hooks' own sums in each vote */
    int beats_per_vote;       /* maximum number of beats of a superstep; 0 means 1 */
    bool converges;           /* a beat that changes at most change_threshold ends the run */
    int64_t change_threshold; /* summed over all ranks */
    int64_t first_beat;       /* beats done before by an earlier run; counting continues from
                               * here */

    /* Collect each vote some supersteps late: as many as halo_vote_lateness says, ceil(log2 P) with
     * "pipeline" on P ranks, 0 with other methods. All hooks then get results that much later, so
     * the supersteps done meanwhile must not depend on them. Such extra supersteps change nothing
     * in a run that has converged; they count in a run that was stopped. Not possible with a
     * threshold. */
    bool votes_late;
} halo_loop_options;

/* A rank's report of all beats since its loop was created. */
typedef struct {
    int64_t beats;
    bool converged;        /* the last run ended because it had converged */
    bool stopped;          /* the last run ended because a rank requested it */
    int64_t messages;      /* messages sent to other ranks in supersteps */
    int64_t bytes;         /* bytes sent in these messages */
    int64_t votes;         /* one per superstep */
    int64_t vote_messages; /* see halo_vote_counts: the sum over ranks / votes is per vote */
    int64_t vote_steps;    /* see halo_vote_counts: the maximum over ranks / votes is per vote */
    const char *vote;      /* method of the last run's votes, a name of HALO_VOTE_LIST; NULL
                            * before the first run */
    double edge_seconds;   /* seconds of computing that could not begin before the halo arrived */
    halo_clock clock;      /* seconds per phase */
} halo_beat_report;

/* A superstep: the beats between two votes. */
typedef struct {
    int64_t done;     /* beats done before it, including first_beat */
    int beats;        /* beats of this superstep, 1 or more; fewer than beats_per_vote at the end
                       * of a run */
    int64_t *changed; /* [beats] number of cells, points or tasks changed by each of them */
    int64_t *sums;    /* [halo_loop_options.sums] */
} halo_loop_superstep;

/* Hooks. All but `superstep` are optional. */
typedef struct {
    /* Collective, before each superstep. Moves what ranks own if a plan is due, or if `overdue` was
     * true on any rank. `left` is the number of beats still to come in this run, negative if
     * unknown. With `votes_late` other ranks may still be in an earlier superstep. A failure
     * must be the same on all ranks; it ends the run. */
    halo_status (*balance)(void *context, int64_t left, bool overdue);

    /* Local, before each vote; the result is part of the vote. */
    bool (*overdue)(void *context);

    /* Collective. Exchanges and computes. Adds this rank's contribution to `changed` and `sums`,
     * which are 0 at first, and its messages and times to the loop's report. A failure on one rank
     * is sent with the vote and ends the run on all ranks; the rank must still send the messages
     * that others wait for. */
    halo_status (*superstep)(void *context, halo_loop_superstep *superstep);

    /* Local, after each vote in which no rank has failed, for each superstep in order. `sums` and
     * the last entry of `changed` (all entries if `converges`) are now sums over all ranks.
     * Returning true ends the run as converged; it must be the same on all ranks. */
    bool (*agreed)(void *context, const halo_loop_superstep *superstep);

    /* Local, after `agreed`, with the number of beats done and what the last of them changed on all
     * ranks. The report includes this superstep and none after it. If it returns true on any rank,
     * the request is sent with the next vote, and all ranks stop when they collect that vote; if
     * this run has ended by then, the next run stops with its first vote. */
    bool (*watch)(void *context, int64_t beats, int64_t changed);
} halo_loop_hooks;

/* Collective. Creates a loop. The world must outlive it; the caller destroys it. HALO_ARGUMENT for
 * an unknown method of voting or numbers out of range, HALO_MEMORY; the same on all ranks. */
halo_status halo_loop_create_sized(halo_loop **out, halo_world *world,
                                   const halo_loop_options *options, size_t options_bytes);
#define halo_loop_create(...) halo_loop_create_sized(__VA_ARGS__, sizeof(halo_loop_options))

/* Local. Frees the loop and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_loop_destroy(halo_loop **loop);

/* Collective. Does supersteps until the run converges, a watcher or halo_loop_stop ends it, or
 * `max` more beats are done (0: no limit); the last superstep may be shorter. The counted beats end
 * with the first beat that changed at most change_threshold, even within a superstep. `context` is
 * passed to the hooks; hooks and context may differ from run to run. A failure on any rank is
 * returned by all ranks after the same superstep, with the status and message of the lowest failing
 * rank. HALO_TRANSPORT. */
halo_status halo_loop_run(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                          int64_t max);

/* Collective. Sets the maximum number of beats of a superstep, 1 or more. HALO_ARGUMENT for another
 * number, or more than 1 with a threshold; HALO_MEMORY; HALO_TRANSPORT. After a failure the loop is
 * unchanged, on all ranks. */
halo_status halo_loop_set_beats_per_vote(halo_loop *loop, int beats);

/* Local. Requests a stop, as if this rank's watcher had returned true after the last superstep. */
void halo_loop_stop(halo_loop *loop);

/* Local. The report of this rank, owned by the loop. The loop fills in beats, how the run ended,
 * votes and the clock's VOTE; hooks add the rest. The owner of the loop may set it to zero between
 * runs. */
halo_beat_report *halo_loop_get_report(halo_loop *loop);

#endif
