#ifndef HALOBEAT_CORE_WORLD_RENDEZVOUS_H
#define HALOBEAT_CORE_WORLD_RENDEZVOUS_H

#include "core/world/world.h"

#include <stddef.h>

/* Queries to other ranks, all answered in one go: the rendezvous of sparse communication, two
 * all-to-all rounds. */
typedef struct {
    int64_t count;
    size_t size;      /* bytes of a query */
    const int *ranks; /* [count] who is asked; oneself is allowed */
    const void *data; /* [count * size] */
} halo_queries;

/* Answer what came to this rank: `count` queries in order of the asking rank, then in the order
 * they were asked. Called exactly once on every rank, also for no queries, so that it may be
 * collective itself. */
typedef halo_status (*halo_answer)(void *context, const void *data, int64_t count,
                                   int64_t *answers);

/* Collective. answers[i] becomes the answer to query i ([count]). A rank's failure, also one in
 * `answer`, is returned on all ranks. HALO_MEMORY, HALO_MPI. */
halo_status halo_rendezvous(halo_world *world, const halo_queries *queries, halo_answer answer,
                            void *context, int64_t *answers);

#endif
