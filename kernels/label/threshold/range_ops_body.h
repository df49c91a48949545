/* The loops over a row of samples that are compared with thresholds, compiled once for each ISA
 * (halobeat_isa_body). They are plain C that the compiler vectorises. No include guard on
 * purpose. */

#include "kernels/label/rows/value_words.h"
#include "kernels/label/threshold/range_ops.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

/* The number of NaN, and of finite values, among reals. */
#define COUNT_REALS(code, type, counter, most)                        \
    static inline int64_t nans_##code(const type *v, int64_t count)   \
    {                                                                 \
        counter nans = 0;                                             \
        for (int64_t i = 0; i < count; i++) {                         \
            nans += v[i] != v[i];                                     \
        }                                                             \
        return nans;                                                  \
    }                                                                 \
    static inline int64_t finite_##code(const type *v, int64_t count) \
    {                                                                 \
        counter finite = 0;                                           \
        for (int64_t i = 0; i < count; i++) {                         \
            finite += (v[i] >= -(most)) & (v[i] <= (most));           \
        }                                                             \
        return finite;                                                \
    }
COUNT_REALS(F32, float, int32_t, FLT_MAX)
COUNT_REALS(F64, double, int64_t, DBL_MAX)
#undef COUNT_REALS

/* ---- from values to bits --------------------------------------------------------------------- */

#define WITHIN(code, type, kind, ...)                                                    \
    static inline void within_##code(const void *values, int64_t width, const void *low, \
                                     const void *high, uint64_t *bits)                   \
    {                                                                                    \
        const type *v = values, from = *(const type *)low, to = *(const type *)high;     \
        for (int64_t at = 0; at < width; at += 64) {                                     \
            int64_t count = word_count(width, at);                                       \
            WORD_OF(word, at, count, (v[x] >= from) & (v[x] <= to))                      \
            bits[at / 64] = word;                                                        \
        }                                                                                \
    }
HALO_SAMPLE_VALUE_LIST(WITHIN)
#undef WITHIN

static void within_BIT(const void *values, int64_t width, const void *low, const void *high,
                       uint64_t *bits)
{
    const uint64_t *words = values;
    uint64_t zeros = *(const uint8_t *)low == 0 ? UINT64_MAX : 0;
    uint64_t ones = *(const uint8_t *)high == 1 ? UINT64_MAX : 0;
    for (int64_t i = 0; i < (width + 63) / 64; i++) {
        bits[i] = (words[i] & ones) | (~words[i] & zeros);
    }
}

/* Greys are what most images have: their comparisons are vectorised by hand. A value is in the
 * range if what it is above the lower end is no more than the range, as a number without a sign. */
#ifdef __AVX512BW__

/* The hardware's own prefetching stops at every 4 KiB. */
enum { AHEAD = 2048, BITS_AHEAD = 64 };

static void within_grey8(const void *values, int64_t width, const void *low, const void *high,
                         uint64_t *bits)
{
    const uint8_t *v = values, from = *(const uint8_t *)low, to = *(const uint8_t *)high;
    const __m512i least = _mm512_set1_epi8((char)from), span = _mm512_set1_epi8((char)(to - from));
    for (int64_t x = 0; x < width; x += 64) {
        __mmask64 lanes = _bzhi_u64(UINT64_MAX, (unsigned)word_count(width, x));
        _mm_prefetch((const char *)v + x + AHEAD, _MM_HINT_T0);
        if (x % 512 == 0) { /* the bits of later rows: stores that wait for memory hold up all */
            __builtin_prefetch(bits + x / 64 + BITS_AHEAD, 1);
        }
        __m512i above = _mm512_sub_epi8(_mm512_maskz_loadu_epi8(lanes, v + x), least);
        bits[x / 64] = _mm512_mask_cmple_epu8_mask(lanes, above, span);
    }
}

static void within_grey16(const void *values, int64_t width, const void *low, const void *high,
                          uint64_t *bits)
{
    const uint16_t *v = values, from = *(const uint16_t *)low, to = *(const uint16_t *)high;
    const __m512i least = _mm512_set1_epi16((short)from);
    const __m512i span = _mm512_set1_epi16((short)(to - from));
    for (int64_t x = 0; x < width; x += 64) {
        __mmask64 lanes = _bzhi_u64(UINT64_MAX, (unsigned)word_count(width, x));
        __mmask32 first = (__mmask32)lanes, second = (__mmask32)(lanes >> 32);
        __m512i one = _mm512_sub_epi16(_mm512_maskz_loadu_epi16(first, v + x), least);
        __m512i other = _mm512_sub_epi16(_mm512_maskz_loadu_epi16(second, v + x + 32), least);
        bits[x / 64] = _mm512_mask_cmple_epu16_mask(first, one, span) |
                       (uint64_t)_mm512_mask_cmple_epu16_mask(second, other, span) << 32;
    }
}

#elif defined __AVX2__

/* Most ranges have no upper end, which saves a subtraction. */
static inline __m256i within_bytes(const uint8_t *at, __m256i from, __m256i span, bool bounded)
{
    __m256i v = _mm256_loadu_si256((const void *)at), above = _mm256_sub_epi8(v, from);
    return bounded ? _mm256_cmpeq_epi8(_mm256_min_epu8(above, span), above)
                   : _mm256_cmpeq_epi8(_mm256_max_epu8(v, from), v);
}

static inline uint64_t within_64_bytes(const uint8_t *v, __m256i from, __m256i span, bool bounded)
{
    __m256i low = within_bytes(v, from, span, bounded);
    __m256i high = within_bytes(v + 32, from, span, bounded);
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

static void within_grey8(const void *values, int64_t width, const void *low, const void *high,
                         uint64_t *bits)
{
    const uint8_t *v = values, from = *(const uint8_t *)low, to = *(const uint8_t *)high;
    const __m256i least = _mm256_set1_epi8((char)from), span = _mm256_set1_epi8((char)(to - from));
    int64_t whole = width / 64;
    for (int64_t i = 0; i < whole && to == UINT8_MAX; i++) {
        bits[i] = within_64_bytes(v + 64 * i, least, span, false);
    }
    for (int64_t i = 0; i < whole && to < UINT8_MAX; i++) {
        bits[i] = within_64_bytes(v + 64 * i, least, span, true);
    }
    within_U8(v + 64 * whole, width - 64 * whole, low, high, bits + whole);
}

static inline __m256i within_words(const uint16_t *at, __m256i from, __m256i span, bool bounded)
{
    __m256i v = _mm256_loadu_si256((const void *)at), above = _mm256_sub_epi16(v, from);
    return bounded ? _mm256_cmpeq_epi16(_mm256_min_epu16(above, span), above)
                   : _mm256_cmpeq_epi16(_mm256_max_epu16(v, from), v);
}

/* Packing interleaves the 128-bit halves; the permutation puts them in order. */
static inline uint32_t within_32_words(const uint16_t *v, __m256i from, __m256i span, bool bounded)
{
    __m256i both = _mm256_packs_epi16(within_words(v, from, span, bounded),
                                      within_words(v + 16, from, span, bounded));
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xd8));
}

static inline uint64_t within_64_words(const uint16_t *v, __m256i from, __m256i span, bool bounded)
{
    return within_32_words(v, from, span, bounded) |
           (uint64_t)within_32_words(v + 32, from, span, bounded) << 32;
}

static void within_grey16(const void *values, int64_t width, const void *low, const void *high,
                          uint64_t *bits)
{
    const uint16_t *v = values, from = *(const uint16_t *)low, to = *(const uint16_t *)high;
    const __m256i least = _mm256_set1_epi16((short)from);
    const __m256i span = _mm256_set1_epi16((short)(to - from));
    int64_t whole = width / 64;
    for (int64_t i = 0; i < whole && to == UINT16_MAX; i++) {
        bits[i] = within_64_words(v + 64 * i, least, span, false);
    }
    for (int64_t i = 0; i < whole && to < UINT16_MAX; i++) {
        bits[i] = within_64_words(v + 64 * i, least, span, true);
    }
    within_U16(v + 64 * whole, width - 64 * whole, low, high, bits + whole);
}

#endif

#if defined __AVX512BW__ || defined __AVX2__
#define within_U8  within_grey8
#define within_U16 within_grey16
#endif

/* ---- spans ----------------------------------------------------------------------------------- */

#define SPAN_OF_WHOLE(code, type, kind, range, name, numpy, min, max)            \
    static void span_##code(const void *values, int64_t width, label_span *span) \
    {                                                                            \
        const type *v = values;                                                  \
        type least = max, most = min;                                            \
        for (int64_t x = 0; x < width; x++) {                                    \
            least = v[x] < least ? v[x] : least;                                 \
            most = v[x] > most ? v[x] : most;                                    \
        }                                                                        \
        *span = (label_span){.finite = width};                                   \
        memcpy(span->least, &least, sizeof least);                               \
        memcpy(span->most, &most, sizeof most);                                  \
    }
HALO_SAMPLE_WHOLE_LIST(SPAN_OF_WHOLE)
#undef SPAN_OF_WHOLE

/* Reals are compared with several extremes in turn: compilers may not reorder comparisons of reals,
 * so that a single minimum, each depending on the one before, could not be vectorised. Values that
 * are not finite are replaced by one that changes nothing. */
enum { SPAN_BYTES = 128 };

#define SPAN_OF_REAL(code, type, kind, range, name, numpy, min, max)                            \
    static inline void add_to_span_##code(type value, type *least, type *most)                  \
    {                                                                                           \
        type low = value >= (min) ? value : max, high = value <= max ? value : (min);           \
        *least = low < *least ? low : *least;                                                   \
        *most = high > *most ? high : *most;                                                    \
    }                                                                                           \
    static void span_##code(const void *values, int64_t width, label_span *span)                \
    {                                                                                           \
        enum { LANES = SPAN_BYTES / sizeof(type) };                                             \
        const type *v = values;                                                                 \
        type least[LANES], most[LANES];                                                         \
        int64_t x = 0;                                                                          \
        for (int i = 0; i < LANES; i++) {                                                       \
            least[i] = max;                                                                     \
            most[i] = min;                                                                      \
        }                                                                                       \
        for (; x + LANES <= width; x += LANES) {                                                \
            for (int i = 0; i < LANES; i++) {                                                   \
                add_to_span_##code(v[x + i], &least[i], &most[i]);                              \
            }                                                                                   \
        }                                                                                       \
        for (; x < width; x++) {                                                                \
            add_to_span_##code(v[x], &least[0], &most[0]);                                      \
        }                                                                                       \
        for (int i = 1; i < LANES; i++) {                                                       \
            least[0] = least[i] < least[0] ? least[i] : least[0];                               \
            most[0] = most[i] > most[0] ? most[i] : most[0];                                    \
        }                                                                                       \
        *span = (label_span){.finite = finite_##code(v, width), .nans = nans_##code(v, width)}; \
        memcpy(span->least, least, sizeof(type));                                               \
        memcpy(span->most, most, sizeof(type));                                                 \
    }
HALO_SAMPLE_REAL_LIST(SPAN_OF_REAL)
#undef SPAN_OF_REAL

const label_range_ops HALO_ISA_OPS(label_range_ops) = {
#define WITHIN_ENTRY(code, ...) within_##code,
#define SPAN_ENTRY(code, ...)   [HALO_SAMPLE_##code] = span_##code,
    .within = {HALO_SAMPLE_TYPE_LIST(WITHIN_ENTRY)},
    .span = {HALO_SAMPLE_VALUE_LIST(SPAN_ENTRY)},
#undef WITHIN_ENTRY
#undef SPAN_ENTRY
};
