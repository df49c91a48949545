#include <immintrin.h>

#define VECTOR_BYTES        64
#define MULTIPLY_HIGH(a, b) ((cells)_mm512_mulhi_epu16((__m512i)(a), (__m512i)(b)))
#include "kernels/snake/snake_ops_field_body.h"
#include "kernels/snake/snake_ops_point_body.h"

const snake_loops snake_loops_avx512 = {
    "avx512", HALO_INSTRUCTIONS_AVX512, blur_across8, blur_across16, blur_along, slope, choose};
