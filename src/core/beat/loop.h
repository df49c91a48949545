#ifndef HALOBEAT_CORE_BEAT_LOOP_H
#define HALOBEAT_CORE_BEAT_LOOP_H

#include "core/world/clock.h"
#include "core/world/world.h"

/* The loop of everything that beats: balance, do a superstep, vote, see whether it has converged or
 * is to stop, and again. A table of hooks says what a superstep does; the loop knows nothing of
 * cells. The heartbeat of stencils stands on it, and so do contours, whose halves are points,
 * and labelling, whose beats merge borders. */
typedef struct halo_loop halo_loop;

/* Zero-initialise it: 0 means the default. The same on all ranks. */
typedef struct {
    const char *vote;         /* a method of HALO_VOTE_LIST; allreduce */
    int sums;                 /* numbers of the hooks' own that ride on the vote */
    int beats_per_vote;       /* of a superstep, at most; 0 means 1 */
    bool converges;           /* a beat that changes no more than change_threshold ends a run */
    int64_t change_threshold; /* over all ranks */
    int64_t first_beat;       /* beats that were done before, by others: they are counted along */

    /* Votes are waited for later, by as many supersteps as the method takes until nobody has to
     * wait (halo_vote_lateness): ceil(log2 P) with "pipeline" on P ranks, 0 with others. All hooks
     * get results that much later, which must not matter to the supersteps done meanwhile. These
     * have changed nothing where the run has converged, and count where it was stopped. A rank that
     * has failed fails in them, too. Not with a threshold. */
    bool votes_late;
} halo_loop_options;

/* What one rank has done since its loop was made. */
typedef struct {
    int64_t beats;
    bool converged;        /* the last run ended because it had converged */
    bool stopped;          /* the last run ended because a rank requested it */
    int64_t messages;      /* sent to other ranks in supersteps */
    int64_t bytes;         /* in them */
    int64_t votes;         /* one a superstep */
    int64_t vote_messages; /* as in halo_vote_counts: summed over ranks / votes is per vote */
    int64_t vote_steps;    /* largest over ranks / votes is per vote */
    const char *vote;      /* how the last run voted: a name of HALO_VOTE_LIST; NULL: no run yet */
    double edge_seconds;   /* of computing: what had to wait for messages */
    halo_clock clock;      /* seconds per phase; waiting is kept apart */
} halo_beat_report;

/* A superstep: the beats that one vote decides on. */
typedef struct {
    int64_t done;     /* beats before it, since the loop was made and before that */
    int beats;        /* of it, 1 or more; less than usual at the end of a run */
    int64_t *changed; /* [beats] what each of them changed: cells, points, tasks */
    int64_t *sums;    /* [sums] as many as the options say */
} halo_loop_superstep;

/* All but `superstep` are optional. */
typedef struct {
    /* Collective, before each superstep. Moves what ranks own, if that is due, or `overdue` on any
     * rank; `left` beats of this run are to come, negative if not known. With `votes_late` others
     * may still be in an earlier superstep, unless halo_loop_settle has been called. A failure, the
     * same on all ranks, ends the run. */
    halo_status (*balance)(void *context, int64_t left, bool overdue);

    /* Local, before each vote, on which the answer rides. */
    bool (*overdue)(void *context);

    /* Collective. Exchanges and computes, adds this rank's share to `changed` and `sums`, which are
     * 0 at first, and what it has sent and how long it took to the loop's report. A failure of one
     * rank rides on the vote, and the run ends with it on all ranks: a rank that has failed must
     * still send what others wait for. */
    halo_status (*superstep)(void *context, halo_loop_superstep *superstep);

    /* Local, after each vote in which no rank had failed, and once for each superstep in order:
     * `sums` and the last of `changed` (with `converges` all of them) are now those of all ranks
     * together. True ends the run as converged, and must be the same on all ranks. */
    bool (*agreed)(void *context, const halo_loop_superstep *superstep);

    /* Local, after `agreed`, with the beats done so far and what the last of them changed over all
     * ranks; the report includes this superstep, and none after it. True on any rank stops the run
     * on all ranks with the next vote that is posted, when that is heard of; with the next run's
     * first one if this run ends here. */
    bool (*watch)(void *context, int64_t beats, int64_t changed);
} halo_loop_hooks;

/* Collective. HALO_ARGUMENT for an unknown vote and negative numbers, HALO_MEMORY; all ranks get
 * the same. The world must outlive the loop. */
halo_status halo_loop_create(halo_loop **out, halo_world *world, const halo_loop_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_loop_destroy(halo_loop **loop);

/* Collective. Supersteps until one converges, until a watcher or halo_loop_stop ends it, or for
 * `max` more beats (0: no limit); the last superstep may be shorter. The beats that are counted
 * end with the first one that changed no more than the threshold, also in the middle of a
 * superstep. `context` is handed to the hooks, which may be others in the next run. A failure on
 * any rank is returned on all ranks after the same superstep, with the status and message of the
 * lowest rank that failed; HALO_MPI. */
halo_status halo_loop_run(halo_loop *loop, const halo_loop_hooks *hooks, void *context,
                          int64_t max);

/* Collective. Votes come after this number of beats from now on, 1 or more: after a superstep of as
 * many. HALO_MEMORY, HALO_MPI: then all is as it was, on all ranks. */
halo_status halo_loop_set_beats_per_vote(halo_loop *loop, int beats);

/* Collective, from `balance`. Waits for the votes that are under way: then all ranks have ended
 * their supersteps. Hooks get their results no earlier than otherwise. HALO_MPI. */
halo_status halo_loop_settle(halo_loop *loop);

/* Local. Requests that the run stop, as if this rank's watcher had returned true after the last
 * superstep. */
void halo_loop_stop(halo_loop *loop);

/* Local. What this rank has done, as it is now; it belongs to the loop. Beats, how the run ended,
 * votes and the clock's VOTE are the loop's; hooks add the rest. Whoever has made the loop may set
 * it to zero between runs. */
halo_beat_report *halo_loop_get_report(halo_loop *loop);

#endif
