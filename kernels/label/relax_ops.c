#include "kernels/label/relax_ops.h"

const halo_isa_variant label_relax_variants[] = HALO_ISA_VARIANTS(label_relax_ops, AVX512);
