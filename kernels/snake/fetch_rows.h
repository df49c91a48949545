#ifndef HALOBEAT_SNAKE_FETCH_ROWS_H
#define HALOBEAT_SNAKE_FETCH_ROWS_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Fetching the rows around a strip, from as many strips as necessary. Internal to the kernel. */

/* Collective. `view` is this rank's part of a field of two axes, cut along axis 0 by `cuts` [ranks
 * + 1]. Sets *rows to the `depth` rows before the strip followed by the `depth` rows after it, as
 * far as the field has them, with owned cells only, one after the other; a rank without rows gets
 * none. The caller frees it with halo_memory_free. HALO_MEMORY, HALO_TRANSPORT; the same on all
 * ranks. */
halo_status snake_fetch_rows(halo_world *world, const halo_view *view, const int64_t *cuts,
                             int depth, void **rows);

#endif
