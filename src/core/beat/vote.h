#ifndef HALOBEAT_CORE_BEAT_VOTE_H
#define HALOBEAT_CORE_BEAT_VOTE_H

#include "core/world/world.h"

/* Deciding together whether to go on. One packet of numbers is summed over all ranks, and
 * whatever has to be decided or added up rides on it: one reduction a beat.
 *
 * Methods after G. R. Andrews, Foundations of Multithreaded, Parallel, and Distributed
 * Programming (2000), section 9.2, but for the pipeline (core/beat/vote_pipeline.h); P is the
 * number of ranks. The coordinator is rank 0, which is a worker as well and sends itself messages
 * like any other. */
typedef struct halo_vote halo_vote;

#define HALO_VOTE_LIST(X)                                                            \
    X(allreduce, "MPI's own reduction")                                              \
    X(tree, "up and down a binomial tree: 2 ceil(log2 P) steps, 2 (P - 1) messages") \
    X(coordinator, "each result to rank 0, an answer to each: 2 P messages")         \
    X(broadcast, "each result to rank 0, a broadcast down a tree: 2 P - 1 messages") \
    X(pipeline, "in ceil(log2 P) rounds, each sent with another beat: nobody waits")

/* A packet: these entries, then the hooks' sums. */
enum {
    HALO_VOTE_CHANGED, /* cells that changed; none anywhere may end the run */
    HALO_VOTE_FAILED,  /* 1 if this rank failed: the number of ranks that did */
    HALO_VOTE_STOP,    /* 1 if this rank wants to stop: the number of ranks that do */
    HALO_VOTE_OVERDUE, /* 1 if this rank's clock asks for a plan: the number of ranks whose does */
    HALO_VOTE_SUMS     /* the first of the hooks' sums */
};

/* What one rank has sent in all its votes. A broadcast, which is one message to Andrews, is P - 1.
 *
 * messages: the sum over ranks, divided by votes, is the number per vote; it is 0 with allreduce,
 * whose messages are MPI's own and unknown.
 * steps: the longest chain of messages that depend on each other or share a rank, up to this
 * rank's answer; the largest over ranks, divided by votes, is the number per vote; 0 likewise. */
typedef struct {
    int64_t votes;
    int64_t messages;
    int64_t steps;
} halo_vote_counts;

/* Collective. `method` is a name of the list above, or NULL or "auto" for "allreduce"; a packet has
 * HALO_VOTE_SUMS + `sums` numbers. HALO_ARGUMENT for an unknown method; HALO_MEMORY. */
halo_status halo_vote_create(halo_vote **out, halo_world *world, const char *method, int sums);

/* Local; not while a vote is to be collected. Accepts a pointer to NULL. */
void halo_vote_destroy(halo_vote **vote);

/* Local. The method's name. */
const char *halo_vote_name(const halo_vote *vote);

/* Local. How many votes may be under way when another is posted, for all that a vote can be
 * collected that much later without waiting for others: ceil(log2 P) of the pipeline, 0 of others.
 */
int halo_vote_lateness(const halo_vote *vote);

/* Collective, does not wait (but the pipeline: for ranks that are more than one post behind). Gives
 * this rank's packet, [HALO_VOTE_SUMS + sums], which is copied. HALO_ARGUMENT if there are more
 * votes to be collected than halo_vote_lateness; HALO_MPI. */
halo_status halo_vote_post(halo_vote *vote, const int64_t *packet);

/* Collective. Waits, through halo_wait, for the sums over all ranks of the oldest vote that has not
 * been collected: `packet`, as large as the one posted. A rank may post its next packet at once:
 * messages of one pair of ranks do not overtake each other, and every receive names its sender.
 * HALO_ARGUMENT if nothing was posted; HALO_MPI. */
halo_status halo_vote_collect(halo_vote *vote, int64_t *packet);

/* Local. What has been sent so far. */
halo_vote_counts halo_vote_count(const halo_vote *vote);

#endif
