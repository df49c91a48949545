#include "kernels/label/threshold/value_range.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/rows/values.h"
#include "kernels/label/threshold/range_ops.h"
#include "kernels/label/threshold/threshold.h"

#include <float.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(label_range_ops, AVX512);

static const label_range_ops *ops_of(const char *instructions)
{
    const halo_isa_variant *variant = halo_isa_find(variants, instructions);
    variant = variant != NULL ? variant : halo_isa_find(variants, NULL);
    return variant->ops;
}

static const uint64_t TOP = UINT64_C(1) << 63; /* of keys of unsigned numbers of 64 bits */

static int64_t key_from(halo_sample_type type, double value)
{
    const halo_number number = halo_number_of(value);
    int64_t key = 0;
    halo_sample_key_from(type, &number, &key);
    return key;
}

/* ---- extremes -------------------------------------------------------------------------------- */

void halo_value_extremes_add(halo_sample_extremes *extremes, const halo_view *values,
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
        int64_t least = halo_sample_key(extremes->type, span.least);
        int64_t most = halo_sample_key(extremes->type, span.most);
        bool first = extremes->finite == 0;
        extremes->min = first ? least : halo_min(extremes->min, least);
        extremes->max = first ? most : halo_max(extremes->max, most);
        extremes->finite += span.finite;
    }
}

halo_status halo_value_extremes_share(halo_world *world, halo_sample_extremes *extremes)
{
    bool any = extremes->finite > 0;
    /* ~ turns the order around. */
    int64_t ends[] = {any ? ~extremes->min : INT64_MIN, any ? extremes->max : INT64_MIN};
    int64_t counts[] = {extremes->finite, extremes->nans};
    HALO_TRY(halo_allreduce_max(world, ends, 2));
    HALO_TRY(halo_allreduce_sum(world, counts, 2));
    *extremes = (halo_sample_extremes){extremes->type, counts[0], counts[1], ~ends[0], ends[1]};
    return HALO_OK;
}

/* ---- Otsu ------------------------------------------------------------------------------------ */

halo_value_bins halo_value_bins_of(const halo_sample_extremes *extremes)
{
    /* Powers of 2, which round nothing but numbers that are nearly 0 beside others: ranges become
     * neither infinite nor too small for their reciprocal. */
    const double HALF = 0.5, SMALL = 0x1p-500, MUCH = 0x1p600;
    halo_value_bins bins = {.of = *extremes, .unit = 1};
    if (extremes->finite == 0) {
        return bins;
    }
    if (!halo_sample_is_real(extremes->type)) {
        while (halo_sample_span(extremes) >> bins.shift >= HALO_VALUE_BINS) {
            bins.shift++;
        }
        return bins;
    }
    double least = halo_sample_real(extremes->type, extremes->min);
    double most = halo_sample_real(extremes->type, extremes->max);
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

#define COUNT_ROW(code, type, kind)                                                           \
    static void count_##code(const halo_value_bins *bins, const void *samples, int64_t width, \
                             int64_t *counts)                                                 \
    {                                                                                         \
        const type *row = samples;                                                            \
        const halo_value_bins local = *bins;                                                  \
        const uint64_t low =                                                                  \
            (uint64_t)local.of.min ^ (HALO_SAMPLE_##code == HALO_SAMPLE_U64 ? TOP : 0);       \
        int64_t bin;                                                                          \
        (void)low;                                                                            \
        for (int64_t x = 0; x < width; x++) {                                                 \
            if (BIN_##kind(row[x])) {                                                         \
                counts[bin]++;                                                                \
            }                                                                                 \
        }                                                                                     \
    }
HALO_SAMPLE_VALUE_LIST(COUNT_ROW)
#undef COUNT_ROW

typedef void count_row(const halo_value_bins *bins, const void *samples, int64_t width,
                       int64_t *counts);

void halo_value_histogram_add(const halo_value_bins *bins, const halo_view *values, int64_t *counts)
{
    static count_row *const rows[] = {
#define COUNT_ENTRY(code, type, kind) [HALO_SAMPLE_##code] = count_##code,
        HALO_SAMPLE_VALUE_LIST(COUNT_ENTRY)
#undef COUNT_ENTRY
    };
    const halo_view all = label_view_joined(values);
    for (int64_t r = 0; r < label_view_rows(&all) && bins->of.finite > 0; r++) {
        rows[bins->of.type](bins, label_view_row(&all, r), label_view_width(&all), counts);
    }
}

int64_t halo_value_otsu(const halo_value_bins *bins, const int64_t *counts)
{
    const halo_sample_extremes *of = &bins->of;
    int64_t zero = key_from(of->type, 0), key = key_from(of->type, 1);
    if (of->finite == 0) {
        return key;
    }
    if (of->min == of->max) {
        return of->min == zero ? key : of->min;
    }
    int64_t bin = halo_otsu(counts, HALO_VALUE_BINS);
    if (!halo_sample_is_real(of->type)) {
        return (int64_t)((uint64_t)of->min + ((uint64_t)bin << bins->shift));
    }
    double most = halo_sample_real(of->type, of->max) * bins->unit;
    double width = (most - bins->low) / HALO_VALUE_BINS;
    key = key_from(of->type, (bins->low + (double)bin * width) / bins->unit);
    return halo_min(halo_max(key, of->min), of->max);
}

/* ---- foreground ------------------------------------------------------------------------------ */

/* All other numbers: bits past the width are zero. */
static void invert_row(const label_range_ops *ops, halo_sample_type type, const void *row,
                       int64_t width, uint64_t *bits)
{
    enum { STRETCH = 4096, WORDS = STRETCH / 64 };
    const float float_ends[] = {-HUGE_VALF, HUGE_VALF};
    const double double_ends[] = {-HUGE_VAL, HUGE_VAL};
    bool narrow = type == HALO_SAMPLE_F32;
    const void *low = narrow ? (const void *)&float_ends[0] : &double_ends[0];
    const void *high = narrow ? (const void *)&float_ends[1] : &double_ends[1];
    int64_t bytes = (int64_t)halo_sample_bytes(type);
    uint64_t numbers[WORDS];
    memset(numbers, 0xff, sizeof numbers);
    for (int64_t x = 0; x < width; x += STRETCH) {
        int64_t left = halo_min(width - x, STRETCH);
        if (halo_sample_is_real(type)) {
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

int64_t halo_foreground_within(const halo_view *values, halo_sample_type type,
                               const halo_value_range *range, const halo_view *foreground,
                               const char *instructions)
{
    const label_range_ops *ops = ops_of(instructions);
    _Alignas(8) unsigned char low[8] = {0}, high[8] = {0};
    int64_t width = label_view_width(values), nans = 0;
    halo_sample_of_key(type, range->min, low);
    halo_sample_of_key(type, range->max, high);
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
