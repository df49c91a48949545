#ifndef HALOBEAT_CORE_WORLD_RENDEZVOUS_H
#define HALOBEAT_CORE_WORLD_RENDEZVOUS_H

#include "core/world/world.h"

#include <stddef.h>

/* Queries to other ranks, all answered at once, in two all-to-all rounds: the rendezvous algorithm
 * of sparse communication. */
typedef struct {
    int64_t count;
    size_t size;      /* bytes per query */
    const int *ranks; /* [count] the rank that each query is for; this rank is allowed */
    const void *data; /* [count * size] the queries, in any order */
} halo_queries;

/* Answers the queries to this rank: `data` [count * size], ordered by sender, then as they were
 * sent; sets answers[i], [count], for query i. Called exactly once on every rank, even without
 * queries, so that it may be collective. */
typedef halo_status (*halo_answer)(void *context, const void *data, int64_t count,
                                   int64_t *answers);

/* Collective. Sets answers[i], [queries->count], to the answer to query i. `context` is passed to
 * `answer`. HALO_MEMORY, HALO_TRANSPORT, and what `answer` returns; the same on all ranks. */
halo_status halo_rendezvous(halo_world *world, const halo_queries *queries, halo_answer answer,
                            void *context, int64_t *answers);

#endif
