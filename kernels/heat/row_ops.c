#include "kernels/heat/row_ops.h"

const halo_isa_variant heat_row_variants[] = HALO_ISA_VARIANTS(heat_row_ops, AVX512);
