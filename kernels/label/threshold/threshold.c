#include "kernels/label/threshold/threshold.h"

#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/threshold/range_ops.h"

#include <math.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(label_range_ops, AVX512);

const label_range_ops *label_range_ops_of(const char *instructions)
{
    const halo_isa_variant *variant = halo_isa_find(variants, instructions);
    variant = variant != NULL ? variant : halo_isa_find(variants, NULL);
    return variant->ops;
}

/* ---- extremes and histograms ----------------------------------------------------------------- */

void halo_extremes_add(halo_sample_extremes *extremes, const halo_view *values,
                       const char *instructions)
{
    label_find_span *find = label_range_ops_of(instructions)->span[extremes->type];
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

halo_status halo_extremes_share(halo_world *world, halo_sample_extremes *extremes)
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

void halo_histogram_add(const halo_sample_bins *bins, const halo_view *samples, int64_t *counts)
{
    const halo_view all = label_view_joined(samples);
    bool solid = all.axes == HALO_AXES;
    int64_t planes = solid ? all.owned.n[0] : 1, rows = all.owned.n[solid ? 1 : 0];
    for (int64_t z = 0; z < planes && rows > 0; z++) {
        halo_sample_bins_add(bins, label_view_row(&all, z * rows), rows, all.stride[solid ? 1 : 0],
                             label_view_width(&all), counts);
    }
}

/* ---- foreground ------------------------------------------------------------------------------ */

/* The bits of all other numbers. */
static void invert_row(const label_range_ops *ops, halo_sample_type type, const void *row,
                       int64_t width, uint64_t *bits)
{
    enum { STRETCH = 4096, WORDS = STRETCH / 64 };
    const float float_ends[] = {-HUGE_VALF, HUGE_VALF};
    const double double_ends[] = {-HUGE_VAL, HUGE_VAL};
    bool narrow = type == HALO_SAMPLE_F32;
    const void *low = narrow ? (const void *)&float_ends[0] : &double_ends[0];
    const void *high = narrow ? (const void *)&float_ends[1] : &double_ends[1];
    int64_t bytes = (int64_t)halo_sample_types[type].bytes;
    uint64_t numbers[WORDS];
    memset(numbers, 0xff, sizeof numbers);
    for (int64_t x = 0; x < width; x += STRETCH) {
        int64_t left = halo_min(width - x, STRETCH);
        if (halo_sample_types[type].real) {
            ops->within[type]((const char *)row + x * bytes, left, low, high, numbers);
        }
        for (int64_t i = 0; i < (left + 63) / 64; i++) {
            bits[x / 64 + i] = ~bits[x / 64 + i] & numbers[i];
        }
    }
}

/* Bits past the width are zero. */
static void end_row(uint64_t *bits, int64_t width)
{
    if (width % 64 != 0) {
        bits[width / 64] &= (UINT64_C(1) << (width % 64)) - 1;
    }
}

/* How rows are compared. */
typedef struct {
    const label_range_ops *ops;
    halo_sample_type type;
    bool empty, invert;
    _Alignas(8) unsigned char low[8], high[8]; /* the ends, as samples of the type */
} row_range;

static row_range row_range_of(halo_sample_type type, const halo_key_range *range,
                              const char *instructions)
{
    int64_t min = halo_max(range->min, halo_sample_types[type].key_min);
    int64_t max = halo_min(range->max, halo_sample_types[type].key_max);
    row_range by = {.ops = label_range_ops_of(instructions),
                    .type = type,
                    .empty = min > max,
                    .invert = range->invert};
    halo_sample_of_key(type, min, by.low);
    halo_sample_of_key(type, max, by.high);
    return by;
}

static void take_row(const row_range *by, const void *samples, int64_t width, uint64_t *bits)
{
    if (by->empty) {
        memset(bits, 0, (size_t)((width + 63) / 64) * sizeof *bits);
    } else {
        by->ops->within[by->type](samples, width, by->low, by->high, bits);
    }
    if (by->invert) {
        invert_row(by->ops, by->type, samples, width, bits);
    }
    end_row(bits, width);
}

void halo_threshold(const halo_view *samples, halo_sample_type type, const halo_key_range *range,
                    const halo_view *foreground, const char *instructions)
{
    const row_range by = row_range_of(type, range, instructions);
    int64_t width = label_view_width(samples);
    int axis = samples->axes - 2; /* rows of a plane */
    int64_t planes = axis > 0 ? samples->owned.n[0] : 1, rows = samples->owned.n[axis];
    for (int64_t z = 0; z < planes && rows > 0; z++) {
        const char *row = label_view_row(samples, z * rows);
        char *bits = label_view_row(foreground, z * rows);
        for (int64_t y = 0; y < rows; y++) {
            take_row(&by, row, width, (uint64_t *)(void *)bits);
            row += samples->stride[axis];
            bits += foreground->stride[axis];
        }
    }
}

void halo_foreground_invert(const halo_view *from, const halo_view *to)
{
    int64_t rows = label_view_rows(from), width = label_view_width(from);
    for (int64_t r = 0; r < rows; r++) {
        const uint64_t *bits = label_view_row(from, r);
        uint64_t *inverse = label_view_row(to, r);
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            inverse[i] = ~bits[i];
        }
        end_row(inverse, width);
    }
}

void halo_foreground_limit(const halo_view *foreground, const halo_view *where)
{
    int64_t rows = label_view_rows(foreground), width = label_view_width(foreground);
    for (int64_t r = 0; r < rows; r++) {
        uint64_t *bits = label_view_row(foreground, r);
        const uint64_t *limit = label_view_row(where, r);
        for (int64_t i = 0; i < (width + 63) / 64; i++) {
            bits[i] &= limit[i];
        }
    }
}

int64_t halo_foreground_count(const halo_view *foreground)
{
    const halo_sample_extremes of = halo_sample_type_extremes(HALO_SAMPLE_BIT);
    const halo_sample_bins bins = halo_sample_bins_of(&of);
    int64_t counts[2] = {0};
    halo_histogram_add(&bins, foreground, counts);
    return counts[1];
}
