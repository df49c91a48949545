#include "kernels/motion/match_ops_body.h"

const motion_loops motion_loops_plain = {
    "plain", HALO_INSTRUCTIONS_PLAIN, tile, window, part, slope, spread, slide};
