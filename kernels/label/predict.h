#ifndef HALOBEAT_LABEL_PREDICT_H
#define HALOBEAT_LABEL_PREDICT_H

#include "core/balance/row_cost.h"
#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/row_ops.h"

/* What rows will cost, so that strips can end where all ranks label for equally long, for the
 * method "union": it has no beats in which a balancer could learn. Internal to the label kernel. */

/* Local. Counts the runs of this rank's rows of `foreground` (bit-packed), which predicts what they
 * will cost, and times the counting, which measures how fast the rank is. */
void label_predict(const halo_world *world, const label_row_ops *ops, const halo_view *foreground,
                   halo_measured *measured);

#endif
