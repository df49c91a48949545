#ifndef HALOBEAT_LABEL_PREDICT_H
#define HALOBEAT_LABEL_PREDICT_H

#include "core/balance/row_cost.h"
#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/label/rows/row_ops.h"

/* Prediction of the cost of rows, so that strips can be cut such that all ranks take the same time,
 * for the method "union", which has no beats from which a balancer could learn. Internal to the
 * label kernel. */

/* Local. Counts the runs in this rank's rows of `foreground` (bit-packed), which predicts their
 * cost, and times the counting, which measures the speed of the rank. */
void label_predict(const halo_world *world, const label_row_ops *ops, const halo_view *foreground,
                   halo_measured *measured);

#endif
