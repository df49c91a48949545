#include <immintrin.h>

#define VECTOR_BYTES        64
#define MULTIPLY_HIGH(a, b) ((cells)_mm512_mulhi_epu16((__m512i)(a), (__m512i)(b)))
#include "kernels/snake/snake_ops_field_body.h"
#include "kernels/snake/snake_ops_point_body.h"

const snake_ops snake_ops_avx512 = {blur_across8, blur_across16, blur_along, slope, choose};
