#ifndef HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H
#define HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H

#include "kernels/motion/motion.h"
#include "partition/balance/share_planner.h"

/* Predicted time of a beat of master and workers under each balancer. All functions are local and
 * pure. */

/* For each balancer, adds the seconds of the slowest rank to `seconds`, which must be initialised.
 * They are derived from the measured `loads` [ranks] of a beat: each rank is assumed to need its
 * transfer time whatever its share, and its measured seconds per piece; pieces are divided as the
 * balancer would, knowing this. A beat without pieces adds nothing. HALO_MEMORY. */
halo_status halo_motion_predict(const halo_motion_load *loads, int ranks,
                                double seconds[HALO_SHARE_METHODS]);

#endif
