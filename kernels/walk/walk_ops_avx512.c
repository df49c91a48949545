#include "kernels/walk/walk_ops.h"

#include <immintrin.h>

enum { LANES = 16, TOGETHER = 4 };

typedef uint32_t lanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef __m512i sixteen;
typedef __mmask16 mask;

#define SET(x)       ((lanes)_mm512_set1_epi32((int)(x)))
#define LOAD(from)   ((lanes)_mm512_loadu_si512((const void *)(from)))
#define STORE(to, v) _mm512_storeu_si512((void *)(to), (__m512i)(v))
#define HIGH(a, b)   ((lanes)multiply_high((__m512i)(a), b))
#define TABLE(from)  _mm512_loadu_si512((const void *)(from))
#define LOOK_UP(t, i, bits)                                                                        \
    ((lanes)((bits) == 2                                                                           \
                 ? _mm512_castps_si512(_mm512_permutevar_ps(_mm512_castsi512_ps(t), (__m512i)(i))) \
                 : _mm512_permutexvar_epi32((__m512i)(i), t)))
#define TURN(v, by)        ((lanes)_mm512_rorv_epi32((__m512i)(v), (__m512i)(by)))
#define SIGN(v)            _mm512_movepi32_mask((__m512i)(v))
#define BELOW(a, b)        _mm512_cmplt_epi32_mask((__m512i)(a), (__m512i)(b))
#define PICK(m, a, b)      ((lanes)_mm512_mask_mov_epi32((__m512i)(b), m, (__m512i)(a)))
#define GATHER(from, i)    ((lanes)_mm512_i32gather_epi32((__m512i)(i), (const void *)(from), 4))
#define GATHER16(from, i)  (gather_16(from, (__m512i)(i)) & SET(0xffff))
#define gather_16(from, i) ((lanes)_mm512_i32gather_epi32(i, (const void *)(from), 2))
#define ROUND(v, by) \
    ((lanes)_mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps((__m512i)(v)), _mm512_set1_ps(by))))

static inline __m512i multiply_high(__m512i a, uint32_t b)
{
    enum { ODD = 0xaaaa };
    const __m512i by = _mm512_set1_epi64(b);
    __m512i even = _mm512_mul_epu32(a, by), odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), by);
    return _mm512_mask_blend_epi32(ODD, _mm512_srli_epi64(even, 32), odd);
}

#include "kernels/walk/walk_ops_body.h"

const walk_ops walk_ops_avx512 = {hop, stride, choose};
