#ifndef HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H
#define HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H

#include "kernels/motion/motion.h"

/* Predicted time of a beat of master and workers under each balancer. All functions are local and
 * pure. */

/* The balancers of HALO_MOTION_BALANCER_LIST, in its order. */
typedef enum {
#define HALO_MOTION_BALANCER_ENUM(name, help) HALO_MOTION_BALANCER_##name,
    HALO_MOTION_BALANCER_LIST(HALO_MOTION_BALANCER_ENUM)
#undef HALO_MOTION_BALANCER_ENUM
        HALO_MOTION_BALANCERS
} halo_motion_balancer;

/* The name of a balancer, as in halo_motion_options. */
const char *halo_motion_balancer_name(halo_motion_balancer balancer);

/* For each balancer, adds the seconds of the slowest rank to `seconds`, which must be initialised.
 * They are derived from the measured `loads` [ranks] of a beat: each rank is assumed to need its
 * transfer time whatever its share, and its measured seconds per piece; pieces are divided as the
 * balancer would, knowing this. A beat without pieces adds nothing. HALO_MEMORY. */
halo_status halo_motion_predict(const halo_motion_load *loads, int ranks,
                                double seconds[HALO_MOTION_BALANCERS]);

#endif
