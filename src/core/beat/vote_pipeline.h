#ifndef HALOBEAT_CORE_BEAT_VOTE_PIPELINE_H
#define HALOBEAT_CORE_BEAT_VOTE_PIPELINE_H

#include "core/world/world.h"

/* Sums over all ranks that nobody waits for: several are under way at once, and each post sends
 * every one of them a round further. What is posted now is complete when that many more have been
 * posted as there are rounds: ceil(log2 P) on P ranks.
 *
 * In a round the number of ranks that a sum is of doubles, or becomes one less than twice as many:
 * rank r adds what rank r + d has (modulo P), without that rank's own share where both have it. So
 * sums are exact for any P. After A. Bar-Noy, S. Kipnis, B. Schieber, An optimal algorithm for
 * computing census functions in message-passing systems (1993).
 *
 * A rank waits at a post for ranks that have not come to the post before it, and for no others:
 * where each is at most one post behind, nobody waits. */
typedef struct halo_pipeline halo_pipeline;

/* Collective, but without messages. Sums of `entries` numbers. HALO_MEMORY, maybe on this rank
 * only. */
halo_status halo_pipeline_create(halo_pipeline **out, halo_world *world, int entries);

/* Local; not while a sum is under way. Accepts a pointer to NULL. */
void halo_pipeline_destroy(halo_pipeline **pipeline);

/* Local. Of a sum; 0 on one rank. */
int halo_pipeline_rounds(const halo_pipeline *pipeline);

/* Collective. Gives this rank's numbers, [entries], which are copied. At most as many sums as there
 * are rounds may be under way before. HALO_MPI. */
halo_status halo_pipeline_post(halo_pipeline *pipeline, const int64_t *numbers);

/* Collective. The oldest sum that is under way, of which there must be one: [entries]. Waits for as
 * many rounds as it lacks, in which later ones get further as well. HALO_MPI. */
halo_status halo_pipeline_collect(halo_pipeline *pipeline, int64_t *sums);

/* Local. Messages that this rank has sent. */
int64_t halo_pipeline_messages(const halo_pipeline *pipeline);

#endif
