#include "base/minmax.h"
#include "kernels/label/measure/sample_measures.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Mean, minimum and maximum of samples. */

/* The sums of region `number`. */
typedef struct {
    int64_t number;
    int64_t numbers, min, max;
    uint64_t sum[]; /* as the format says */
} sample_sums;

static void add_ends(sample_sums *sums, int64_t numbers, int64_t min, int64_t max)
{
    bool first = sums->numbers == 0;
    sums->min = first ? min : halo_min(sums->min, min);
    sums->max = first ? max : halo_max(sums->max, max);
    sums->numbers += numbers;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

/* A row has fewer than 2^31 pixels: 64 bits hold its sum of numbers of up to 32. */
#define SUM_OF(type)                            \
    __typeof__(_Generic((type)0, uint64_t       \
                        : (halo_wide)0, int64_t \
                        : (halo_wide)0, default \
                        : (int64_t)0))

#define DEFINE_WHOLE(code, type, ...)                                                      \
    static void add_##code(sample_sums *sums, const void *row, int64_t begin, int64_t end) \
    {                                                                                      \
        const type *v = row;                                                               \
        type least = v[begin], most = v[begin];                                            \
        SUM_OF(type) sum = 0;                                                              \
        for (int64_t x = begin; x < end; x++) {                                            \
            sum += v[x];                                                                   \
            least = v[x] < least ? v[x] : least;                                           \
            most = v[x] > most ? v[x] : most;                                              \
        }                                                                                  \
        halo_sum_add(sums->sum, halo_sum_of_whole.words, sum, 0);                          \
        add_ends(sums, end - begin, halo_sample_key(HALO_SAMPLE_##code, &least),           \
                 halo_sample_key(HALO_SAMPLE_##code, &most));                              \
    }
HALO_SAMPLE_WHOLE_LIST(DEFINE_WHOLE)
#undef DEFINE_WHOLE

/* ---- reals ----------------------------------------------------------------------------------- */

/* STRETCH numbers are added up before their sum is added to the region's. */
enum { STRETCH = 512, STRETCH_BITS = 9, LANES = 8 };

static void add_real(sample_sums *sums, halo_sum_format format, double value)
{
    if (!isnan(value)) {
        int64_t key = halo_sample_key_of_real(value);
        add_ends(sums, 1, key, key);
    }
    if (isfinite(value)) {
        halo_sum_add_real(sums->sum, format, value);
    }
}

/* How the numbers of a stretch lie. */
typedef struct {
    uint32_t size_below; /* the bits of the smallest size but 0, less 1 */
    uint32_t size;       /* those of the largest */
    int32_t min, max;    /* bits in the order of the numbers */
} float_span;

static float_span span_of(const float *v, int64_t count)
{
    float_span span = {UINT32_MAX, 0, INT32_MAX, INT32_MIN};
    for (int64_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, v + i, sizeof bits);
        uint32_t size = (uint32_t)bits & INT32_MAX;
        int32_t order = bits ^ (bits >> 31 & INT32_MAX);
        span.size_below = size - 1 < span.size_below ? size - 1 : span.size_below;
        span.size = size > span.size ? size : span.size;
        span.min = order < span.min ? order : span.min;
        span.max = order > span.max ? order : span.max;
    }
    return span;
}

static int64_t key_of_order(int32_t order)
{
    int32_t bits = order ^ (order >> 31 & INT32_MAX);
    float value;
    memcpy(&value, &bits, sizeof value);
    return halo_sample_key_of_real((double)value);
}

/* Doubles that are multiples of the same power of 2 are added without a rounding as long as the sum
 * is below 2^53 of it. */
static double sum_floats(const float *v, int64_t count)
{
    double sums[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            sums[lane] += (double)v[i + lane];
        }
    }
    for (; i < count; i++) {
        sums[0] += (double)v[i];
    }
    for (int lane = 0; lane < LANES; lane++) {
        sum += sums[lane];
    }
    return sum;
}

static void add_floats(sample_sums *sums, const float *v, int64_t count)
{
    enum { FRACTION = FLT_MANT_DIG - 1, NOT_FINITE = 0xff };
    enum { MOST_APART = DBL_MANT_DIG - FLT_MANT_DIG - STRETCH_BITS };
    const float_span span = span_of(v, count);
    uint32_t top = span.size >> FRACTION;
    /* Wide, since numbers that are all 0 have no smallest one. */
    int64_t apart = (int64_t)top - (int64_t)(((uint64_t)span.size_below + 1) >> FRACTION);
    if (top < NOT_FINITE && apart <= MOST_APART) {
        halo_sum_add_real(sums->sum, halo_sum_of_floats, sum_floats(v, count));
        add_ends(sums, count, key_of_order(span.min), key_of_order(span.max));
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        add_real(sums, halo_sum_of_floats, (double)v[i]);
    }
}

static void add_F32(sample_sums *sums, const void *row, int64_t begin, int64_t end)
{
    for (int64_t x = begin; x < end; x += STRETCH) {
        add_floats(sums, (const float *)row + x, halo_min(end - x, STRETCH));
    }
}

enum { FRACTION = DBL_MANT_DIG - 1, EXPONENTS = 0x7ff };

static inline int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int largest_exponent(const double *v, int64_t count)
{
    int64_t size = 0;
    for (int64_t i = 0; i < count; i++) {
        size = halo_max(size, bits_of(v[i]) & INT64_MAX);
    }
    return (int)(size >> FRACTION);
}

/* In 128 bits from the numbers that are the largest by up to 2^WINDOW on; what is smaller, and what
 * is not finite, goes to the sum by itself. */
static void add_doubles(sample_sums *sums, const double *v, int64_t count)
{
    enum { WINDOW = 127 - DBL_MANT_DIG - STRETCH_BITS };
    int top = largest_exponent(v, count);
    int base = top < EXPONENTS ? (int)halo_max(top - WINDOW, 1) : EXPONENTS;
    int64_t min = INT64_MAX, max = INT64_MIN, numbers = 0;
    halo_wide sum = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t bits = bits_of(v[i]), exponent = bits >> FRACTION & EXPONENTS;
        if (exponent < base || exponent == EXPONENTS) {
            add_real(sums, halo_sum_of_doubles, v[i]);
            continue;
        }
        int64_t fraction = (bits & ((INT64_C(1) << FRACTION) - 1)) | INT64_C(1) << FRACTION;
        int64_t key = halo_sample_key_of_real(v[i]);
        halo_wide size = (halo_wide)fraction << (exponent - base);
        sum += bits < 0 ? -size : size;
        min = halo_min(min, key);
        max = halo_max(max, key);
        numbers++;
    }
    if (numbers > 0) {
        halo_sum_add(sums->sum, halo_sum_of_doubles.words, sum, base - 1);
        add_ends(sums, numbers, min, max);
    }
}

static void add_F64(sample_sums *sums, const void *row, int64_t begin, int64_t end)
{
    for (int64_t x = begin; x < end; x += STRETCH) {
        add_doubles(sums, (const double *)row + x, halo_min(end - x, STRETCH));
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void add(const void *context, void *entry, const label_region_run *run)
{
    const label_sample_format *format = context;
    switch (format->type) {
#define ADD_CASE(code, ...)                                \
    case HALO_SAMPLE_##code:                               \
        add_##code(entry, run->row, run->begin, run->end); \
        break;
        HALO_SAMPLE_VALUE_LIST(ADD_CASE)
#undef ADD_CASE
    default:
        break;
    }
}

static size_t entry_bytes(const label_sample_format *format)
{
    return sizeof(sample_sums) + (size_t)format->sum.words * sizeof(uint64_t);
}

static void join(const void *context, void *to, const void *part)
{
    const label_sample_format *format = context;
    sample_sums *sums = to;
    const sample_sums *more = part;
    if (more->numbers > 0) {
        add_ends(sums, more->numbers, more->min, more->max);
        halo_sum_join(sums->sum, more->sum, format->sum.words);
    }
}

static bool finish(const label_sample_format *format, const void *entry, void *out)
{
    const sample_sums *sums = entry;
    halo_intensity *found = out;
    halo_sample_type type = format->type;
    bool real = halo_sample_types[type].real;
    *found = (halo_intensity){sums->numbers, sums->min, sums->max, 0, NAN};
    if (sums->numbers > 0) {
        double least = real ? halo_sample_real(type, sums->min) : 0;
        double most = real ? halo_sample_real(type, sums->max) : 0;
        found->mean = isinf(least) || isinf(most)
                          ? (isinf(least) ? least : most) + (isinf(most) ? most : least)
                          : halo_sum_mean(sums->sum, format->sum, sums->numbers);
    }
    bool wide = type == HALO_SAMPLE_U64 && sums->max >= 0;
    return !real && halo_sum_fits(sums->sum, &found->sum) && !wide;
}

const label_sample_measure label_intensity_measure = {.what = "samples of regions",
                                                      .entry_bytes = entry_bytes,
                                                      .result_bytes = sizeof(halo_intensity),
                                                      .add = add,
                                                      .join = join,
                                                      .finish = finish};
