#include "kernels/cluster/pyramid_ops.h"

#include <immintrin.h>
#include <string.h>

#include "kernels/cluster/pyramid_ops_body.h"

#define VECTOR_BYTES 64

typedef float floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t ints __attribute__((vector_size(64), aligned(4), may_alias));
typedef int16_t shorts __attribute__((vector_size(64), aligned(2), may_alias));
typedef uint16_t wrapping __attribute__((vector_size(64), aligned(2), may_alias));

#define LANE_NUMBERS ((ints){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#define ALL_SHORTS   0xffffffffU

#define MIN_FLOATS(a, b)     ((floats)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define MAX_FLOATS(a, b)     ((floats)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define MIN_SHORTS(a, b)     ((shorts)_mm512_min_epi16((__m512i)(a), (__m512i)(b)))
#define MAX_SHORTS(a, b)     ((shorts)_mm512_max_epi16((__m512i)(a), (__m512i)(b)))
#define MULTIPLY_HIGH(a, b)  ((shorts)_mm512_mulhrs_epi16((__m512i)(a), (__m512i)(b)))
#define LESS_SATURATED(a, b) ((shorts)_mm512_subs_epi16((__m512i)(a), (__m512i)(b)))
#define LESS_SHORTS(a, b)    ((uint32_t)_mm512_cmplt_epi16_mask((__m512i)(a), (__m512i)(b)))
#define SAME_SHORTS(a, b)    ((uint32_t)_mm512_cmpeq_epi16_mask((__m512i)(a), (__m512i)(b)))
#define AT_MOST(a, b)        ((uint32_t)_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), _CMP_LE_OQ))
#define LESS_INTS(a, b)      ((uint32_t)_mm512_cmplt_epi32_mask((__m512i)(a), (__m512i)(b)))
#define SAME_INTS(a, b)      ((uint32_t)_mm512_cmpeq_epi32_mask((__m512i)(a), (__m512i)(b)))
#define ABSOLUTE(a)          ((floats)_mm512_abs_ps((__m512)(a)))
#define ROUND(a)             ((ints)_mm512_cvtps_epi32((__m512)(a)))
#define SQUARE_ROOT(a)       _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a)))
#define COMPRESS(to, v, mask) \
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)(mask), (__m512i)(v)))
#define MIN(v)                  _mm512_reduce_min_ps((__m512)(v))
#define MAX(v)                  _mm512_reduce_max_ps((__m512)(v))
#define WIDEN(from)             ((shorts)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(from))))
#define MAKE_TABLE(ids)         make_table(ids)
#define LOOK_UP(names, indices) ((shorts)_mm512_permutexvar_epi16((__m512i)(indices), names))

typedef __m512i table;

INLINE table make_table(const int32_t *ids)
{
    return _mm512_castsi256_si512(_mm512_cvtepi32_epi16(_mm512_loadu_si512((const void *)ids)));
}

#include "kernels/cluster/pyramid_ops_vector.h"

#include "kernels/cluster/pyramid_ops_part.h"

const pyramid_ops pyramid_ops_avx512 = {walk, part_pixels};
