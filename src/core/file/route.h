#ifndef HALOBEAT_CORE_FILE_ROUTE_H
#define HALOBEAT_CORE_FILE_ROUTE_H

#include "core/world/world.h"

#include <stddef.h>

/* Writing through rank 0, for ranks that do not see the disk of a file: their data are sent to rank
 * 0 in messages, which rank 0 writes whenever it waits for anything. Each rank holds at most two
 * messages of 1 MiB. */
typedef struct halo_route halo_route;

/* Local, on rank 0: writes `bytes` bytes at byte `offset`, as halo_file_write. */
typedef halo_status halo_route_write(void *context, int64_t offset, const void *data, size_t bytes);

/* Collective. `through`: this rank writes through rank 0. `number`, the same on all ranks,
 * distinguishes routes that are open at the same time. On rank 0, `write` is called with `context`
 * until halo_route_end. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_route_begin(halo_route **out, halo_world *world, bool through, int64_t number,
                             halo_route_write *write, void *context);

/* Local, on ranks that write through rank 0. `data` may be used again on return. Failures of
 * writing are reported by rank 0. HALO_TRANSPORT. */
halo_status halo_route_send(halo_route *route, int64_t offset, const void *data, size_t bytes);

/* Collective. On return rank 0 has written everything that was sent. Accepts a pointer to NULL;
 * sets *route to NULL. HALO_TRANSPORT. */
halo_status halo_route_end(halo_route **route);

#endif
