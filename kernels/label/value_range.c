#include "kernels/label/value_range.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/range_ops.h"
#include "kernels/label/raster_rows.h"
#include "kernels/label/threshold.h"
#include "kernels/label/values.h"

#include <float.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(label_range_ops, AVX512);

static const label_range_ops *ops_of(const char *instructions)
{
    const halo_isa_variant *variant = halo_isa_find(variants, instructions);
    variant = variant != NULL ? variant : halo_isa_find(variants, NULL);
    return variant->ops;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const uint64_t TOP = UINT64_C(1) << 63;

/* A float that is no less, or no more, than the value. */
static double to_float(double value, bool down)
{
    float near = (float)value;
    if (down ? (double)near > value : (double)near < value) {
        near = nextafterf(near, down ? -HUGE_VALF : HUGE_VALF);
    }
    return (double)near;
}

static bool find_key(halo_label_value type, const halo_number *number, bool down, int64_t *key)
{
    if (halo_label_value_is_real(type)) {
        double value = halo_number_to_double(number, down);
        value = type == HALO_LABEL_VALUE_F32 ? to_float(value, down) : value;
        *key = label_key_of_real(value);
        return true;
    }
    halo_number whole = {.whole = true};
    _Alignas(8) unsigned char value[8];
    if (!halo_number_to_whole(number, down, &whole.negative, &whole.magnitude) ||
        !label_value_put(type, &whole, value)) {
        return false;
    }
    *key = label_value_key(type, value);
    return true;
}

static void find_key_of(halo_label_value type, double value, bool down, int64_t *key)
{
    const halo_number number = halo_number_of(value);
    find_key(type, &number, down, key);
}

bool halo_value_key_from(halo_label_value type, const halo_number *value, int64_t *key)
{
    return find_key(type, value, false, key);
}

bool halo_value_key_to(halo_label_value type, const halo_number *value, int64_t *key)
{
    return find_key(type, value, true, key);
}

int64_t halo_value_key_last(halo_label_value type)
{
    static const int64_t keys[] = {
        [HALO_LABEL_VALUE_U8] = UINT8_MAX,   [HALO_LABEL_VALUE_I8] = INT8_MAX,
        [HALO_LABEL_VALUE_U16] = UINT16_MAX, [HALO_LABEL_VALUE_I16] = INT16_MAX,
        [HALO_LABEL_VALUE_U32] = UINT32_MAX, [HALO_LABEL_VALUE_I32] = INT32_MAX,
        [HALO_LABEL_VALUE_U64] = INT64_MAX,  [HALO_LABEL_VALUE_I64] = INT64_MAX};
    return halo_label_value_is_real(type) ? label_key_of_real(HUGE_VAL) : keys[type];
}

/* Keys of whole numbers are as far apart as these. */
static uint64_t range_of(const halo_value_extremes *extremes)
{
    return (uint64_t)extremes->max - (uint64_t)extremes->min;
}

enum { WHOLE = 100 }; /* percent */

/* Divided at the end: a hundredth of a percentage is mostly rounded, and 14 % of 100 would be more
 * than 14. */
static double real_between(double least, double most, double percent)
{
    bool fits = fmax(fabs(least), fabs(most)) < DBL_MAX / (2 * WHOLE);
    return fits ? (least * (WHOLE - percent) + most * percent) / WHOLE
                : least * (1 - percent / WHOLE) + most * (percent / WHOLE);
}

__extension__ typedef unsigned __int128 wide;

/* percent / 100 * range, rounded to a whole number: exactly where a double cannot hold it. */
static uint64_t steps_to(uint64_t range, double percent, bool down)
{
    enum { DIGITS = 53, LEAST = 128 };
    if (range <= UINT64_C(1) << DIGITS) {
        double steps = percent * (double)range / WHOLE;
        return (uint64_t)(down ? floor(steps) : ceil(steps));
    }
    int exponent;
    double mantissa = frexp(percent, &exponent); /* below 2^7, so that there is much to divide by */
    int shift = DIGITS - exponent;
    wide product = (wide)(uint64_t)ldexp(mantissa, DIGITS) * range, hundredth = product / WHOLE;
    wide whole = shift < LEAST ? hundredth >> shift : 0;
    bool exact = shift < LEAST && whole << shift == hundredth && hundredth * WHOLE == product;
    return (uint64_t)whole + (!down && !exact);
}

int64_t halo_value_key_at(const halo_value_extremes *extremes, double percent, bool down)
{
    int64_t key = 0;
    if (percent <= 0 || percent >= WHOLE) {
        return percent <= 0 ? extremes->min : extremes->max;
    }
    if (halo_label_value_is_real(extremes->type)) {
        double least = halo_label_value_real(extremes->type, extremes->min);
        double most = halo_label_value_real(extremes->type, extremes->max);
        find_key_of(extremes->type, real_between(least, most, percent), down, &key);
    } else {
        uint64_t steps = steps_to(range_of(extremes), percent, down);
        key =
            steps < range_of(extremes) ? (int64_t)((uint64_t)extremes->min + steps) : extremes->max;
    }
    return halo_min(halo_max(key, extremes->min), extremes->max);
}

/* ---- extremes -------------------------------------------------------------------------------- */

void halo_value_extremes_add(halo_value_extremes *extremes, const halo_view *values,
                             const char *instructions)
{
    label_find_span *find = ops_of(instructions)->span[extremes->type];
    const halo_view all = label_view_joined(values);
    for (int64_t r = 0; r < label_view_rows(&all); r++) {
        label_span span;
        find(label_view_row(&all, r), label_view_width(&all), &span);
        extremes->nans += span.nans;
        if (span.finite == 0) {
            continue;
        }
        int64_t least = label_value_key(extremes->type, span.least);
        int64_t most = label_value_key(extremes->type, span.most);
        bool first = extremes->finite == 0;
        extremes->min = first ? least : halo_min(extremes->min, least);
        extremes->max = first ? most : halo_max(extremes->max, most);
        extremes->finite += span.finite;
    }
}

halo_status halo_value_extremes_share(halo_world *world, halo_value_extremes *extremes)
{
    bool any = extremes->finite > 0;
    /* ~ turns the order around. */
    int64_t ends[] = {any ? ~extremes->min : INT64_MIN, any ? extremes->max : INT64_MIN};
    int64_t counts[] = {extremes->finite, extremes->nans};
    HALO_TRY(halo_allreduce_max(world, ends, 2));
    HALO_TRY(halo_allreduce_sum(world, counts, 2));
    *extremes = (halo_value_extremes){extremes->type, counts[0], counts[1], ~ends[0], ends[1]};
    return HALO_OK;
}

/* ---- Otsu ------------------------------------------------------------------------------------ */

halo_value_bins halo_value_bins_of(const halo_value_extremes *extremes)
{
    /* Powers of 2, which round nothing but numbers that are nearly 0 beside others: ranges become
     * neither infinite nor too small for their reciprocal. */
    const double HALF = 0.5, SMALL = 0x1p-500, MUCH = 0x1p600;
    halo_value_bins bins = {.of = *extremes, .unit = 1};
    if (extremes->finite == 0) {
        return bins;
    }
    if (!halo_label_value_is_real(extremes->type)) {
        while (range_of(extremes) >> bins.shift >= HALO_VALUE_BINS) {
            bins.shift++;
        }
        return bins;
    }
    double least = halo_label_value_real(extremes->type, extremes->min);
    double most = halo_label_value_real(extremes->type, extremes->max);
    bins.unit = isinf(most - least) ? HALF : most - least < SMALL ? MUCH : 1;
    bins.low = least * bins.unit;
    double range = most * bins.unit - bins.low;
    bins.scale = range > 0 ? HALO_VALUE_BINS / range : 0;
    return bins;
}

/* Where a sample is counted. False: nowhere, since it is not finite, or since the file has changed
 * after its extremes were found. `above`: the sample less the least one. */
static inline bool bin_of_whole(const halo_value_bins *bins, uint64_t above, int64_t *bin)
{
    *bin = (int64_t)(above >> bins->shift);
    return above >> bins->shift < HALO_VALUE_BINS;
}

static inline bool bin_of_real(const halo_value_bins *bins, double value, int64_t *bin)
{
    double at = (value * bins->unit - bins->low) * bins->scale;
    bool there = at >= 0 && at <= HALO_VALUE_BINS;
    *bin = there ? halo_min((int64_t)at, HALO_VALUE_BINS - 1) : 0;
    return there;
}

/* Keys of whole numbers are as far apart as these, and those of 64 bits without a sign begin
 * elsewhere. */
#define BIN_UNSIGNED(value) bin_of_whole(&local, (uint64_t)(value)-low, &bin)
#define BIN_SIGNED(value)   BIN_UNSIGNED(value)
#define BIN_REAL(value)     bin_of_real(&local, (double)(value), &bin)

#define COUNT_ROW(code, type, kind)                                                               \
    static void count_##code(const halo_value_bins *bins, const void *samples, int64_t width,     \
                             int64_t *counts)                                                     \
    {                                                                                             \
        const type *row = samples;                                                                \
        const halo_value_bins local = *bins;                                                      \
        const uint64_t low =                                                                      \
            (uint64_t)local.of.min ^ (HALO_LABEL_VALUE_##code == HALO_LABEL_VALUE_U64 ? TOP : 0); \
        int64_t bin;                                                                              \
        (void)low;                                                                                \
        for (int64_t x = 0; x < width; x++) {                                                     \
            if (BIN_##kind(row[x])) {                                                             \
                counts[bin]++;                                                                    \
            }                                                                                     \
        }                                                                                         \
    }
HALO_LABEL_VALUE_LIST(COUNT_ROW)
#undef COUNT_ROW

typedef void count_row(const halo_value_bins *bins, const void *samples, int64_t width,
                       int64_t *counts);

void halo_value_histogram_add(const halo_value_bins *bins, const halo_view *values, int64_t *counts)
{
    static count_row *const rows[] = {
#define COUNT_ENTRY(code, type, kind) [HALO_LABEL_VALUE_##code] = count_##code,
        HALO_LABEL_VALUE_LIST(COUNT_ENTRY)
#undef COUNT_ENTRY
    };
    const halo_view all = label_view_joined(values);
    for (int64_t r = 0; r < label_view_rows(&all) && bins->of.finite > 0; r++) {
        rows[bins->of.type](bins, label_view_row(&all, r), label_view_width(&all), counts);
    }
}

int64_t halo_value_otsu(const halo_value_bins *bins, const int64_t *counts)
{
    const halo_value_extremes *of = &bins->of;
    int64_t key = 0, zero = 0;
    find_key_of(of->type, 0, false, &zero);
    find_key_of(of->type, 1, false, &key);
    if (of->finite == 0) {
        return key;
    }
    if (of->min == of->max) {
        return of->min == zero ? key : of->min;
    }
    int64_t bin = halo_otsu(counts, HALO_VALUE_BINS);
    if (!halo_label_value_is_real(of->type)) {
        return (int64_t)((uint64_t)of->min + ((uint64_t)bin << bins->shift));
    }
    double most = halo_label_value_real(of->type, of->max) * bins->unit;
    double width = (most - bins->low) / HALO_VALUE_BINS;
    find_key_of(of->type, (bins->low + (double)bin * width) / bins->unit, false, &key);
    return halo_min(halo_max(key, of->min), of->max);
}

/* ---- foreground ------------------------------------------------------------------------------ */

/* The sample of a key, of the type. */
static void put_value(halo_label_value type, int64_t key, void *out)
{
    uint64_t bits = (uint64_t)key ^ (type == HALO_LABEL_VALUE_U64 ? TOP : 0);
    double real = halo_label_value_is_real(type) ? halo_label_value_real(type, key) : 0;
    switch (type) {
#define PUT_UNSIGNED(c_type) (c_type) bits
#define PUT_SIGNED(c_type)   (c_type) bits
#define PUT_REAL(c_type)     (c_type) real
#define PUT_CASE(code, c_type, kind)       \
    case HALO_LABEL_VALUE_##code: {        \
        c_type value = PUT_##kind(c_type); \
        memcpy(out, &value, sizeof value); \
        break;                             \
    }
        HALO_LABEL_VALUE_LIST(PUT_CASE)
#undef PUT_CASE
    default:
        break;
    }
}

/* All other numbers: bits past the width are zero. */
static void invert_row(const label_range_ops *ops, halo_label_value type, const void *row,
                       int64_t width, uint64_t *bits)
{
    enum { STRETCH = 4096, WORDS = STRETCH / 64 };
    const float float_ends[] = {-HUGE_VALF, HUGE_VALF};
    const double double_ends[] = {-HUGE_VAL, HUGE_VAL};
    bool narrow = type == HALO_LABEL_VALUE_F32;
    const void *low = narrow ? (const void *)&float_ends[0] : &double_ends[0];
    const void *high = narrow ? (const void *)&float_ends[1] : &double_ends[1];
    int64_t bytes = (int64_t)halo_label_value_bytes(type);
    uint64_t numbers[WORDS];
    memset(numbers, 0xff, sizeof numbers);
    for (int64_t x = 0; x < width; x += STRETCH) {
        int64_t left = halo_min(width - x, STRETCH);
        if (halo_label_value_is_real(type)) {
            ops->within[type]((const char *)row + x * bytes, left, low, high, numbers);
        }
        for (int64_t i = 0; i < (left + 63) / 64; i++) {
            bits[x / 64 + i] = ~bits[x / 64 + i] & numbers[i];
        }
    }
    if (width % 64 != 0) {
        bits[width / 64] &= (UINT64_C(1) << width % 64) - 1;
    }
}

int64_t halo_foreground_within(const halo_view *values, halo_label_value type,
                               const halo_value_range *range, const halo_view *foreground,
                               const char *instructions)
{
    const label_range_ops *ops = ops_of(instructions);
    _Alignas(8) unsigned char low[8] = {0}, high[8] = {0};
    int64_t width = label_view_width(values), nans = 0;
    put_value(type, range->min, low);
    put_value(type, range->max, high);
    for (int64_t r = 0; r < label_view_rows(values); r++) {
        const void *row = label_view_row(values, r);
        uint64_t *bits = label_view_row(foreground, r);
        nans += ops->within[type](row, width, low, high, bits);
        if (range->invert) {
            invert_row(ops, type, row, width, bits);
        }
    }
    return nans;
}
