#include "kernels/snake/snake_ops.h"

const halo_isa_variant snake_variants[] = HALO_ISA_VARIANTS(snake_ops, AVX512);
