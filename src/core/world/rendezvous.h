#ifndef HALOBEAT_CORE_WORLD_RENDEZVOUS_H
#define HALOBEAT_CORE_WORLD_RENDEZVOUS_H

#include "core/world/world.h"

#include <stddef.h>

/* Queries to other ranks, all answered in one go: the rendezvous of sparse communication, two
 * all-to-all rounds. */
typedef struct {
    int64_t count;
    size_t size;      /* bytes of a query */
    const int *ranks; /* [count] which rank each goes to; this rank itself is allowed */
    const void *data; /* [count * size] the queries, in any order of ranks */
} halo_queries;

/* Answers the queries that came to this rank: `data`, [count * size], in order of the rank that
 * sent them, then in the order of its queries; answers[i], [count], is that to query i. Called
 * exactly once on every rank, also for no queries, so that it may be collective itself. */
typedef halo_status (*halo_answer)(void *context, const void *data, int64_t count,
                                   int64_t *answers);

/* Collective. answers[i] becomes the answer to query i, [queries->count]. `context` is handed to
 * `answer`. HALO_MEMORY, HALO_MPI, and what `answer` returns: on all ranks. */
halo_status halo_rendezvous(halo_world *world, const halo_queries *queries, halo_answer answer,
                            void *context, int64_t *answers);

#endif
