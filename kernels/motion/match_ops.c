#include "kernels/motion/match_ops.h"

const halo_isa_variant motion_match_variants[] = HALO_ISA_VARIANTS(motion_match_ops, AVX512);
