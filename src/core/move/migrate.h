#ifndef HALOBEAT_CORE_MOVE_MIGRATE_H
#define HALOBEAT_CORE_MOVE_MIGRATE_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Layers (rows in two axes, planes in three, cells in one) change hands when boundaries move. */

/* How layers travel to their new owners, by the name a user gives. */
#define HALO_MIGRATE_LIST(X)                                                          \
    X(automatic, "auto", "whichever is predicted to be faster")                       \
    X(neighbour, "neighbour", "only to the next strip, in as many steps as it takes") \
    X(direct, "direct", "straight to their new owner")

/* Local. HALO_ARGUMENT, and the names there are, for one that is not in the list; NULL is in it. */
halo_status halo_migrate_check(const char *how);

/* Collective. The owned layers of `count` movable fields of the same domain, cut along axis 0 by
 * `from_cuts` ([ranks + 1]), become those of `to_cuts`: they go straight from the memory of their
 * old owner to that of the new one, all fields at once, and those that stay are not touched. `how`
 * is a name of HALO_MIGRATE_LIST, NULL for "auto", which follows halo_cuts_steps_pay; *bytes is
 * what this rank sent. Halos along axis 0 are not moved; those on other axes travel with their
 * layers, of any size. Time goes to MIGRATE and WAIT. Afterwards the fields own the strips of
 * `to_cuts`.
 *
 * HALO_ARGUMENT for an unknown way, cuts that are not valid, and fields that do not move or do not
 * own the strip of `from_cuts`, HALO_MEMORY: on all ranks, and nothing has moved. HALO_MPI: on all
 * ranks, and the fields' cells are lost. */
halo_status halo_migrate_in_place(halo_world *world, halo_field *const *fields, int count,
                                  const int64_t *from_cuts, const int64_t *to_cuts, const char *how,
                                  halo_clock *clock, double *bytes);

/* Collective. The same for fields of any kind, cut into the strips `from`, which become `to`: in
 * place if all of them are movable on every rank, or else each is destroyed and replaced by a
 * movable one, if that can be had, of the same depth. *bytes is what this rank sent. Errors as
 * above; HALO_MEMORY may leave some fields moved. */
halo_status halo_migrate_fields(halo_world *world, halo_field **fields, int count,
                                const halo_partition *from, const halo_partition *to,
                                const char *how, halo_clock *clock, double *bytes);

#endif
