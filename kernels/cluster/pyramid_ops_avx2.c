#include "kernels/cluster/pyramid_ops.h"

#include <immintrin.h>
#include <string.h>

#include "kernels/cluster/pyramid_ops_body.h"

#define VECTOR_BYTES 32

typedef float floats __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t ints __attribute__((vector_size(32), aligned(4), may_alias));
typedef int16_t shorts __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint16_t wrapping __attribute__((vector_size(32), aligned(2), may_alias));

#define LANE_NUMBERS ((ints){0, 1, 2, 3, 4, 5, 6, 7})
#define ALL_SHORTS   0xffffU

#define MIN_FLOATS(a, b)     ((floats)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define MAX_FLOATS(a, b)     ((floats)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define MIN_SHORTS(a, b)     ((shorts)_mm256_min_epi16((__m256i)(a), (__m256i)(b)))
#define MAX_SHORTS(a, b)     ((shorts)_mm256_max_epi16((__m256i)(a), (__m256i)(b)))
#define MULTIPLY_HIGH(a, b)  ((shorts)_mm256_mulhrs_epi16((__m256i)(a), (__m256i)(b)))
#define LESS_SATURATED(a, b) ((shorts)_mm256_subs_epi16((__m256i)(a), (__m256i)(b)))
#define LESS_SHORTS(a, b)    short_lanes(_mm256_cmpgt_epi16((__m256i)(b), (__m256i)(a)))
#define SAME_SHORTS(a, b)    short_lanes(_mm256_cmpeq_epi16((__m256i)(a), (__m256i)(b)))
#define AT_MOST(a, b) \
    ((uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)(a), (__m256)(b), _CMP_LE_OQ)))
#define LESS_INTS(a, b)         int_lanes(_mm256_cmpgt_epi32((__m256i)(b), (__m256i)(a)))
#define SAME_INTS(a, b)         int_lanes(_mm256_cmpeq_epi32((__m256i)(a), (__m256i)(b)))
#define ABSOLUTE(a)             ((floats)_mm256_andnot_ps(_mm256_set1_ps(-0.F), (__m256)(a)))
#define ROUND(a)                ((ints)_mm256_cvtps_epi32((__m256)(a)))
#define SQUARE_ROOT(a)          _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a)))
#define COMPRESS(to, v, mask)   compress(to, (__m256i)(v), mask)
#define MIN(v)                  min_of((__m256)(v))
#define MAX(v)                  max_of((__m256)(v))
#define WIDEN(from)             ((shorts)_mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(from))))
#define MAKE_TABLE(ids)         make_table(ids)
#define LOOK_UP(names, indices) look_up(names, (__m256i)(indices))

INLINE uint32_t int_lanes(__m256i mask)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
}

INLINE uint32_t short_lanes(__m256i mask)
{
    return _pext_u32((uint32_t)_mm256_movemask_epi8(mask), 0x55555555);
}

/* An order for the lanes: those of the mask's bits, from the lowest on. */
INLINE void compress(void *to, __m256i v, uint32_t mask)
{
    uint64_t bytes = _pdep_u64(mask, 0x0101010101010101) * 0xff;
    uint64_t order = _pext_u64(0x0706050403020100, bytes);
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
    _mm256_storeu_si256(to, _mm256_permutevar8x32_epi32(v, lanes));
}

INLINE float min_of(__m256 v)
{
    __m128 half = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_min_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_min_ss(half, _mm_movehdup_ps(half)));
}

INLINE float max_of(__m256 v)
{
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

/* 16 numbers, their low bytes and their high ones. */
typedef struct {
    __m256i low, high;
} table;

INLINE table make_table(const int32_t *ids)
{
    const __m256i byte = _mm256_set1_epi16(0xff);
    __m256i first = _mm256_loadu_si256((const void *)ids);
    __m256i last = _mm256_loadu_si256((const void *)(ids + 8));
    __m256i names = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, last), 0xd8);
    __m256i low = _mm256_and_si256(names, byte), high = _mm256_srli_epi16(names, 8);
    low = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, low), 0x88);
    high = _mm256_permute4x64_epi64(_mm256_packus_epi16(high, high), 0x88);
    return (table){low, high};
}

INLINE shorts look_up(table names, __m256i indices)
{
    const __m256i none = _mm256_set1_epi16((short)0x8000), other = _mm256_set1_epi16(0x80);
    __m256i low = _mm256_shuffle_epi8(names.low, _mm256_or_si256(indices, none));
    __m256i shifted = _mm256_or_si256(_mm256_slli_epi16(indices, 8), other);
    return (shorts)_mm256_or_si256(low, _mm256_shuffle_epi8(names.high, shifted));
}

#include "kernels/cluster/pyramid_ops_vector.h"

#include "kernels/cluster/pyramid_ops_part.h"

const pyramid_ops pyramid_ops_avx2 = {walk, part_pixels};
