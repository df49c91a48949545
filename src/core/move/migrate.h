#ifndef HALOBEAT_CORE_MOVE_MIGRATE_H
#define HALOBEAT_CORE_MOVE_MIGRATE_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Migration: layers (rows in two axes, planes in three, cells in one) get new owners when cuts
 * move. */

/* Ways of migration, by the name a user gives. */
#define HALO_MIGRATE_LIST(X)                                                          \
    X(automatic, "auto", "whichever is predicted to be faster")                       \
    X(neighbour, "neighbour", "only to the next strip, in as many steps as it takes") \
    X(direct, "direct", "straight to their new owner")

/* Local. HALO_ARGUMENT, with the names there are, if `how` is not in the list; NULL is valid. */
halo_status halo_migrate_check(const char *how);

/* Collective. The owned layers of [count] movable fields of the same domain
 * (halo_field_create_movable, which fails where the system allows none), cut along axis 0 by
 * `from_cuts` [ranks + 1], get the owners of `to_cuts` [ranks + 1]. They are sent from the memory
 * of the old owner directly to that of the new one, all fields at once; layers that stay are not
 * copied. `how` is a name of HALO_MIGRATE_LIST; NULL means "auto", which follows
 * halo_cuts_steps_pay. *bytes is set to the bytes this rank sent. Halos along axis 0 are not sent;
 * those of other axes are. Times are added to MIGRATE and WAIT. Afterwards the fields own the
 * strips of `to_cuts`.
 *
 * Errors are the same on all ranks. HALO_ARGUMENT for an unknown way, invalid cuts, and fields that
 * are not movable or do not own the strip of `from_cuts`; HALO_MEMORY; nothing has moved then.
 * HALO_TRANSPORT: the fields' cells are lost. */
halo_status halo_migrate_in_place(halo_world *world, halo_field *const *fields, int count,
                                  const int64_t *from_cuts, const int64_t *to_cuts, const char *how,
                                  halo_clock *clock, double *bytes);

/* Collective. As halo_migrate_in_place for fields of any kind, cut into the strips `from`, which
 * become `to`. If all fields are movable on every rank they are migrated in place; otherwise each
 * is destroyed and replaced by a field of the same depth, movable if possible. *bytes is set to the
 * bytes this rank sent. Errors as above; after HALO_MEMORY some fields may have moved. */
halo_status halo_migrate_fields(halo_world *world, halo_field **fields, int count,
                                const halo_partition *from, const halo_partition *to,
                                const char *how, halo_clock *clock, double *bytes);

#endif
