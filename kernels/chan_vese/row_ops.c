#include "kernels/chan_vese/row_ops.h"

const halo_isa_variant chan_vese_row_variants[] = HALO_ISA_VARIANTS(chan_vese_row_ops, AVX512);
