#ifndef HALOBEAT_CORE_WORLD_MEMORY_ASK_H
#define HALOBEAT_CORE_WORLD_MEMORY_ASK_H

#include "core/world/world.h"

/* Is there as much memory as a rank is about to use? Linux gives out memory that it does not have,
 * and kills who then uses it: ranks ask before. */

typedef struct {
    int64_t more;       /* bytes that this rank will touch from now on */
    int64_t held;       /* bytes that it has touched already: HALOBEAT_MEMORY counts them, too */
    const char *what;   /* needs them: "an image of 20 x 10 pixels" */
    const char *remedy; /* besides more hosts: "use a smaller grid"; or NULL */
} halo_memory_demand;

/* Collective. What the ranks of each host need together is compared with what the host has: its
 * free memory (swap apart), what control groups leave, and the user's own limit (HALOBEAT_MEMORY).
 * HALO_MEMORY on all ranks where it is not enough somewhere, with both numbers; HALO_ARGUMENT for a
 * limit that is not understood; HALO_MPI. */
halo_status halo_memory_ask(halo_world *world, const halo_memory_demand *demand);

#endif
