#include "kernels/chan_vese/row_ops.h"

#include <immintrin.h>

#define ALWAYS       inline __attribute__((always_inline))
#define VECTOR_BYTES 32
#define CHANGED(vector) \
    (15 &               \
     ~_mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64((__m256i)(vector), _mm256_setzero_si256())))

enum { HALF = 32, QUARTER = 16 }; /* samples */

static ALWAYS __m256i load_half(const void *from)
{
    return _mm256_loadu_si256(from);
}

static ALWAYS uint64_t within8(const uint8_t *greys, const chan_vese_set *set)
{
    __m256i lo = _mm256_set1_epi8((char)set->lo), span = _mm256_set1_epi8((char)set->span);
    uint32_t found[2];
    for (int h = 0; h < 2; h++) {
        __m256i offset = _mm256_sub_epi8(load_half(greys + h * HALF), lo);
        __m256i is = _mm256_cmpeq_epi8(_mm256_min_epu8(offset, span), offset);
        found[h] = (uint32_t)_mm256_movemask_epi8(is);
    }
    return found[0] | (uint64_t)found[1] << HALF;
}

static ALWAYS __m256i within_quarter(const uint16_t *greys, __m256i lo, __m256i span)
{
    __m256i offset = _mm256_sub_epi16(load_half(greys), lo);
    return _mm256_cmpeq_epi16(_mm256_min_epu16(offset, span), offset);
}

static ALWAYS uint64_t within16(const uint16_t *greys, const chan_vese_set *set)
{
    __m256i lo = _mm256_set1_epi16((short)set->lo), span = _mm256_set1_epi16((short)set->span);
    uint32_t found[2];
    for (int h = 0; h < 2; h++) {
        const uint16_t *half = greys + h * HALF;
        __m256i is = _mm256_packs_epi16(within_quarter(half, lo, span),
                                        within_quarter(half + QUARTER, lo, span));
        is = _mm256_permute4x64_epi64(is, 0xd8); /* packing goes by halves of a register */
        found[h] = (uint32_t)_mm256_movemask_epi8(is);
    }
    return found[0] | (uint64_t)found[1] << HALF;
}

/* A byte of all bits for each bit. */
static ALWAYS __m256i spread8(uint32_t bits)
{
    const __m256i which =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
}

typedef __m256i sums;

static ALWAYS sums no_sums(void)
{
    return _mm256_setzero_si256();
}

static ALWAYS int64_t total(sums of)
{
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(of), _mm256_extracti128_si256(of, 1));
    return _mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1);
}

static ALWAYS sums add8(sums of, const uint8_t *greys, uint64_t differ, uint64_t went)
{
    for (int h = 0; h < 2; h++) {
        __m256i flipped =
            _mm256_xor_si256(load_half(greys + h * HALF), spread8((uint32_t)(went >> h * HALF)));
        __m256i chosen = _mm256_and_si256(flipped, spread8((uint32_t)(differ >> h * HALF)));
        of = _mm256_add_epi64(of, _mm256_sad_epu8(chosen, no_sums()));
    }
    return of;
}

/* A pair of bytes of all bits for each bit. */
static ALWAYS __m256i spread16(uint16_t bits)
{
    const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                          8192, 16384, (short)0x8000);
    return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)bits), bit), bit);
}

/* High and low bytes apart. */
static ALWAYS sums add16(sums of, const uint16_t *greys, uint64_t differ, uint64_t went)
{
    __m256i high = no_sums();
    for (int q = 0; q < CHAN_VESE_WORD / QUARTER; q++) {
        __m256i flipped = _mm256_xor_si256(load_half(greys + q * QUARTER),
                                           spread16((uint16_t)(went >> q * QUARTER)));
        __m256i chosen = _mm256_and_si256(flipped, spread16((uint16_t)(differ >> q * QUARTER)));
        __m256i low = _mm256_and_si256(chosen, _mm256_set1_epi16(UINT8_MAX));
        of = _mm256_add_epi64(of, _mm256_sad_epu8(low, no_sums()));
        high = _mm256_add_epi64(high, _mm256_sad_epu8(_mm256_srli_epi16(chosen, 8), no_sums()));
    }
    return _mm256_add_epi64(of, _mm256_slli_epi64(high, 8));
}

#include "kernels/chan_vese/row_ops_body.h"

const chan_vese_row_ops chan_vese_row_ops_avx2 = {
    {members8, members16}, push, sup_inf, inf_sup, {commit8, commit16}};
