/* The loops over a row of values, compiled once for each ISA (halobeat_isa_body). They are plain C
 * that the compiler vectorises. No include guard on purpose. */

#include "kernels/label/rows/value_ops.h"
#include "kernels/label/rows/value_ops_links.h"
#include "kernels/label/rows/value_words.h"

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
/* Not <=: infinities are equal, though their difference is no number. NaN has no bit before. */
#define CLOSE_REAL(a, b, delta) (!(fabs((double)(a) - (double)(b)) > (delta)->real))

#define VALUE_LOOPS(code, type, kind, ...)                                                \
    static void lit_##code(const void *values, int64_t width, const void *background,     \
                           uint64_t *bits)                                                \
    {                                                                                     \
        const type *v = values, but = background != NULL ? *(const type *)background : 0; \
        bool any = background == NULL;                                                    \
        for (int64_t at = 0; at < width; at += 64) {                                      \
            WORD_OF(word, at, word_count(width, at), LIT_##kind(v[x], but, any))          \
            bits[at / 64] = word;                                                         \
        }                                                                                 \
    }                                                                                     \
    static bool close_##code(const void *a, const void *b, int64_t width,                 \
                             const label_delta *delta, uint64_t *bits)                    \
    {                                                                                     \
        const label_delta limit = *delta;                                                 \
        const type *first = a, *second = b;                                               \
        uint64_t any = 0;                                                                 \
        for (int64_t at = 0; at < width; at += 64) {                                      \
            if (bits[at / 64] != 0) {                                                     \
                WORD_OF(word, at, word_count(width, at),                                  \
                        CLOSE_##kind(first[x], second[x], &limit))                        \
                any |= bits[at / 64] &= word;                                             \
            }                                                                             \
        }                                                                                 \
        return any != 0;                                                                  \
    }
HALO_SAMPLE_VALUE_LIST(VALUE_LOOPS)
#undef VALUE_LOOPS

/* The bits of 64 values that are equal, and of the `count` < 64 last ones of a row. */
#ifdef __AVX512BW__
static inline __m512i load(const void *at, int vector)
{
    return _mm512_loadu_si512((const char *)at + 64 * vector);
}

#define EQUAL_WORD(bits_each, lanes)                                                            \
    static inline uint64_t equal_word##bits_each(const void *a, const void *b)                  \
    {                                                                                           \
        uint64_t word = 0;                                                                      \
        for (int v = 0; v < 64 / (lanes); v++) {                                                \
            word |= (uint64_t)_mm512_cmpeq_epi##bits_each##_mask(load(a, v), load(b, v))        \
                    << ((lanes)*v % 64);                                                        \
        }                                                                                       \
        return word;                                                                            \
    }                                                                                           \
    static inline uint64_t equal_part##bits_each(const void *a, const void *b, int64_t count)   \
    {                                                                                           \
        uint64_t word = 0, there = count > 0 ? UINT64_MAX >> (64 - count) : 0;                  \
        for (int v = 0; v < 64 / (lanes); v++) {                                                \
            __mmask##lanes some = (__mmask##lanes)(there >> ((lanes)*v % 64));                  \
            __m512i first = _mm512_maskz_loadu_epi##bits_each(some, (const char *)a + 64 * v);  \
            __m512i second = _mm512_maskz_loadu_epi##bits_each(some, (const char *)b + 64 * v); \
            word |= (uint64_t)_mm512_mask_cmpeq_epi##bits_each##_mask(some, first, second)      \
                    << ((lanes)*v % 64);                                                        \
        }                                                                                       \
        return word;                                                                            \
    }
EQUAL_WORD(8, 64)
EQUAL_WORD(16, 32)
EQUAL_WORD(32, 16)
EQUAL_WORD(64, 8)
#undef EQUAL_WORD
#else
#define EQUAL_WORD(bits_each)                                                                 \
    static inline uint64_t equal_word##bits_each(const void *a, const void *b)                \
    {                                                                                         \
        const uint##bits_each##_t *first = a, *second = b;                                    \
        WORD_OF(word, 0, 64, first[x] == second[x])                                           \
        return word;                                                                          \
    }                                                                                         \
    static inline uint64_t equal_part##bits_each(const void *a, const void *b, int64_t count) \
    {                                                                                         \
        const uint##bits_each##_t *first = a, *second = b;                                    \
        WORD_OF(word, 0, count, first[x] == second[x])                                        \
        return word;                                                                          \
    }
EQUAL_WORD(8)
EQUAL_WORD(16)
EQUAL_WORD(32)
EQUAL_WORD(64)
#undef EQUAL_WORD
#endif

#define EQUAL_COUNT(bits_each)                                                                 \
    static inline uint64_t equal_count##bits_each(const void *a, const void *b, int64_t count) \
    {                                                                                          \
        return count >= 64 ? equal_word##bits_each(a, b) : equal_part##bits_each(a, b, count); \
    }
EQUAL_COUNT(8)
EQUAL_COUNT(16)
EQUAL_COUNT(32)
EQUAL_COUNT(64)
#undef EQUAL_COUNT

/* Up to this number of values in a word, comparing one by one is faster. */
#ifdef __AVX512BW__
enum { FEW = 1 };
#else
enum { FEW = 8 };
#endif

#define EQUAL(bits_each)                                                         \
    static bool equal##bits_each(const void *a, const void *b, int64_t width,    \
                                 const label_delta *delta, uint64_t *bits)       \
    {                                                                            \
        (void)delta;                                                             \
        const uint##bits_each##_t *first = a, *second = b;                       \
        uint64_t any = 0;                                                        \
        for (int64_t at = 0; at < width; at += 64) {                             \
            uint64_t left = bits[at / 64];                                       \
            if (left == 0) {                                                     \
                continue;                                                        \
            }                                                                    \
            if (__builtin_popcountll(left) > FEW) {                              \
                any |= bits[at / 64] &=                                          \
                    equal_count##bits_each(first + at, second + at, width - at); \
                continue;                                                        \
            }                                                                    \
            for (; left != 0; left &= left - 1) {                                \
                int64_t x = at + __builtin_ctzll(left);                          \
                bits[at / 64] ^= first[x] == second[x] ? 0 : left & (~left + 1); \
            }                                                                    \
            any |= bits[at / 64];                                                \
        }                                                                        \
        return any != 0;                                                         \
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

/* Hardware prefetching stops at the end of a page. */
enum { BYTES_AHEAD = 4096, LINE = 64 };

static inline void fetch_ahead(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        __builtin_prefetch((const char *)at + BYTES_AHEAD + i);
    }
}

#define FIND_EQUAL(bits_each)                                                                     \
    static int64_t find_equal##bits_each(const label_value_rows *rows, int64_t width,             \
                                         uint64_t *begins, uint64_t *above, uint64_t *before)     \
    {                                                                                             \
        int64_t words = (width + 63) / 64, runs = 0;                                              \
        uint64_t carry = 0;                                                                       \
        for (int64_t i = 0; i < words; i++) {                                                     \
            const uint##bits_each##_t *own = (const uint##bits_each##_t *)rows->own + 64 * i;     \
            const uint##bits_each##_t *up = (const uint##bits_each##_t *)rows->above + 64 * i;    \
            const uint##bits_each##_t *back = (const uint##bits_each##_t *)rows->before + 64 * i; \
            int64_t left = width - 64 * i;                                                        \
            uint64_t word = rows->bits[i];                                                        \
            fetch_ahead(own, 64 * sizeof *own);                                                   \
            fetch_ahead(up, 64 * sizeof *up);                                                     \
            above[i] = word & rows->above_bits[i] & equal_count##bits_each(own, up, left);        \
            before[i] = word & rows->before_bits[i] & equal_count##bits_each(own, back, left);    \
            uint64_t joined = word & ahead_word(rows->bits, i, words) &                           \
                              equal_count##bits_each(own, own + 1, left - 1);                     \
            begins[i] = word & ~(joined << 1 | carry);                                            \
            carry = joined >> 63;                                                                 \
            runs += __builtin_popcountll(begins[i]);                                              \
        }                                                                                         \
        return runs;                                                                              \
    }
FIND_EQUAL(8)
FIND_EQUAL(16)
FIND_EQUAL(32)
FIND_EQUAL(64)
#undef FIND_EQUAL

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
#undef FILL

const label_value_ops HALO_ISA_OPS(label_value_ops) = {
#define LIT_ENTRY(code, ...)   [HALO_SAMPLE_##code] = lit_##code,
#define CLOSE_ENTRY(code, ...) [HALO_SAMPLE_##code] = close_##code,
    .lit = {HALO_SAMPLE_VALUE_LIST(LIT_ENTRY)},
    .close = {HALO_SAMPLE_VALUE_LIST(CLOSE_ENTRY)},
#undef LIT_ENTRY
#undef CLOSE_ENTRY
    .equal = {equal8, equal16, equal32, equal64},
    .begin = begin,
    .find_equal = {find_equal8, find_equal16, find_equal32, find_equal64},
    .aslant = aslant,
    .open = open_stretches,
    .corners = corners,
    .fill8 = fill8,
    .fill16 = fill16,
    .fill64 = fill64};
