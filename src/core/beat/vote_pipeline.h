#ifndef HALOBEAT_CORE_BEAT_VOTE_PIPELINE_H
#define HALOBEAT_CORE_BEAT_VOTE_PIPELINE_H

#include "core/world/world.h"

/* Pipelined sums over all ranks, without waiting: several sums are under way at once, and each post
 * advances every one of them by a round. A sum is complete after as many further posts as it has
 * rounds: ceil(log2 P) on P ranks.
 *
 * In each round the number of ranks in a sum doubles, or becomes 2 n - 1: rank r adds the sum of
 * rank r + d (modulo P), minus the contribution of a rank that both contain. Sums are therefore
 * exact for any P. After A. Bar-Noy, S. Kipnis, B. Schieber, An optimal algorithm for computing
 * census functions in message-passing systems (1993).
 *
 * At a post a rank waits only for ranks that have not reached the post before: if no rank is more
 * than one post behind, no rank waits. */
typedef struct halo_pipeline halo_pipeline;

/* Collective, without messages. Creates sums of `entries` numbers. HALO_MEMORY, possibly on this
 * rank only. */
halo_status halo_pipeline_create(halo_pipeline **out, halo_world *world, int entries);

/* Local; not while a sum is under way. Accepts a pointer to NULL. */
void halo_pipeline_destroy(halo_pipeline **pipeline);

/* Local. The number of rounds of a sum; 0 on one rank. */
int halo_pipeline_rounds(const halo_pipeline *pipeline);

/* Collective. Posts this rank's numbers, [entries], which are copied. At most as many sums as there
 * are rounds may be under way before. HALO_TRANSPORT. */
halo_status halo_pipeline_post(halo_pipeline *pipeline, const int64_t *numbers);

/* Collective. Collects the oldest sum under way, [entries]; there must be one. Waits for the rounds
 * it lacks, in which later sums advance as well. HALO_TRANSPORT. */
halo_status halo_pipeline_collect(halo_pipeline *pipeline, int64_t *sums);

/* Local. Messages that this rank has sent. */
int64_t halo_pipeline_messages(const halo_pipeline *pipeline);

#endif
