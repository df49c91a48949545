#include "kernels/motion/match_ops_body.h"

const motion_match_ops motion_match_ops_plain = {tile, window, part, slope, spread, slide};
