/* The loops over a row of samples that are held against thresholds, compiled once for each ISA
 * (halobeat_isa_body). They are plain C that the compiler turns into vectors. No include guard on
 * purpose. */

#include "kernels/label/range_ops.h"
#include "kernels/label/value_words.h"

#include <float.h>
#include <string.h>

#define NANS_UNSIGNED(v, count) 0
#define NANS_SIGNED(v, count)   0
#define NANS_REAL(v, count)     count_nans(v, count)

#define COUNT_NANS(type, counter)                                         \
    static inline int64_t count_nans_##type(const type *v, int64_t count) \
    {                                                                     \
        counter nans = 0;                                                 \
        for (int64_t i = 0; i < count; i++) {                             \
            nans += v[i] != v[i];                                         \
        }                                                                 \
        return nans;                                                      \
    }
COUNT_NANS(float, int32_t)
COUNT_NANS(double, int64_t)
#undef COUNT_NANS
#define count_nans(v, count) \
    _Generic((v), const float * : count_nans_float, const double * : count_nans_double)(v, count)

#define WITHIN(code, type, kind)                                                     \
    static int64_t within_##code(const void *values, int64_t width, const void *low, \
                                 const void *high, uint64_t *bits)                   \
    {                                                                                \
        const type *v = values, from = *(const type *)low, to = *(const type *)high; \
        int64_t nans = 0;                                                            \
        for (int64_t at = 0; at < width; at += 64) {                                 \
            int64_t count = word_count(width, at);                                   \
            WORD_OF(word, at, count, (v[x] >= from) & (v[x] <= to))                  \
            bits[at / 64] = word;                                                    \
            nans += NANS_##kind(v + at, count);                                      \
        }                                                                            \
        return nans;                                                                 \
    }
HALO_LABEL_VALUE_LIST(WITHIN)
#undef WITHIN

/* Values go in turn to several extremes each, since a minimum that waits for the one before it
 * cannot be a vector's. What is not finite is compared as a number that changes nothing. */
enum { SPAN_BYTES = 128 };

#define FINITE_UNSIGNED(value, most) true
#define FINITE_SIGNED(value, most)   true
#define FINITE_REAL(value, most)     ((value) >= -(most) && (value) <= (most))

#define SPAN(code, type, kind, from, to)                                                        \
    static inline void add_to_span_##code(type value, type *least, type *most, int64_t *finite) \
    {                                                                                           \
        bool counts = FINITE_##kind(value, to);                                                 \
        type low = counts ? value : to, high = counts ? value : from;                           \
        *least = low < *least ? low : *least;                                                   \
        *most = high > *most ? high : *most;                                                    \
        *finite += counts;                                                                      \
    }                                                                                           \
    static void span_##code(const void *values, int64_t width, label_span *span)                \
    {                                                                                           \
        enum { LANES = SPAN_BYTES / sizeof(type) };                                             \
        const type *v = values;                                                                 \
        type least[LANES], most[LANES];                                                         \
        int64_t finite[LANES] = {0}, x = 0;                                                     \
        for (int i = 0; i < LANES; i++) {                                                       \
            least[i] = to;                                                                      \
            most[i] = from;                                                                     \
        }                                                                                       \
        for (; x + LANES <= width; x += LANES) {                                                \
            for (int i = 0; i < LANES; i++) {                                                   \
                add_to_span_##code(v[x + i], &least[i], &most[i], &finite[i]);                  \
            }                                                                                   \
        }                                                                                       \
        for (; x < width; x++) {                                                                \
            add_to_span_##code(v[x], &least[0], &most[0], &finite[0]);                          \
        }                                                                                       \
        for (int i = 1; i < LANES; i++) {                                                       \
            least[0] = least[i] < least[0] ? least[i] : least[0];                               \
            most[0] = most[i] > most[0] ? most[i] : most[0];                                    \
            finite[0] += finite[i];                                                             \
        }                                                                                       \
        *span = (label_span){.finite = finite[0], .nans = NANS_##kind(v, width)};               \
        memcpy(span->least, least, sizeof(type));                                               \
        memcpy(span->most, most, sizeof(type));                                                 \
    }
SPAN(U8, uint8_t, UNSIGNED, 0, UINT8_MAX)
SPAN(I8, int8_t, SIGNED, INT8_MIN, INT8_MAX)
SPAN(U16, uint16_t, UNSIGNED, 0, UINT16_MAX)
SPAN(I16, int16_t, SIGNED, INT16_MIN, INT16_MAX)
SPAN(U32, uint32_t, UNSIGNED, 0, UINT32_MAX)
SPAN(I32, int32_t, SIGNED, INT32_MIN, INT32_MAX)
SPAN(U64, uint64_t, UNSIGNED, 0, UINT64_MAX)
SPAN(I64, int64_t, SIGNED, INT64_MIN, INT64_MAX)
SPAN(F32, float, REAL, -FLT_MAX, FLT_MAX)
SPAN(F64, double, REAL, -DBL_MAX, DBL_MAX)
#undef SPAN

const label_range_ops HALO_ISA_OPS(label_range_ops) = {
#define WITHIN_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = within_##code,
#define SPAN_ENTRY(code, type, kind)   [HALO_LABEL_VALUE_##code] = span_##code,
    .within = {HALO_LABEL_VALUE_LIST(WITHIN_ENTRY)},
    .span = {HALO_LABEL_VALUE_LIST(SPAN_ENTRY)},
#undef WITHIN_ENTRY
#undef SPAN_ENTRY
};
