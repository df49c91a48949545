#include "kernels/filter/uniform_ops.h"

#include "kernels/filter/linear_lanes.h"

#include <math.h>

/* The loops of uniform_ops.h, for the ISA that halobeat_isa_body chooses: the compiler makes
 * vectors of them. */

/* ---- whole numbers --------------------------------------------------------------------------- */

#define CHANGE(name, from_type, sum_type, sign)                  \
    static void name(const void *row, int64_t count, void *sums) \
    {                                                            \
        const from_type *restrict from = row;                    \
        sum_type *restrict to = sums;                            \
        for (int64_t i = 0; i < count; i++) {                    \
            to[i] = (sum_type)(to[i] sign(sum_type) from[i]);    \
        }                                                        \
    }
#define CHANGES(code, c_type, sum_code, sum_type)        \
    CHANGE(add_##code##_##sum_code, c_type, sum_type, +) \
    CHANGE(subtract_##code##_##sum_code, c_type, sum_type, -)

/* Exact: of sums below 2^52 the quotient is closer to its place among whole numbers and halves than
 * it can be off. */
#define NEAREST_S32(sum, of)  (int64_t) rint((double)(sum) / (of))
#define NEAREST_S64(sum, of)  (int64_t) rint((double)(sum) / (of))
#define NEAREST_S128(sum, of) nearest((sum), (filter_long)(of))

static inline filter_long nearest(filter_long sum, filter_long of)
{
    filter_long whole = sum / of, rest = sum % of;
    if (rest < 0) {
        whole--;
        rest += of;
    }
    return 2 * rest > of || (2 * rest == of && whole % 2 != 0) ? whole + 1 : whole;
}

#define DIVIDE(code, c_type, sum_code, sum_type, VALUE)                                           \
    static void divide_##code##_##sum_code(const void *sums, double of, int64_t count, void *out) \
    {                                                                                             \
        const sum_type *restrict from = sums;                                                     \
        c_type *restrict to = out;                                                                \
        for (int64_t i = 0; i < count; i++) {                                                     \
            to[i] = (c_type)VALUE(from[i], of);                                                   \
        }                                                                                         \
    }
#define QUOTIENT(sum, of) ((double)(sum) / (of))

#define SUM_OF_TYPE(code, c_type, ...)              \
    CHANGES(code, c_type, S32, int32_t)             \
    CHANGES(code, c_type, S64, int64_t)             \
    CHANGES(code, c_type, S128, filter_long)        \
    DIVIDE(code, c_type, S32, int32_t, NEAREST_S32) \
    DIVIDE(code, c_type, S64, int64_t, NEAREST_S64) \
    DIVIDE(code, c_type, S128, filter_long, NEAREST_S128)
HALO_SAMPLE_WHOLE_LIST(SUM_OF_TYPE)
#define QUOTIENTS(code, c_type, ...)             \
    DIVIDE(code, c_type, S32, int32_t, QUOTIENT) \
    DIVIDE(code, c_type, S64, int64_t, QUOTIENT) \
    DIVIDE(code, c_type, S128, filter_long, QUOTIENT)
HALO_SAMPLE_REAL_LIST(QUOTIENTS)

#define SLIDE(sum_code, sum_type, ...)                                                     \
    CHANGE(add_sums_##sum_code, sum_type, sum_type, +)                                     \
    CHANGE(subtract_sums_##sum_code, sum_type, sum_type, -)                                \
    static void slide_##sum_code(const void *sums, int64_t size, int64_t count, void *out) \
    {                                                                                      \
        const sum_type *restrict from = sums;                                              \
        sum_type *restrict to = out, sum = 0;                                              \
        for (int64_t i = 0; i + 1 < size; i++) {                                           \
            sum = (sum_type)(sum + from[i]);                                               \
        }                                                                                  \
        for (int64_t i = 0; i < count; i++) {                                              \
            sum = (sum_type)(sum + from[i + size - 1]);                                    \
            to[i] = sum;                                                                   \
            sum = (sum_type)(sum - from[i]);                                               \
        }                                                                                  \
    }
FILTER_SUM_LIST(SLIDE)

/* ---- reals ----------------------------------------------------------------------------------- */

CHANGE(add_doubles, double, double, +)

static void add_reals(const double *row, int64_t count, double *sums)
{
    add_doubles(row, count, sums);
}

static inline double rounded(double value, bool rounds)
{
    return rounds ? (double)(float)value : value;
}

static inline void mean_of(const double *restrict a, const double *restrict b, double of,
                           int64_t count, bool rounds, double *restrict out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = rounded((b != NULL ? a[i] + b[i] : a[i]) / of, rounds);
    }
}

static void mean(const double *a, const double *b, double of, int64_t count, bool rounds,
                 double *out)
{
    if (b != NULL) {
        mean_of(a, b, of, count, rounds, out);
    } else {
        mean_of(a, NULL, of, count, rounds, out);
    }
}

ALWAYS void put_mean(reals sum, double of, bool rounds, double *out)
{
    reals value = sum / of;
    value = rounds ? through_floats(value) : value;
    memcpy(out, &value, sizeof value);
}

/* Sums of columns from `end` - 1 down to `begin`, each with those after it. */
static void sum_back(const double *columns, int64_t begin, int64_t end, double *sums)
{
    reals sum = load_F64(columns, (end - 1) * LANES);
    for (int64_t k = end - 1; k > begin; k--) {
        memcpy(sums + (k - begin) * LANES, &sum, sizeof sum);
        sum += load_F64(columns, (k - 1) * LANES);
    }
    memcpy(sums, &sum, sizeof sum);
}

/* The sum of a block from its first column on. */
ALWAYS reals sum_block(const double *columns, int64_t size)
{
    reals sum = load_F64(columns, 0);
    for (int64_t k = 1; k < size; k++) {
        sum += load_F64(columns, k * LANES);
    }
    return sum;
}

static void means_along(const double *columns, int64_t first, int64_t size, int64_t count,
                        bool rounds, double *work, double *out)
{
    const double of = (double)size;
    int64_t begin = -(first % size < 0 ? first % size + size : first % size);
    reals sum = begin == 0 ? sum_block(columns, size) : (reals){0};
    for (; begin < count; begin += size) {
        int64_t end = begin + size, lo = begin > 0 ? begin : 0;
        sum_back(columns, lo, end, work);
        if (begin >= 0) {
            put_mean(sum, of, rounds, out + begin * LANES); /* a block */
        }
        for (int64_t i = begin + 1; i < end && i < count; i++) {
            reals next = load_F64(columns, (i + size - 1) * LANES);
            sum = i > begin + 1 ? sum + next : next;
            if (i >= 0) {
                put_mean(load_F64(work, (i - lo) * LANES) + sum, of, rounds, out + i * LANES);
            }
        }
        if (end < count) {
            reals next = load_F64(columns, (end + size - 1) * LANES);
            sum = size > 1 ? sum + next : next;
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ENTRY(name, code, sum_code) [HALO_SAMPLE_##code] = name##_##code##_##sum_code,
#define ADD_S32(code, ...)          ENTRY(add, code, S32)
#define ADD_S64(code, ...)          ENTRY(add, code, S64)
#define ADD_S128(code, ...)         ENTRY(add, code, S128)
#define SUBTRACT_S32(code, ...)     ENTRY(subtract, code, S32)
#define SUBTRACT_S64(code, ...)     ENTRY(subtract, code, S64)
#define SUBTRACT_S128(code, ...)    ENTRY(subtract, code, S128)
#define DIVIDE_S32(code, ...)       ENTRY(divide, code, S32)
#define DIVIDE_S64(code, ...)       ENTRY(divide, code, S64)
#define DIVIDE_S128(code, ...)      ENTRY(divide, code, S128)
#define ADD_SUMS(code, ...)         add_sums_##code,
#define SUBTRACT_SUMS(code, ...)    subtract_sums_##code,
#define SLIDE_SUMS(code, ...)       slide_##code,

const filter_uniform_ops HALO_ISA_OPS(filter_uniform_ops) = {
    .add = {{HALO_SAMPLE_WHOLE_LIST(ADD_S32)},
            {HALO_SAMPLE_WHOLE_LIST(ADD_S64)},
            {HALO_SAMPLE_WHOLE_LIST(ADD_S128)}},
    .subtract = {{HALO_SAMPLE_WHOLE_LIST(SUBTRACT_S32)},
                 {HALO_SAMPLE_WHOLE_LIST(SUBTRACT_S64)},
                 {HALO_SAMPLE_WHOLE_LIST(SUBTRACT_S128)}},
    .add_sums = {FILTER_SUM_LIST(ADD_SUMS)},
    .subtract_sums = {FILTER_SUM_LIST(SUBTRACT_SUMS)},
    .slide = {FILTER_SUM_LIST(SLIDE_SUMS)},
    .divide = {{HALO_SAMPLE_VALUE_LIST(DIVIDE_S32)},
               {HALO_SAMPLE_VALUE_LIST(DIVIDE_S64)},
               {HALO_SAMPLE_VALUE_LIST(DIVIDE_S128)}},
    .add_reals = add_reals,
    .mean = mean,
    .means_along = means_along,
};
