#include "kernels/chan_vese/row_ops.h"

#include <immintrin.h>

#define ALWAYS          inline __attribute__((always_inline))
#define VECTOR_BYTES    64
#define CHANGED(vector) _mm512_test_epi64_mask((__m512i)(vector), (__m512i)(vector))

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

typedef __m512i sums;

static ALWAYS sums no_sums(void)
{
    return _mm512_setzero_si512();
}

static ALWAYS int64_t total(sums of)
{
    return _mm512_reduce_add_epi64(of);
}

static ALWAYS sums add8(sums of, const uint8_t *greys, uint64_t differ, uint64_t went)
{
    __m512i flipped = _mm512_xor_si512(_mm512_loadu_si512(greys), _mm512_movm_epi8(went));
    __m512i chosen = _mm512_maskz_mov_epi8(differ, flipped);
    return _mm512_add_epi64(of, _mm512_sad_epu8(chosen, no_sums()));
}

/* High and low bytes apart. */
static ALWAYS sums add16(sums of, const uint16_t *greys, uint64_t differ, uint64_t went)
{
    __m512i high = no_sums();
    for (int h = 0; h < 2; h++) {
        __m512i flipped = _mm512_xor_si512(_mm512_loadu_si512(greys + h * HALF),
                                           _mm512_movm_epi16((__mmask32)(went >> h * HALF)));
        __m512i chosen = _mm512_maskz_mov_epi16((__mmask32)(differ >> h * HALF), flipped);
        __m512i low = _mm512_and_si512(chosen, _mm512_set1_epi16(UINT8_MAX));
        of = _mm512_add_epi64(of, _mm512_sad_epu8(low, no_sums()));
        high = _mm512_add_epi64(high, _mm512_sad_epu8(_mm512_srli_epi16(chosen, 8), no_sums()));
    }
    return _mm512_add_epi64(of, _mm512_slli_epi64(high, 8));
}

#include "kernels/chan_vese/row_ops_body.h"

const chan_vese_row_ops chan_vese_row_ops_avx512 = {
    {members8, members16}, push, sup_inf, inf_sup, {commit8, commit16}};
