#ifndef HALOBEAT_CLI_MOTION_PREDICT_H
#define HALOBEAT_CLI_MOTION_PREDICT_H

#include "kernels/motion/motion.h"

/* What a beat of master and workers would take under each balancer, told from how one went. Pure
 * functions. */

#define MOTION_BALANCER_ENUM(name, help) MOTION_BALANCER_##name,
typedef enum { HALO_MOTION_BALANCER_LIST(MOTION_BALANCER_ENUM) MOTION_BALANCERS } motion_balancer;
#undef MOTION_BALANCER_ENUM

/* The name of a balancer. */
const char *motion_balancer_name(motion_balancer balancer);

/* Seconds of the rank that would take longest, for a beat with `loads` [ranks]: each rank's time is
 * fixed seconds and so many for each piece, and pieces can be shared out at will. The shares
 * (of 1) are left in `shares` [ranks], which may be NULL. */
double motion_predict(motion_balancer balancer, const halo_motion_load *loads, int ranks,
                      double *shares);

#endif
