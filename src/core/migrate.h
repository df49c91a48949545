#ifndef HALOBEAT_CORE_MIGRATE_H
#define HALOBEAT_CORE_MIGRATE_H

#include "core/clock.h"
#include "core/field.h"
#include "core/world.h"

/* Layers (rows in two axes, planes in three, cells in one) change hands when boundaries move. */

/* Collective. The owned layers of `from`, cut along axis 0 by `from_cuts` ([ranks + 1]), become
 * those of `to`, cut by `to_cuts`: fields of the same domain, cell size and depth. Halos are not
 * moved; an exchange brings them. Time goes to DISTRIBUTE. HALO_ARGUMENT for layers longer than a
 * message to another rank can be (2^31 - 1 bytes), HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status halo_migrate(halo_world *world, const halo_field *from, const int64_t *from_cuts,
                         halo_field *to, const int64_t *to_cuts, halo_clock *clock);

#endif
