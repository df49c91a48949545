#include "kernels/cluster/pyramid_ops.h"

const halo_isa_variant pyramid_variants[] = HALO_ISA_VARIANTS(pyramid_ops, AVX512);
