#ifndef HALOBEAT_CLI_MOTION_PREDICT_H
#define HALOBEAT_CLI_MOTION_PREDICT_H

#include "kernels/motion/motion.h"

/* What a beat of master and workers would have taken under each balancer. Pure functions. */

#define MOTION_BALANCER_ENUM(name, help) MOTION_BALANCER_##name,
typedef enum { HALO_MOTION_BALANCER_LIST(MOTION_BALANCER_ENUM) MOTION_BALANCERS } motion_balancer;
#undef MOTION_BALANCER_ENUM

/* The name of a balancer. */
const char *motion_balancer_name(motion_balancer balancer);

/* Add, for each balancer, the seconds of the rank that would have taken longest, told from how the
 * beat went: `loads` [ranks]. Each rank is taken to need its transfer's seconds whatever its share,
 * and as many for each piece as it did; pieces are shared out as the balancer would who knows that.
 * HALO_MEMORY. */
halo_status motion_predict(const halo_motion_load *loads, int ranks,
                           double seconds[MOTION_BALANCERS]);

#endif
