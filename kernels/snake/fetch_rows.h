#ifndef HALOBEAT_SNAKE_FETCH_ROWS_H
#define HALOBEAT_SNAKE_FETCH_ROWS_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Rows around a strip, however low the strips are that they lie in. Internal to the kernel. */

/* Collective. `view` is this rank's part of a field of two axes, cut along axis 0 by `cuts`
 * ([ranks + 1]). On return *rows holds the `depth` rows before the strip and then the `depth` rows
 * behind it, as far as there are that many in the field, each of its owned cells only, one after
 * the other; for a rank without rows there are none. The caller frees it with halo_memory_free.
 * HALO_MEMORY, HALO_MPI on all ranks. */
halo_status snake_fetch_rows(halo_world *world, const halo_view *view, const int64_t *cuts,
                             int depth, void **rows);

#endif
