#include "kernels/motion/match_ops_body.h"

const motion_match_ops motion_match_ops_avx2 = {tile, window, part, slope, spread, slide};
