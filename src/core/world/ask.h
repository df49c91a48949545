#ifndef HALOBEAT_CORE_WORLD_ASK_H
#define HALOBEAT_CORE_WORLD_ASK_H

#include "core/world/world.h"

#include <stddef.h>

/* Questions to other ranks, all answered in one go: two sparse all-to-all rounds. */
typedef struct {
    int64_t count;
    size_t size;       /* bytes of a question */
    const int *ranks;  /* [count] who is asked; oneself is allowed */
    const void *texts; /* [count * size] */
} halo_questions;

/* Answer what came to this rank: `count` questions in order of the asking rank, then in the order
 * they were asked. Called exactly once on every rank, also for no questions, so that it may be
 * collective itself. */
typedef halo_status (*halo_answer)(void *context, const void *texts, int64_t count,
                                   int64_t *answers);

/* Collective. answers[i] becomes the answer to question i ([count]). A rank's failure, also one in
 * `answer`, is returned on all ranks. HALO_MEMORY, HALO_MPI. */
halo_status halo_ask(halo_world *world, const halo_questions *questions, halo_answer answer,
                     void *context, int64_t *answers);

#endif
