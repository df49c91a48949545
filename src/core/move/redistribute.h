#ifndef HALOBEAT_CORE_MOVE_REDISTRIBUTE_H
#define HALOBEAT_CORE_MOVE_REDISTRIBUTE_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Redistribution: cells get new owners between any two partitions of the same domain. */

/* Collective. Copies the owned cells of `from`, this rank's part of `from_partition`, to `to`, its
 * part of `to_partition`. Both are views of fields of the same domain and cell size; their depths
 * may differ, halos are not copied, and no two of the fields overlap in memory. Bit-packed rows
 * may be cut at multiples of 64. Ranks that are threads copy cells from the fields of their owners,
 * once. Other ranks send them directly to the new owners, a bounded number of bytes at a time, so
 * that little memory is needed besides the fields. Times are added to MIGRATE and WAIT.
 * HALO_ARGUMENT for fields or cuts that do not match, HALO_MEMORY, HALO_TRANSPORT; the same on all
 * ranks.
 */
halo_status halo_redistribute(halo_world *world, const halo_view *from,
                              const halo_partition *from_partition, const halo_view *to,
                              const halo_partition *to_partition, halo_clock *clock);

/* Collective. Destroys *field, this rank's part of `from`, and replaces it by a new field with the
 * same cells: its part of `to`, of depth `depth`, with `options` as in halo_field_create_with. The
 * caller owns it. Times and errors as above; after an error *field is unchanged. */
halo_status halo_field_replace_sized(halo_world *world, halo_field **field,
                                     const halo_partition *from, const halo_partition *to,
                                     int depth, const halo_field_options *options,
                                     halo_clock *clock, size_t options_bytes);
#define halo_field_replace(...) halo_field_replace_sized(__VA_ARGS__, sizeof(halo_field_options))

#endif
