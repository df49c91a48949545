#ifndef HALOBEAT_CORE_BEAT_VOTE_H
#define HALOBEAT_CORE_BEAT_VOTE_H

#include "core/world/world.h"

#include <stddef.h>

/* Voting: the ranks decide together whether to go on. One packet of numbers is summed over all
 * ranks; everything that has to be decided or summed is part of it, so that one reduction per
 * superstep is enough.
 *
 * The methods follow G. R. Andrews, Foundations of Multithreaded, Parallel, and Distributed
 * Programming (2000), section 9.2, except the pipeline. P is the number
 * of ranks. The coordinator is rank 0; it is a worker as well, and sends itself messages like any
 * other rank. */
typedef struct halo_vote halo_vote;

#define HALO_VOTE_LIST(X)                                                            \
    X(allreduce, "the transport's own reduction")                                    \
    X(tree, "up and down a binomial tree: 2 ceil(log2 P) steps, 2 (P - 1) messages") \
    X(coordinator, "each result to rank 0, an answer to each: 2 P messages")         \
    X(broadcast, "each result to rank 0, a broadcast down a tree: 2 P - 1 messages") \
    X(pipeline, "in ceil(log2 P) rounds, each sent with another beat: nobody waits")

/* Entries of a packet, before the caller's sums. */
enum {
    HALO_VOTE_CHANGED, /* number of cells that changed */
    HALO_VOTE_FAILED,  /* 1 if this rank has failed; the sum is the number of ranks that have */
    HALO_VOTE_STOP,    /* 1 if this rank requests a stop; the sum is the number of ranks that do */
    HALO_VOTE_OVERDUE, /* 1 if this rank's clock requests a plan; the sum is the number of ranks
                        * whose does */
    HALO_VOTE_SUMS     /* the first of the caller's sums */
};

/* The messages that one rank has sent in all its votes. A broadcast counts as P - 1 messages (in
 * Andrews' count, as one).
 *
 * messages: its sum over ranks, divided by votes, is the number per vote. It is 0 with allreduce,
 * whose messages are the transport's own.
 *
 * steps: the length of the longest chain of messages that depend on each other or share a rank, up
 * to this rank's result. The maximum over ranks, divided by votes, is the number per vote; 0 with
 * allreduce. */
typedef struct {
    int64_t votes;
    int64_t messages;
    int64_t steps;
} halo_vote_counts;

/* Collective. Creates a vote by `method`, a name of HALO_VOTE_LIST; NULL and "auto" mean
 * "allreduce". A packet has HALO_VOTE_SUMS + `sums` numbers. The world must outlive the vote; the
 * caller destroys it. HALO_ARGUMENT for an unknown method or `sums` below 0; HALO_MEMORY. */
halo_status halo_vote_create(halo_vote **out, halo_world *world, const char *method, int sums);

/* Local; not while a posted vote has not been collected. Frees the vote and sets the pointer to
 * NULL. Accepts a pointer to NULL. */
void halo_vote_destroy(halo_vote **vote);

/* Local. The method's name. */
const char *halo_vote_name(const halo_vote *vote);

/* Local. The number of posts by which a vote may be collected late without waiting for other ranks:
 * ceil(log2 P) with "pipeline", 0 with the other methods. */
int halo_vote_lateness(const halo_vote *vote);

/* Collective, does not wait (except "pipeline", for ranks that are more than one post behind).
 * Posts this rank's packet, [HALO_VOTE_SUMS + sums], which is copied. HALO_ARGUMENT if more than
 * halo_vote_lateness posts have not been collected; HALO_TRANSPORT. */
halo_status halo_vote_post(halo_vote *vote, const int64_t *packet);

/* Collective. Waits in halo_wait for the oldest post that has not been collected, and writes its
 * sums over all ranks to `packet` [HALO_VOTE_SUMS + sums]. A rank may post its next packet at once:
 * messages between two ranks do not overtake each other, and every receive names its sender.
 * HALO_ARGUMENT if nothing was posted; HALO_TRANSPORT. */
halo_status halo_vote_collect(halo_vote *vote, int64_t *packet);

/* Local. The messages that this rank has sent so far. */
void halo_vote_count_sized(const halo_vote *vote, halo_vote_counts *counts, size_t counts_bytes);
static inline halo_vote_counts halo_vote_count(const halo_vote *vote)
{
    halo_vote_counts halo_filled;
    halo_vote_count_sized(vote, &halo_filled, sizeof(halo_vote_counts));
    return halo_filled;
}

#endif
