#ifndef HALOBEAT_MOTION_OPTIONS_H
#define HALOBEAT_MOTION_OPTIONS_H

#include "base/isa.h"
#include "kernels/motion/motion.h"
#include "partition/balance/share_planner.h"

/* Options of motion. Local. Internal to the motion kernel. */

/* HALO_ARGUMENT for invalid numbers or frames. */
halo_status motion_options_check(const halo_motion_options *options, const halo_domain *domain,
                                 int cell_bits);

/* Options given by name. */
typedef struct {
    halo_share_method method; /* how clusters are divided among ranks */
    bool fine;                /* the flow is that of pieces */
    const halo_isa_variant *variant;
} motion_choices;

/* HALO_ARGUMENT for unknown names. */
halo_status motion_options_choose(motion_choices *out, const halo_motion_options *options);

/* The checked options with defaults in place of 0; strings are constants, or NULL. */
halo_motion_options motion_options_resolve(const halo_motion_options *options,
                                           const halo_domain *domain, const motion_choices *chosen);

#endif
