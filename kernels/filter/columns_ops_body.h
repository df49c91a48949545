#include "kernels/filter/columns_ops.h"

#include "kernels/filter/linear_lanes.h"

#include <math.h>
#include <string.h>

/* The loops of columns_ops.h, for the ISA that halobeat_isa_body chooses. */

/* ---- sums of windows that overlap ------------------------------------------------------------ */

/* As many windows as a vector has doubles. Both lists are the same, for one within the other. */
#if HALO_ISA_BYTES == 64
enum { WINDOWS = 8 };
#define EACH(X)  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define STEPS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#elif HALO_ISA_BYTES == 32
enum { WINDOWS = 4 };
#define EACH(X)  X(0) X(1) X(2) X(3)
#define STEPS(X) X(0) X(1) X(2) X(3)
#else
enum { WINDOWS = 2 };
#define EACH(X)  X(0) X(1)
#define STEPS(X) X(0) X(1)
#endif
enum { LAST = WINDOWS - 1 };

/* Sample i of the line that begins at `from`, for lanes that begin at x. */
typedef reals reader(const void *from, int64_t i, int64_t x);
typedef floats quick_reader(const void *from, int64_t i, int64_t x);

/* A step from tap j - s to the next. low[(k + s) % WINDOWS] is the sample at the low end of window
 * k, high[(k - s) % WINDOWS] that at its high end; `at` is the middle of window 0. */
#define ADD_PAIR(k) ADD(sum[k], low[((k) + step) & LAST], high[((k)-step) & LAST], weight)
#define STEP(s)                                               \
    {                                                         \
        enum { step = (s) };                                  \
        WEIGHT(weight, j - step);                             \
        EACH(ADD_PAIR)                                        \
        low[step & LAST] = READ_LOW(at - j + step + WINDOWS); \
        high[(LAST - step) & LAST] = READ(at + j - step - 1); \
    }

/* Fewer steps than a round of all windows; then low[k] is made the end of window k again. */
#define TURN(k)                              \
    new_low[k] = low[((k) + turned) & LAST]; \
    new_high[k] = high[((k)-turned) & LAST];
#define COPY(k)          \
    low[k] = new_low[k]; \
    high[k] = new_high[k];
#define STEP_FEW(vector, few, ...)                  \
    if ((w->radius & (few)) != 0) {                 \
        enum { turned = (few) };                    \
        vector new_low[WINDOWS], new_high[WINDOWS]; \
        __VA_ARGS__                                 \
        EACH(TURN)                                  \
        EACH(COPY)                                  \
        j -= turned;                                \
    }
#if HALO_ISA_BYTES == 64
#define STEP_TWO(vector)  STEP_FEW(vector, 2, STEP(0) STEP(1))
#define STEP_FOUR(vector) STEP_FEW(vector, 4, STEP(0) STEP(1) STEP(2) STEP(3))
#elif HALO_ISA_BYTES == 32
#define STEP_TWO(vector) STEP_FEW(vector, 2, STEP(0) STEP(1))
#define STEP_FOUR(vector)
#else
#define STEP_TWO(vector)
#define STEP_FOUR(vector)
#endif

/* Adds all taps but the middle, the outermost first. After them low[k] is the middle of window k.
 */
#define FILL(k)                              \
    low[k] = READ_LOW(at - w->radius + (k)); \
    high[k] = READ(at + w->radius + (k));
#define ADD_PAIRS(vector)               \
    vector low[WINDOWS], high[WINDOWS]; \
    int64_t j = w->radius;              \
    EACH(FILL)                          \
    STEP_FEW(vector, 1, STEP(0))        \
    STEP_TWO(vector)                    \
    STEP_FOUR(vector)                   \
    for (; j > 0; j -= WINDOWS) {       \
        STEPS(STEP)                     \
    }

#define READ(i) read(from, i, x)

/* ---- doubles --------------------------------------------------------------------------------- */

/* Samples at low ends count with the other sign where weights are odd. */
#define READ_LOW(i)                 (reals)((wholes)read(from, i, x) ^ sign)
#define WEIGHT(name, at)            const reals name = (reals){0} + w->weights[at]
#define ADD(sum, low, high, weight) (sum) = add_product((low) + (high), weight, sum, fused);
#define START(k)                    sum[k] = READ(at + (k)) * w->weights[0];

ALWAYS void sum_windows(const filter_weights *w, reader *read, const void *from, int64_t at,
                        int64_t x, bool fused, reals sum[WINDOWS])
{
    const wholes sign = (wholes){0} + (w->odd ? INT64_MIN : 0);
    EACH(START)
    ADD_PAIRS(reals)
}

#undef READ_LOW
#undef WEIGHT
#undef ADD
#undef START

/* True if sums are rounded to other floats than those of another order of operations might be: the
 * bits that floats do not have are close to half. An error is less than 2 units in the last place
 * for each operation. */
ALWAYS bool are_close(const reals sum[LANES], int64_t radius)
{
    enum { BITS = 29, MORE = 16 };
    const int64_t most = 4 * radius + MORE, half = INT64_C(1) << (BITS - 1);
    wholes any = {0};
    for (int i = 0; i < LANES; i++) {
        wholes left = ((wholes)sum[i] & (2 * half - 1)) - (half - most);
        any |= (wholes)((unsigned_wholes)left <= (uint64_t)(2 * most));
    }
    return any_set(any);
}

ALWAYS void put_columns(reals v[LANES], bool rounds, double *columns)
{
    transpose(v);
    for (int i = 0; i < LANES; i++) {
        reals value = rounds ? through_floats(v[i]) : v[i];
        memcpy(columns + i * LANES, &value, sizeof value);
    }
}

ALWAYS void put_rows(const reals v[LANES], bool rounds, int64_t x, void *const *out)
{
    for (int i = 0; i < LANES; i++) {
        if (rounds) {
            half_floats value = round_to_floats(v[i]);
            memcpy((float *)out[i] + x, &value, sizeof value);
        } else {
            memcpy((double *)out[i] + x, &v[i], sizeof v[i]);
        }
    }
}

/* Not inline: several functions share it. */
#define SUM_FUNCTION(name, from_type, read, from, at, x, fused)                         \
    static __attribute__((noinline)) void name(const filter_weights *w, from_type rows, \
                                               int64_t place, reals *out)               \
    {                                                                                   \
        reals sum[LANES];                                                               \
        sum_windows(w, read, from, at, x, fused, sum);                                  \
        for (int i = 0; i < LANES; i++) {                                               \
            out[i] = sum[i];                                                            \
        }                                                                               \
    }

#define ACROSS(code, ...)                                                                          \
    ALWAYS reals read_##code(const void *from, int64_t i, int64_t x)                               \
    {                                                                                              \
        return load_##code(((const void *const *)from)[i], x);                                     \
    }                                                                                              \
    SUM_FUNCTION(sum_##code, const void *const *, read_##code, rows, w->radius, place, false)      \
    SUM_FUNCTION(fused_##code, const void *const *, read_##code, rows, w->radius, place, true)     \
    ALWAYS void sum_##code##_as(const filter_weights *w, const void *const *rows, int64_t x,       \
                                const filter_sums *how, reals sum[LANES])                          \
    {                                                                                              \
        if (how->fused) {                                                                          \
            fused_##code(w, rows, x, sum);                                                         \
        }                                                                                          \
        if (!how->fused || (how->rounds && are_close(sum, w->radius))) {                           \
            sum_##code(w, rows, x, sum);                                                           \
        }                                                                                          \
    }                                                                                              \
    static void to_columns_##code(const filter_weights *w, const void *const *rows, int64_t count, \
                                  const filter_sums *how, double *columns)                         \
    {                                                                                              \
        for (int64_t x = 0; x < count; x += LANES) {                                               \
            reals sum[LANES];                                                                      \
            sum_##code##_as(w, rows, x, how, sum);                                                 \
            put_columns(sum, how->rounds, columns + x * LANES);                                    \
        }                                                                                          \
    }                                                                                              \
    static void across_##code(const filter_weights *w, const void *const *rows, int64_t count,     \
                              const filter_sums *how, void *const *out)                            \
    {                                                                                              \
        for (int64_t x = 0; x < count; x += LANES) {                                               \
            reals sum[LANES];                                                                      \
            sum_##code##_as(w, rows, x, how, sum);                                                 \
            put_rows(sum, how->rounds, x, out);                                                    \
        }                                                                                          \
    }
HALO_SAMPLE_VALUE_LIST(ACROSS)
#undef ACROSS

/* ---- results --------------------------------------------------------------------------------- */

/* Adding it leaves the nearest whole number in the last bits, of two the even one. */
#define MAGIC 0x1.8p52

/* NaN becomes the least. */
ALWAYS wholes round_within(reals value, double low, double high)
{
    const reals lows = (reals){0} + low, highs = (reals){0} + high;
    wholes within = value > lows;
    value = (reals)(((wholes)value & within) | ((wholes)lows & ~within));
    within = value < highs;
    value = (reals)(((wholes)value & within) | ((wholes)highs & ~within));
    return (wholes)(value + MAGIC);
}

#if HALO_ISA_BYTES == 64
#define NARROW(code, c_type, intrinsic)                                      \
    ALWAYS vector_##code narrow_##code(reals value, double low, double high) \
    {                                                                        \
        __m512i bits = (__m512i)round_within(value, low, high);              \
        vector_##code out;                                                   \
        intrinsic(&out, (__mmask8)UINT8_MAX, bits);                          \
        return out;                                                          \
    }
NARROW(U8, uint8_t, _mm512_mask_cvtepi64_storeu_epi8)
NARROW(I8, int8_t, _mm512_mask_cvtepi64_storeu_epi8)
NARROW(U16, uint16_t, _mm512_mask_cvtepi64_storeu_epi16)
NARROW(I16, int16_t, _mm512_mask_cvtepi64_storeu_epi16)
NARROW(U32, uint32_t, _mm512_mask_cvtepi64_storeu_epi32)
NARROW(I32, int32_t, _mm512_mask_cvtepi64_storeu_epi32)
#else
#define NARROW(code, c_type)                                                 \
    ALWAYS vector_##code narrow_##code(reals value, double low, double high) \
    {                                                                        \
        wholes bits = round_within(value, low, high);                        \
        vector_##code out;                                                   \
        for (int i = 0; i < LANES; i++) {                                    \
            out[i] = (c_type)bits[i];                                        \
        }                                                                    \
        return out;                                                          \
    }
NARROW(U8, uint8_t)
NARROW(I8, int8_t)
NARROW(U16, uint16_t)
NARROW(I16, int16_t)
NARROW(U32, uint32_t)
NARROW(I32, int32_t)
#endif

/* The ends of 64-bit types are no doubles: the nearest ones would not fit. */
#define NARROW_LONG(code, c_type, min, max)                                               \
    ALWAYS vector_##code narrow_##code(reals value, double low, double high)              \
    {                                                                                     \
        vector_##code out;                                                                \
        for (int i = 0; i < LANES; i++) {                                                 \
            double whole = fabs(value[i]) < 0x1p51 ? value[i] + MAGIC - MAGIC : value[i]; \
            out[i] = !(whole > low) ? (min) : whole >= high ? (max) : (c_type)whole;      \
        }                                                                                 \
        return out;                                                                       \
    }
NARROW_LONG(U64, uint64_t, 0, UINT64_MAX)
NARROW_LONG(I64, int64_t, INT64_MIN, INT64_MAX)

ALWAYS half_floats narrow_F32(reals value, double low, double high)
{
    (void)low;
    (void)high;
    return round_to_floats(value);
}

ALWAYS reals narrow_F64(reals value, double low, double high)
{
    (void)low;
    (void)high;
    return value;
}

ALWAYS reals read_column(const void *from, int64_t i, int64_t x)
{
    return load_F64(from, i * LANES + x);
}

SUM_FUNCTION(sum_columns, const double *, read_column, rows, place, 0, false)
SUM_FUNCTION(fuse_columns, const double *, read_column, rows, place, 0, true)

/* True if whole numbers could be others. */
ALWAYS bool are_near_halves(const reals sum[LANES], double error)
{
    const double half = .5 - error;
    wholes any = {0};
    for (int i = 0; i < LANES; i++) {
        reals left = sum[i] - ((sum[i] + MAGIC) - MAGIC);
        any |= (wholes)(left > half) | (wholes)(left < -half);
    }
    return any_set(any);
}

/* Sums at columns x to x + LANES - 1, by rows; false if they are not decided. */
ALWAYS bool sum_columns_as(const filter_weights *w, const double *columns, int64_t x,
                           const filter_sums *how, reals sum[LANES])
{
    bool decided = true;
    if (how->fused) {
        fuse_columns(w, columns, x, sum);
        decided = how->rounds || !are_near_halves(sum, how->error);
    }
    if (!how->fused || (how->rounds && are_close(sum, w->radius))) {
        sum_columns(w, columns, x, sum);
    }
    transpose(sum);
    return decided;
}

#define TO_ROWS(code, c_type, kind, range, name, numpy, min, max)                             \
    static bool to_rows_##code(const filter_weights *w, const double *columns, int64_t count, \
                               const filter_sums *how, int rows, void *const *out)            \
    {                                                                                         \
        bool decided = true;                                                                  \
        for (int64_t x = 0; x < count && decided; x += LANES) {                               \
            reals sum[LANES];                                                                 \
            size_t bytes = sizeof(c_type) * (size_t)(count - x < LANES ? count - x : LANES);  \
            decided = sum_columns_as(w, columns, x, how, sum);                                \
            for (int i = 0; i < rows; i++) {                                                  \
                vector_##code v = narrow_##code(sum[i], (double)(min), (double)(max));        \
                c_type *to = (c_type *)out[i] + x;                                            \
                if (bytes == sizeof v) {                                                      \
                    memcpy(to, &v, sizeof v);                                                 \
                } else {                                                                      \
                    memcpy(to, &v, bytes);                                                    \
                }                                                                             \
            }                                                                                 \
        }                                                                                     \
        return decided;                                                                       \
    }
HALO_SAMPLE_VALUE_LIST(TO_ROWS)
#undef TO_ROWS

static bool may_fuse(const float *row, int64_t count)
{
    const uint32_t tiny = UINT32_C(0x26800000), infinity = UINT32_C(0x7f800000);
    const uint32_t *bits = (const uint32_t *)(const void *)row;
    uint32_t bad = 0;
    for (int64_t i = 0; i < count; i++) {
        bad |= (uint32_t)(bits[i] != 0) & (uint32_t)(bits[i] - tiny >= infinity - tiny);
    }
    return bad == 0;
}

#include "kernels/filter/columns_quick.h"

#define TO_COLUMNS_ENTRY(code, ...) [HALO_SAMPLE_##code] = to_columns_##code,
#define ACROSS_ENTRY(code, ...)     [HALO_SAMPLE_##code] = across_##code,
#define TO_ROWS_ENTRY(code, ...)    [HALO_SAMPLE_##code] = to_rows_##code,

const filter_columns_ops HALO_ISA_OPS(filter_columns_ops) = {
    .lanes = LANES,
    .quick_lanes = QUICK_LANES,
    .fuses = HALO_ISA_BYTES == 64,
    .may_fuse = may_fuse,
    .to_columns = {HALO_SAMPLE_VALUE_LIST(TO_COLUMNS_ENTRY)},
    .across = {HALO_SAMPLE_VALUE_LIST(ACROSS_ENTRY)},
    .to_rows = {HALO_SAMPLE_VALUE_LIST(TO_ROWS_ENTRY)},
    .quick_columns = quick_columns,
    .quick_rows = quick_rows,
};
