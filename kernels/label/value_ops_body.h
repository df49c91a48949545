/* The loops over a row of values, compiled once for each ISA (halobeat_isa_body). They are plain C
 * that the compiler vectorises. No include guard on purpose. */

#include "kernels/label/value_ops.h"
#include "kernels/label/value_words.h"

#include <math.h>
#include <string.h>

#define LIT_UNSIGNED(value, background, any) ((value) != (background) || (any))
#define LIT_SIGNED(value, background, any)   LIT_UNSIGNED(value, background, any)
#define LIT_REAL(value, background, any) \
    ((value) < (background) || (value) > (background) || ((any) && (value) >= (background)))

/* Integers are subtracted as unsigned integers of 64 bits, which is exact for the larger minus the
 * smaller one, also for signed types. */
#define CLOSE_UNSIGNED(a, b, delta) \
    (((a) > (b) ? (uint64_t)(a) - (uint64_t)(b) : (uint64_t)(b) - (uint64_t)(a)) <= (delta)->whole)
#define CLOSE_SIGNED(a, b, delta) CLOSE_UNSIGNED(a, b, delta)
#define CLOSE_REAL(a, b, delta)   (fabs((double)(a) - (double)(b)) <= (delta)->real)

#define VALUE_LOOPS(code, type, kind)                                                   \
    static void lit_##code(const void *values, int64_t width, const double *background, \
                           uint64_t *bits)                                              \
    {                                                                                   \
        const type *v = values, but = (type)(background != NULL ? *background : 0);     \
        bool any = background == NULL;                                                  \
        for (int64_t at = 0; at < width; at += 64) {                                    \
            WORD_OF(word, at, word_count(width, at), LIT_##kind(v[x], but, any))        \
            bits[at / 64] = word;                                                       \
        }                                                                               \
    }                                                                                   \
    static void close_##code(const void *a, const void *b, int64_t width,               \
                             const label_delta *delta, uint64_t *bits)                  \
    {                                                                                   \
        const label_delta limit = *delta;                                               \
        const type *first = a, *second = b;                                             \
        for (int64_t at = 0; at < width; at += 64) {                                    \
            if (bits[at / 64] != 0) {                                                   \
                WORD_OF(word, at, word_count(width, at),                                \
                        CLOSE_##kind(first[x], second[x], &limit))                      \
                bits[at / 64] &= word;                                                  \
            }                                                                           \
        }                                                                               \
    }
HALO_LABEL_VALUE_LIST(VALUE_LOOPS)
#undef VALUE_LOOPS

/* The bits of 64 values that are equal. */
#ifdef __AVX512BW__
static inline __m512i load(const void *at, int vector)
{
    return _mm512_loadu_si512((const char *)at + 64 * vector);
}

static inline uint64_t equal_word8(const void *a, const void *b)
{
    return _mm512_cmpeq_epi8_mask(load(a, 0), load(b, 0));
}

#define EQUAL_WORD(bits_each, lanes)                                                     \
    static inline uint64_t equal_word##bits_each(const void *a, const void *b)           \
    {                                                                                    \
        uint64_t word = 0;                                                               \
        for (int v = 0; v < 64 / (lanes); v++) {                                         \
            word |= (uint64_t)_mm512_cmpeq_epi##bits_each##_mask(load(a, v), load(b, v)) \
                    << (lanes)*v;                                                        \
        }                                                                                \
        return word;                                                                     \
    }
EQUAL_WORD(16, 32)
EQUAL_WORD(32, 16)
EQUAL_WORD(64, 8)
#undef EQUAL_WORD
#else
#define EQUAL_WORD(bits_each)                                                  \
    static inline uint64_t equal_word##bits_each(const void *a, const void *b) \
    {                                                                          \
        const uint##bits_each##_t *first = a, *second = b;                     \
        WORD_OF(word, 0, 64, first[x] == second[x])                            \
        return word;                                                           \
    }
EQUAL_WORD(8)
EQUAL_WORD(16)
EQUAL_WORD(32)
EQUAL_WORD(64)
#undef EQUAL_WORD
#endif

/* Up to this number of values in a word, comparing one by one is faster. */
#ifdef __AVX512BW__
enum { FEW = 0 };
#else
enum { FEW = 8 };
#endif

#define EQUAL(bits_each)                                                         \
    static void equal##bits_each(const void *a, const void *b, int64_t width,    \
                                 const label_delta *delta, uint64_t *bits)       \
    {                                                                            \
        (void)delta;                                                             \
        const uint##bits_each##_t *first = a, *second = b;                       \
        int64_t whole = width / 64 * 64;                                         \
        for (int64_t at = 0; at < whole; at += 64) {                             \
            uint64_t left = bits[at / 64];                                       \
            if (left == 0) {                                                     \
                continue;                                                        \
            }                                                                    \
            if (__builtin_popcountll(left) > FEW) {                              \
                bits[at / 64] &= equal_word##bits_each(first + at, second + at); \
                continue;                                                        \
            }                                                                    \
            for (; left != 0; left &= left - 1) {                                \
                int64_t x = at + __builtin_ctzll(left);                          \
                bits[at / 64] ^= first[x] == second[x] ? 0 : left & (~left + 1); \
            }                                                                    \
        }                                                                        \
        if (whole < width && bits[whole / 64] != 0) {                            \
            WORD_OF(word, whole, width - whole, first[x] == second[x])           \
            bits[whole / 64] &= word;                                            \
        }                                                                        \
    }
EQUAL(8)
EQUAL(16)
EQUAL(32)
EQUAL(64)
#undef EQUAL

static int64_t begin(const uint64_t *bits, int64_t words, uint64_t *begins)
{
    int64_t runs = 0;
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t joined = begins[i] << 1 | carry;
        carry = begins[i] >> 63;
        begins[i] = bits[i] & ~joined;
        runs += __builtin_popcountll(begins[i]);
    }
    return runs;
}

/* Word i of a row shifted by one pixel: its pixel x is the row's x + 1. */
static inline uint64_t ahead_word(const uint64_t *row, int64_t i, int64_t words)
{
    return row[i] >> 1 | (i + 1 < words ? row[i + 1] << 63 : 0);
}

static bool aslant(const label_aslant_rows *rows, int64_t words, uint64_t *edges)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t left = rows->near[i];
        for (int k = 0; k < 2 && rows->settled[k] != NULL; k++) {
            left &= ~(rows->lower_is_far ? ahead_word(rows->settled[k], i, words)
                                         : rows->settled[k][i]);
        }
        if (left != 0) {
            left &=
                ahead_word(rows->far, i, words) &
                ~(rows->straight[i] & ~ahead_word(rows->far_begins, i, words)) &
                ~(ahead_word(rows->straight, i, words) & ~ahead_word(rows->near_begins, i, words));
        }
        edges[i] = left;
        any |= left;
    }
    return any != 0;
}

static void emit(const label_begun_pair *pair, const uint64_t *edges, int64_t words,
                 label_links *links)
{
    int64_t firsts = 0, others = links->others;
    int32_t upper_run = pair->upper_run, lower_run = pair->lower_run, linked = -1;
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t upper = pair->ahead == LABEL_UPPER_AHEAD ? ahead_word(pair->upper_begins, i, words)
                                                          : pair->upper_begins[i];
        uint64_t lower = pair->ahead == LABEL_LOWER_AHEAD ? ahead_word(pair->lower_begins, i, words)
                                                          : pair->lower_begins[i];
        uint64_t same = (edges[i] << 1 | carry) & ~upper & ~lower;
        for (uint64_t left = edges[i] & ~same; left != 0; left &= left - 1) {
            uint64_t up_to = left ^ (left - 1); /* the lowest edge and all bits below it */
            int32_t u = upper_run + (int32_t)__builtin_popcountll(upper & up_to);
            int32_t d = lower_run + (int32_t)__builtin_popcountll(lower & up_to);
            int64_t is_first = d != linked;
            links->first_upper[firsts] = u;
            links->first_lower[firsts] = d;
            links->other_upper[others] = u;
            links->other_lower[others] = d;
            firsts += is_first;
            others += 1 - is_first;
            linked = d;
        }
        upper_run += (int32_t)__builtin_popcountll(upper);
        lower_run += (int32_t)__builtin_popcountll(lower);
        carry = edges[i] >> 63;
    }
    links->firsts = firsts;
    links->others = others;
}

/* `value` follows the current run. */
#define FILL(name, type)                                                          \
    static void name(const uint64_t *bits, const uint64_t *begins, int64_t width, \
                     const type *values, type *out)                               \
    {                                                                             \
        const type *value = values - 1;                                           \
        for (int64_t x = 0; x < width; x += 64) {                                 \
            uint64_t word = bits[x / 64], begun = begins[x / 64];                 \
            int64_t n = width - x < 64 ? width - x : 64;                          \
            if (begun == 0 && (word == 0 || word == UINT64_MAX)) {                \
                type same = (type)(word == 0 ? 0 : *value);                       \
                for (int64_t i = 0; i < n; i++) {                                 \
                    out[x + i] = same;                                            \
                }                                                                 \
                continue;                                                         \
            }                                                                     \
            for (int64_t i = 0; i < n; i++) {                                     \
                value += begun >> i & 1;                                          \
                out[x + i] = (type)(*value & (type) - (type)(word >> i & 1));     \
            }                                                                     \
        }                                                                         \
    }
FILL(fill8, uint8_t)
FILL(fill16, uint16_t)
FILL(fill64, int64_t)
#ifndef __AVX2__
FILL(fill32, int32_t)
#else
/* Bit i of a byte as byte i, 0 or 1. */
static inline uint64_t spread_bits(uint64_t byte)
{
    return _pdep_u64(byte, UINT64_C(0x0101010101010101));
}

/* 8 pixels; the multiplication adds up the runs that begin up to each. If all 8 pixels begin a run
 * the sum is 8, which is unambiguous. */
static inline __m256i fill_eight(uint64_t begun, uint64_t lit, const int32_t *value)
{
    uint64_t run = (spread_bits(begun) - (begun & 1)) * UINT64_C(0x0101010101010101);
    __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)run));
    __m256i mask = _mm256_cvtepi8_epi32(_mm_cvtsi64_si128((int64_t)(spread_bits(lit) * 0xff)));
    __m256i values =
        _mm256_loadu_si256((const __m256i *)(const void *)(value + (int64_t)(begun & 1)));
    return _mm256_and_si256(_mm256_permutevar8x32_epi32(values, index), mask);
}

static inline void fill_word32(uint64_t word, uint64_t begun, const int32_t *value, int32_t *out)
{
    bool same = begun == 0 && (word == 0 || word == UINT64_MAX);
    __m256i all = _mm256_set1_epi32(word == 0 ? 0 : *value);
    for (int i = 0; i < 64; i += 8) {
        uint64_t now = begun >> i & 0xff;
        __m256i pixels = same ? all : fill_eight(now, word >> i & 0xff, value);
        _mm256_storeu_si256((__m256i *)(void *)(out + i), pixels);
        value += __builtin_popcountll(now);
    }
}

static void fill32(const uint64_t *bits, const uint64_t *begins, int64_t width,
                   const int32_t *values, int32_t *out)
{
    const int32_t *value = values - 1;
    for (int64_t x = 0; x < width; x += 64) {
        uint64_t begun = begins[x / 64];
        if (width - x >= 64) {
            fill_word32(bits[x / 64], begun, value, out + x);
        } else {
            int32_t last[64];
            fill_word32(bits[x / 64], begun, value, last);
            memcpy(out + x, last, (size_t)(width - x) * sizeof *out);
        }
        value += __builtin_popcountll(begun);
    }
}
#endif
#undef FILL

const label_value_ops HALO_ISA_OPS(label_value_ops) = {
#define LIT_ENTRY(code, type, kind)   [HALO_LABEL_VALUE_##code] = lit_##code,
#define CLOSE_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = close_##code,
    .lit = {HALO_LABEL_VALUE_LIST(LIT_ENTRY)},
    .close = {HALO_LABEL_VALUE_LIST(CLOSE_ENTRY)},
#undef LIT_ENTRY
#undef CLOSE_ENTRY
    .equal = {equal8, equal16, equal32, equal64},
    .begin = begin,
    .aslant = aslant,
    .emit = emit,
    .fill8 = fill8,
    .fill16 = fill16,
    .fill32 = fill32,
    .fill64 = fill64};
