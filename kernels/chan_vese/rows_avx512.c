#include "kernels/chan_vese/rows.h"

#include <immintrin.h>

#define ALWAYS       inline __attribute__((always_inline))
#define VECTOR_BYTES 64
#define ANY(vector)  (_mm512_test_epi64_mask((__m512i)(vector), (__m512i)(vector)) != 0)

enum { HALF = 32 }; /* samples */

static ALWAYS uint64_t within8(const uint8_t *greys, const chan_vese_set *set)
{
    __m512i offset = _mm512_sub_epi8(_mm512_loadu_si512(greys), _mm512_set1_epi8((char)set->lo));
    return _mm512_cmple_epu8_mask(offset, _mm512_set1_epi8((char)set->span));
}

static ALWAYS uint64_t within16(const uint16_t *greys, const chan_vese_set *set)
{
    __m512i lo = _mm512_set1_epi16((short)set->lo), span = _mm512_set1_epi16((short)set->span);
    uint64_t found = 0;
    for (int h = 0; h < 2; h++) {
        __m512i offset = _mm512_sub_epi16(_mm512_loadu_si512(greys + h * HALF), lo);
        found |= (uint64_t)_mm512_cmple_epu16_mask(offset, span) << h * HALF;
    }
    return found;
}

static ALWAYS int64_t sum8(const uint8_t *greys, uint64_t bits)
{
    __m512i chosen = _mm512_maskz_loadu_epi8(bits, greys);
    return _mm512_reduce_add_epi64(_mm512_sad_epu8(chosen, _mm512_setzero_si512()));
}

/* High and low bytes apart. */
static ALWAYS int64_t sum16(const uint16_t *greys, uint64_t bits)
{
    const __m512i zero = _mm512_setzero_si512(), low_bytes = _mm512_set1_epi16(0xff);
    __m512i low = zero, high = zero;
    for (int h = 0; h < 2; h++) {
        __m512i chosen = _mm512_maskz_loadu_epi16((__mmask32)(bits >> h * HALF), greys + h * HALF);
        low = _mm512_add_epi64(low, _mm512_sad_epu8(_mm512_and_si512(chosen, low_bytes), zero));
        high = _mm512_add_epi64(high, _mm512_sad_epu8(_mm512_srli_epi16(chosen, 8), zero));
    }
    return _mm512_reduce_add_epi64(low) + (_mm512_reduce_add_epi64(high) << 8);
}

#include "kernels/chan_vese/rows_loops.h"

const chan_vese_rows chan_vese_rows_avx512 = {
    "avx512", HALO_INSTRUCTIONS_AVX512, {push8, push16}, sup_inf, inf_sup, {commit8, commit16}};
