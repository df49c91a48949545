#ifndef HALOBEAT_MOTION_OPTIONS_H
#define HALOBEAT_MOTION_OPTIONS_H

#include "kernels/motion/motion.h"
#include "partition/balance/master.h"

/* What is asked of motion. Local. Internal to the motion kernel. */

/* HALO_ARGUMENT for options, or frames, that make no sense. */
halo_status motion_options_check(const halo_motion_options *options, const halo_domain *domain,
                                 int cell_bits);

/* With the defaults for what is 0, once checked; its strings are constants, or NULL. */
halo_motion_options motion_options_resolve(const halo_motion_options *options,
                                           const halo_domain *domain);

/* How clusters are shared out, once checked. */
halo_master_method motion_options_method(const halo_motion_options *options);

/* Is the flow that of pieces? */
bool motion_options_fine(const halo_motion_options *options);

#endif
