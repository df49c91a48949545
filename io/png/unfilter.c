#include "io/png/unfilter.h"

const halo_isa_variant halo_png_unfilter_variants[] = {
#ifdef HALOBEAT_X86
    {HALO_ISA_AVX512, &halo_png_unfilter_ops_avx512},
    {HALO_ISA_SSE2, &halo_png_unfilter_ops_sse2},
#endif
    {HALO_ISA_PLAIN, &halo_png_unfilter_ops_plain},
};
