#ifndef HALOBEAT_CORE_FILE_ROUTE_H
#define HALOBEAT_CORE_FILE_ROUTE_H

#include "core/world/world.h"

#include <stddef.h>

/* The way to a file for ranks that do not see its disk: what they write goes to rank 0 in pieces,
 * which rank 0 writes whenever it waits, for whatever it waits. Neither end holds more than two
 * pieces of 1 MiB. */
typedef struct halo_route halo_route;

/* Local, on rank 0: write `bytes` bytes at byte `offset`, as halo_file_write. */
typedef halo_status halo_route_write(void *context, int64_t offset, const void *data, size_t bytes);

/* Collective. `through`, does this rank write through rank 0? `number`, the same on all ranks,
 * tells ways that are open at the same time apart. On rank 0, `write` is called with `context`
 * until halo_route_end. HALO_MEMORY, HALO_MPI. */
halo_status halo_route_begin(halo_route **out, halo_world *world, bool through, int64_t number,
                             halo_route_write *write, void *context);

/* Local, on ranks that write through rank 0: `data` may be used again on return. That rank 0 could
 * not write it, rank 0 says. HALO_MPI. */
halo_status halo_route_send(halo_route *route, int64_t offset, const void *data, size_t bytes);

/* Collective. On rank 0, all that was sent has been written on return. Accepts a pointer to NULL;
 * sets *route to NULL. HALO_MPI. */
halo_status halo_route_end(halo_route **route);

#endif
