#include "kernels/life/soup_ops.h"

const halo_isa_variant life_soup_variants[] = HALO_ISA_VARIANTS(life_soup_ops, AVX512);
