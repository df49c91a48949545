/* The loops over a row of samples that are compared with thresholds, compiled once for each ISA
 * (halobeat_isa_body). They are plain C that the compiler vectorises. No include guard on
 * purpose. */

#include "kernels/label/rows/value_words.h"
#include "kernels/label/threshold/range_ops.h"

#include <float.h>
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

#define NANS_UNSIGNED(code, v, count) 0
#define NANS_SIGNED(code, v, count)   0
#define NANS_REAL(code, v, count)     nans_##code(v, count)

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
            nans += NANS_##kind(code, v + at, count);                                \
        }                                                                            \
        return nans;                                                                 \
    }
HALO_SAMPLE_VALUE_LIST(WITHIN)
#undef WITHIN

#define SPAN_OF_WHOLE(code, type, from, to)                                      \
    static void span_##code(const void *values, int64_t width, label_span *span) \
    {                                                                            \
        const type *v = values;                                                  \
        type least = to, most = from;                                            \
        for (int64_t x = 0; x < width; x++) {                                    \
            least = v[x] < least ? v[x] : least;                                 \
            most = v[x] > most ? v[x] : most;                                    \
        }                                                                        \
        *span = (label_span){.finite = width};                                   \
        memcpy(span->least, &least, sizeof least);                               \
        memcpy(span->most, &most, sizeof most);                                  \
    }
SPAN_OF_WHOLE(U8, uint8_t, 0, UINT8_MAX)
SPAN_OF_WHOLE(I8, int8_t, INT8_MIN, INT8_MAX)
SPAN_OF_WHOLE(U16, uint16_t, 0, UINT16_MAX)
SPAN_OF_WHOLE(I16, int16_t, INT16_MIN, INT16_MAX)
SPAN_OF_WHOLE(U32, uint32_t, 0, UINT32_MAX)
SPAN_OF_WHOLE(I32, int32_t, INT32_MIN, INT32_MAX)
SPAN_OF_WHOLE(U64, uint64_t, 0, UINT64_MAX)
SPAN_OF_WHOLE(I64, int64_t, INT64_MIN, INT64_MAX)
#undef SPAN_OF_WHOLE

/* Reals are compared with several extremes in turn: compilers may not reorder comparisons of reals,
 * so that a single minimum, each depending on the one before, could not be vectorised. Values that
 * are not finite are replaced by one that changes nothing. */
enum { SPAN_BYTES = 128 };

#define SPAN_OF_REAL(code, type, end)                                                           \
    static inline void add_to_span_##code(type value, type *least, type *most)                  \
    {                                                                                           \
        type low = value >= -(end) ? value : (end), high = value <= (end) ? value : -(end);     \
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
            least[i] = end;                                                                     \
            most[i] = -(end);                                                                   \
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
SPAN_OF_REAL(F32, float, FLT_MAX)
SPAN_OF_REAL(F64, double, DBL_MAX)
#undef SPAN_OF_REAL

const label_range_ops HALO_ISA_OPS(label_range_ops) = {
#define WITHIN_ENTRY(code, type, kind) [HALO_SAMPLE_##code] = within_##code,
#define SPAN_ENTRY(code, type, kind)   [HALO_SAMPLE_##code] = span_##code,
    .within = {HALO_SAMPLE_VALUE_LIST(WITHIN_ENTRY)},
    .span = {HALO_SAMPLE_VALUE_LIST(SPAN_ENTRY)},
#undef WITHIN_ENTRY
#undef SPAN_ENTRY
};
