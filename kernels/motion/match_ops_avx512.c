#include "kernels/motion/match_ops_body.h"

const motion_loops motion_loops_avx512 = {
    "avx512", HALO_INSTRUCTIONS_AVX512, tile, window, part, slope, spread, slide};
