#include "kernels/motion/loops_body.h"

const motion_loops motion_loops_plain = {
    "plain", HALO_INSTRUCTIONS_PLAIN, tile, window, part, slope, spread, slide};
