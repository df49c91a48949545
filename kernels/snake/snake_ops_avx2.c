#include <immintrin.h>

#define VECTOR_BYTES        32
#define MULTIPLY_HIGH(a, b) ((cells)_mm256_mulhi_epu16((__m256i)(a), (__m256i)(b)))
#include "kernels/snake/snake_ops_field_body.h"
#include "kernels/snake/snake_ops_point_body.h"

const snake_ops snake_ops_avx2 = {blur_across8, blur_across16, blur_along, slope, choose};
