#define VECTOR_BYTES 16
#if defined(__SSE2__)
#include <emmintrin.h>
#define MULTIPLY_HIGH(a, b) ((cells)_mm_mulhi_epu16((__m128i)(a), (__m128i)(b)))
#endif
#include "kernels/snake/snake_ops_field_body.h"
#include "kernels/snake/snake_ops_point_body.h"

const snake_ops snake_ops_plain = {blur_across8, blur_across16, blur_along, slope, choose};
