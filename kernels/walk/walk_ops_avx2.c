#include "kernels/walk/walk_ops.h"

#include <immintrin.h>

enum { LANES = 8, TOGETHER = 4 };

typedef uint32_t lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef __m256i sixteen;
typedef __m256i mask; /* the highest bit of each lane */

#define SET(x)       ((lanes)_mm256_set1_epi32((int)(x)))
#define LOAD(from)   ((lanes)_mm256_loadu_si256((const void *)(from)))
#define STORE(to, v) _mm256_storeu_si256((void *)(to), (__m256i)(v))
#define HIGH(a, b)   ((lanes)multiply_high((__m256i)(a), b))
#define TABLE(from)  _mm256_loadu_si256((const void *)(from))
#define LOOK_UP(t, i, bits)                                                                        \
    ((lanes)((bits) == 2                                                                           \
                 ? _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(t), (__m256i)(i))) \
                 : _mm256_permutevar8x32_epi32(t, (__m256i)(i))))
#define TURN(v, by) (((v) >> (by)) | ((v) << (SET(32) - (by))))
#define SIGN(v)     ((__m256i)(v))
#define BELOW(a, b) _mm256_cmpgt_epi32((__m256i)(b), (__m256i)(a))
#define PICK(m, a, b)                                                               \
    ((lanes)_mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps((__m256i)(b)), \
                                                 _mm256_castsi256_ps((__m256i)(a)), \
                                                 _mm256_castsi256_ps(m))))
#define GATHER(from, i)    ((lanes)_mm256_i32gather_epi32((const void *)(from), (__m256i)(i), 4))
#define GATHER16(from, i)  (gather_16(from, (__m256i)(i)) & SET(0xffff))
#define gather_16(from, i) ((lanes)_mm256_i32gather_epi32((const void *)(from), i, 2))
#define ROUND(v, by) \
    ((lanes)_mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps((__m256i)(v)), _mm256_set1_ps(by))))

static inline __m256i multiply_high(__m256i a, uint32_t b)
{
    enum { ODD = 0xaa };
    const __m256i by = _mm256_set1_epi64x(b);
    __m256i even = _mm256_mul_epu32(a, by), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), by);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, ODD);
}

#include "kernels/walk/walk_ops_body.h"

const walk_ops walk_ops_avx2 = {hop, stride, choose};
