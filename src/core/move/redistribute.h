#ifndef HALOBEAT_CORE_MOVE_REDISTRIBUTE_H
#define HALOBEAT_CORE_MOVE_REDISTRIBUTE_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Cells change hands between any two decompositions of the same domain: strips become blocks, cut
 * lines move. */

/* Collective. The owned cells of `from`, this rank's part of `from_partition`, become those of
 * `to`, its part of `to_partition`; `from` stays as it is. Both are views of fields of the same
 * domain and cell size, their depths may differ; halos are not moved. Bit-packed rows may be cut
 * where cuts are multiples of 64. Each rank sends straight to the new owners, a bounded number of
 * bytes at a time, so that besides the fields it takes little memory. Time goes to MIGRATE and
 * WAIT. HALO_ARGUMENT for fields or cuts that do not fit, HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status halo_redistribute(halo_world *world, const halo_view *from,
                              const halo_partition *from_partition, const halo_view *to,
                              const halo_partition *to_partition, halo_clock *clock);

/* Collective. `*field`, this rank's part of `from`, is destroyed and replaced by a new field with
 * the same cells, its part of `to`, of this depth; `options` as in halo_field_create_with.
 * Time and errors as above; after one `*field` is as it was. */
halo_status halo_field_replace(halo_world *world, halo_field **field, const halo_partition *from,
                               const halo_partition *to, int depth,
                               const halo_field_options *options, halo_clock *clock);

#endif
