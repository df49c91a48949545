#include "kernels/motion/match_ops_body.h"

const motion_loops motion_loops_avx2 = {
    "avx2", HALO_INSTRUCTIONS_AVX2, tile, window, part, slope, spread, slide};
