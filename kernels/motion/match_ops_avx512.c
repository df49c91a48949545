#include "kernels/motion/match_ops_body.h"

const motion_match_ops motion_match_ops_avx512 = {tile, window, part, slope, spread, slide};
