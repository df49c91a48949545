#include "kernels/label/row_ops.h"

const halo_isa_variant label_row_variants[] = HALO_ISA_VARIANTS(label_row_ops, AVX512_BITS);
