#ifndef HALOBEAT_LABEL_PLAN_H
#define HALOBEAT_LABEL_PLAN_H

#include "core/balance/balancing.h"
#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/label/row_ops.h"

/* Where strips should end so that all ranks label for equally long, for the method "union": it has
 * no beats in which a balancer could learn, so that this is asked once, before it runs. Internal to
 * the label kernel. */

/* Collective. Every rank counts the runs of its rows of `foreground` (bit-packed, the strip of
 * `cuts`), which tells what they will cost, and times the counting, which tells how fast it is; the
 * balancer plans from these. The cuts planned, [ranks + 1], are those there are where nothing is to
 * move
 * (*moves is false). `row_bytes` go along with a row that moves. Time goes to COMPUTE and BALANCE.
 * HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status label_plan_strips(halo_world *world, halo_balancing *balancing, const int64_t *cuts,
                              const halo_view *foreground, double row_bytes,
                              const label_row_ops *ops, int64_t *planned, bool *moves,
                              halo_clock *clock);

#endif
