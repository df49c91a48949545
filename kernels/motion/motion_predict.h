#ifndef HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H
#define HALOBEAT_KERNELS_MOTION_MOTION_PREDICT_H

#include "kernels/motion/motion.h"

/* What a beat of master and workers would have taken under each balancer. All functions are local
 * and pure. */

/* The balancers of HALO_MOTION_BALANCER_LIST, in its order. */
typedef enum {
#define HALO_MOTION_BALANCER_ENUM(name, help) HALO_MOTION_BALANCER_##name,
    HALO_MOTION_BALANCER_LIST(HALO_MOTION_BALANCER_ENUM)
#undef HALO_MOTION_BALANCER_ENUM
        HALO_MOTION_BALANCERS
} halo_motion_balancer;

/* The name of a balancer, as in halo_motion_options. */
const char *halo_motion_balancer_name(halo_motion_balancer balancer);

/* Add, for each balancer, the seconds of the rank that would have taken longest, derived from the
 * measured `loads` [ranks] of a beat; `seconds` begins with zeros or the sums of beats before. Each
 * rank is taken to need its transfer's seconds whatever its share, and as many seconds for each
 * piece as it did; pieces are shared out as the balancer would that knows this. A beat without
 * pieces adds nothing. HALO_MEMORY. */
halo_status halo_motion_predict(const halo_motion_load *loads, int ranks,
                                double seconds[HALO_MOTION_BALANCERS]);

#endif
