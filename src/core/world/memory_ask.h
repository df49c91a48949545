#ifndef HALOBEAT_CORE_WORLD_MEMORY_ASK_H
#define HALOBEAT_CORE_WORLD_MEMORY_ASK_H

#include "core/world/world.h"

/* Checking that there is enough memory before it is used. Linux allocates more memory than it has,
 * and kills a process that then uses it. */

typedef struct {
    int64_t more;       /* bytes that this rank will touch */
    int64_t held;       /* bytes that it has touched already, which HALOBEAT_MEMORY also limits */
    const char *what;   /* what they are for: "an image of 20 x 10 pixels" */
    const char *remedy; /* a remedy besides more hosts: "use a smaller grid"; or NULL */
} halo_memory_demand;

/* Collective. Compares the sum of the demands on each host with the memory of the host: free memory
 * (without swap), limits of control groups, and the user's own limit (HALOBEAT_MEMORY). HALO_MEMORY
 * on all ranks, with both numbers, if it is not enough on some host; HALO_ARGUMENT for an invalid
 * limit; HALO_TRANSPORT. */
halo_status halo_memory_ask(halo_world *world, const halo_memory_demand *demand);

#endif
