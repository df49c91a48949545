#include "kernels/filter/linear_ops.h"

#include "kernels/filter/linear_lanes.h"

#include <math.h>
#include <string.h>

/* The loops of linear_ops.h, for the ISA that halobeat_isa_body chooses. */

enum { TOGETHER = 4 };

ALWAYS void store_F64_at(void *out, int64_t x, reals value)
{
    memcpy((double *)out + x, &value, sizeof value);
}

ALWAYS void store_F32_at(void *out, int64_t x, reals value)
{
    half_floats rounded = round_to_floats(value);
    memcpy((float *)out + x, &rounded, sizeof rounded);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Sums of TOGETHER vectors, or of one; `at` is what a row and a place have for a sample that is j
 * away. */
#define SUM_BLOCK(many, LOAD, LOW, HIGH, AT, STORE)                   \
    {                                                                 \
        reals sum[many];                                              \
        for (int k = 0; k < (many); k++) {                            \
            sum[k] = LOAD(AT, first + x + k * LANES) * w->weights[0]; \
        }                                                             \
        for (int64_t j = w->radius; j > 0; j--) {                     \
            double weight = w->weights[j];                            \
            for (int k = 0; k < (many); k++) {                        \
                reals low = LOAD(LOW, first + x + k * LANES),         \
                      high = LOAD(HIGH, first + x + k * LANES);       \
                sum[k] += (odd ? high - low : low + high) * weight;   \
            }                                                         \
        }                                                             \
        for (int k = 0; k < (many); k++) {                            \
            STORE(to, to_x + k * LANES, sum[k]);                      \
        }                                                             \
    }

#define SUM_ALL(LOAD, LOW, HIGH, AT, STORE, out_type)                          \
    int64_t x = 0;                                                             \
    void *to = out;                                                            \
    for (; x + TOGETHER * LANES <= count; x += TOGETHER * LANES) {             \
        int64_t to_x = x;                                                      \
        SUM_BLOCK(TOGETHER, LOAD, LOW, HIGH, AT, STORE)                        \
    }                                                                          \
    for (; x + LANES <= count; x += LANES) {                                   \
        int64_t to_x = x;                                                      \
        SUM_BLOCK(1, LOAD, LOW, HIGH, AT, STORE)                               \
    }                                                                          \
    if (x < count) {                                                           \
        out_type rest[LANES];                                                  \
        int64_t to_x = 0;                                                      \
        to = rest;                                                             \
        SUM_BLOCK(1, LOAD, LOW, HIGH, AT, STORE)                               \
        memcpy((out_type *)out + x, rest, (size_t)(count - x) * sizeof *rest); \
    }

#define ACROSS(code, out_code, out_type)                                                           \
    ALWAYS void across_##code##_##out_code##_of(const filter_weights *w, const void *const *rows,  \
                                                int64_t first, int64_t count, void *out, bool odd) \
    {                                                                                              \
        const void *const *middle = rows + w->radius;                                              \
        SUM_ALL(load_##code, middle[-j], middle[j], middle[0], store_##out_code##_at, out_type)    \
    }                                                                                              \
    static void across_##code##_##out_code(const filter_weights *w, const void *const *rows,       \
                                           int64_t first, int64_t count, void *out)                \
    {                                                                                              \
        if (w->odd) {                                                                              \
            across_##code##_##out_code##_of(w, rows, first, count, out, true);                     \
        } else {                                                                                   \
            across_##code##_##out_code##_of(w, rows, first, count, out, false);                    \
        }                                                                                          \
    }
#define ACROSS_BOTH(code, ...) ACROSS(code, F32, float) ACROSS(code, F64, double)
HALO_SAMPLE_VALUE_LIST(ACROSS_BOTH)
#undef ACROSS_BOTH

#define ALONG(code, c_type)                                                                      \
    ALWAYS void along_##code##_of(const filter_weights *w, const c_type *row, int64_t count,     \
                                  void *out, bool odd)                                           \
    {                                                                                            \
        const int64_t first = 0;                                                                 \
        SUM_ALL(load_##code, row - j, row + j, row, store_##code##_at, c_type)                   \
    }                                                                                            \
    static void along_##code(const filter_weights *w, const void *row, int64_t count, void *out) \
    {                                                                                            \
        if (w->odd) {                                                                            \
            along_##code##_of(w, row, count, out, true);                                         \
        } else {                                                                                 \
            along_##code##_of(w, row, count, out, false);                                        \
        }                                                                                        \
    }
ALONG(F32, float)
ALONG(F64, double)

/* ---- results --------------------------------------------------------------------------------- */

/* The nearest whole number, of two the even one: adding 1.5 * 2^52 leaves no bits for less. Larger
 * ones are whole already. */
ALWAYS double round_to_even(double value)
{
    const double magic = 0x1.8p52;
    return fabs(value) < 0x1p51 ? value + magic - magic : value;
}

#define ROUND_UNSIGNED(value) round_to_even(value)
#define ROUND_SIGNED(value)   round_to_even(value)

/* The ends of 64-bit types are no doubles: the nearest ones would not fit. NaN becomes the
 * least. */
#define STORE_WHOLE(from_code, from_type, code, c_type, kind, min, max)               \
    static void store_##from_code##_##code(const void *row, int64_t count, void *out) \
    {                                                                                 \
        const from_type *from = row;                                                  \
        c_type *to = out;                                                             \
        for (int64_t i = 0; i < count; i++) {                                         \
            double value = ROUND_##kind((double)from[i]);                             \
            double low = (double)(min), high = (double)(max);                         \
            to[i] = !(value > low)  ? (c_type)(min)                                   \
                    : value >= high ? (c_type)(max)                                   \
                                    : (c_type)value;                                  \
        }                                                                             \
    }
#define STORE_WHOLES(code, c_type, kind, range, name, numpy, min, max) \
    STORE_WHOLE(F32, float, code, c_type, kind, min, max)              \
    STORE_WHOLE(F64, double, code, c_type, kind, min, max)
HALO_SAMPLE_WHOLE_LIST(STORE_WHOLES)
#undef STORE_WHOLES

#define STORE_REAL(from_code, from_type, code, c_type)                                \
    static void store_##from_code##_##code(const void *row, int64_t count, void *out) \
    {                                                                                 \
        const from_type *from = row;                                                  \
        c_type *to = out;                                                             \
        for (int64_t i = 0; i < count; i++) {                                         \
            to[i] = (c_type)from[i];                                                  \
        }                                                                             \
    }
STORE_REAL(F32, float, F32, float)
STORE_REAL(F32, float, F64, double)
STORE_REAL(F64, double, F32, float)
STORE_REAL(F64, double, F64, double)

/* ---- terms ----------------------------------------------------------------------------------- */

#define SQUARE(value) ((value) * (value))
#define ITSELF(value) (value)

#define COMBINE(name, c_type, TERM, FINISH)                                                    \
    ALWAYS void name##_of(const void *const *rows, int terms, int64_t count, c_type *out)      \
    {                                                                                          \
        const c_type *a = rows[0], *b = rows[terms > 1 ? 1 : 0], *c = rows[terms > 2 ? 2 : 0]; \
        for (int64_t i = 0; i < count; i++) {                                                  \
            c_type value = TERM(a[i]);                                                         \
            value = terms > 1 ? value + TERM(b[i]) : value;                                    \
            value = terms > 2 ? value + TERM(c[i]) : value;                                    \
            out[i] = FINISH(value);                                                            \
        }                                                                                      \
    }                                                                                          \
    static void name(const void *const *rows, int terms, int64_t count, void *out)             \
    {                                                                                          \
        if (terms == 1) {                                                                      \
            name##_of(rows, 1, count, out);                                                    \
        } else if (terms == 2) {                                                               \
            name##_of(rows, 2, count, out);                                                    \
        } else {                                                                               \
            name##_of(rows, 3, count, out);                                                    \
        }                                                                                      \
    }
COMBINE(sum_F32, float, ITSELF, ITSELF)
COMBINE(sum_F64, double, ITSELF, ITSELF)
COMBINE(magnitude_F32, float, SQUARE, sqrtf)
COMBINE(magnitude_F64, double, SQUARE, sqrt)

#define ACROSS_ENTRY(code, ...)    [HALO_SAMPLE_##code] = {across_##code##_F32, across_##code##_F64},
#define STORE_F32_ENTRY(code, ...) [HALO_SAMPLE_##code] = store_F32_##code,
#define STORE_F64_ENTRY(code, ...) [HALO_SAMPLE_##code] = store_F64_##code,

const filter_linear_ops HALO_ISA_OPS(filter_linear_ops) = {
    .across = {HALO_SAMPLE_VALUE_LIST(ACROSS_ENTRY)},
    .along = {along_F32, along_F64},
    .sum = {sum_F32, sum_F64},
    .magnitude = {magnitude_F32, magnitude_F64},
    .store = {{HALO_SAMPLE_VALUE_LIST(STORE_F32_ENTRY)}, {HALO_SAMPLE_VALUE_LIST(STORE_F64_ENTRY)}},
};
