#ifndef HALOBEAT_MOTION_OPTIONS_H
#define HALOBEAT_MOTION_OPTIONS_H

#include "base/isa.h"
#include "kernels/motion/motion.h"
#include "partition/balance/share_planner.h"

/* What is asked of motion. Local. Internal to the motion kernel. */

/* HALO_ARGUMENT for numbers, or frames, that make no sense. */
halo_status motion_options_check(const halo_motion_options *options, const halo_domain *domain,
                                 int cell_bits);

/* What is chosen by name. */
typedef struct {
    halo_share_method method; /* how clusters are shared out */
    bool fine;                /* the flow is that of pieces */
    const halo_isa_variant *variant;
} motion_choices;

/* HALO_ARGUMENT for names that there are not. */
halo_status motion_options_choose(motion_choices *out, const halo_motion_options *options);

/* With the defaults for what is 0, once checked; its strings are constants, or NULL. */
halo_motion_options motion_options_resolve(const halo_motion_options *options,
                                           const halo_domain *domain, const motion_choices *chosen);

#endif
