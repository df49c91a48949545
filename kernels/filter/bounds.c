#include "kernels/filter/bounds.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of samples, and percentiles, which are found digit by digit of the samples' keys. */

enum { PERCENT = 100, DIGIT = 16, DIGITS = 4, VALUES = 1 << DIGIT };

halo_status filter_parse_bounds(const char *text, void *into)
{
    filter_bounds *bounds = into;
    *bounds = (filter_bounds){.given = true};
    bool good = threshold_take_bound(&text, &bounds->low) && *text == ',';
    text += good;
    good = good && threshold_take_bound(&text, &bounds->high) && *text == '\0';
    bool ordered = bounds->low.percent != bounds->high.percent ||
                   bounds->low.number.value <= bounds->high.number.value;
    return good && ordered ? HALO_OK : HALO_ARGUMENT;
}

/* ---- the sample of a rank -------------------------------------------------------------------- */

/* The key as an unsigned number, of which digits are compared from the first on. */
static uint64_t digits_of(halo_sample_type type, const void *row, int64_t i)
{
    return (uint64_t)halo_sample_key_of(type, row, i) ^ UINT64_C(1) << 63;
}

static bool is_nan(halo_sample_type type, const void *row, int64_t i)
{
    return (type == HALO_SAMPLE_F32 && isnan(((const float *)row)[i])) ||
           (type == HALO_SAMPLE_F64 && isnan(((const double *)row)[i]));
}

/* Local. Counts digit `digit` of the samples whose first digits are `prefix`. */
static halo_status count_digit(const filter_field_call *call, uint64_t prefix, int digit,
                               int64_t counts[VALUES])
{
    const halo_view *view = halo_field_view(call->in);
    halo_sample_type type = call->part->in;
    int64_t width = view->owned.n[view->axes - 1], rows = halo_view_rows(view);
    int shift = DIGIT * (DIGITS - 1 - digit);
    for (int64_t y = 0; y < rows; y++) {
        const void *row = halo_view_row(view, y);
        for (int64_t i = 0; i < width; i++) {
            uint64_t key = digits_of(type, row, i);
            bool fits = digit == 0 || key >> (shift + DIGIT) == prefix;
            if (fits && !is_nan(type, row, i)) {
                counts[key >> shift & (VALUES - 1)]++;
            }
        }
        HALO_TRY(halo_watch_work(call->world, y, rows));
    }
    return HALO_OK;
}

/* Collective. The key of the sample of rank `rank` among all; of rank -1 the number of samples
 * instead. */
static halo_status select_digits(const filter_field_call *call, int64_t rank, int64_t *counts,
                                 uint64_t *found)
{
    uint64_t prefix = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        memset(counts, 0, VALUES * sizeof *counts);
        HALO_TRY(halo_agree(call->world, count_digit(call, prefix, digit, counts)));
        HALO_TRY(halo_allreduce_sum(call->world, counts, VALUES));
        uint64_t value = 0;
        for (; rank >= 0 && value < VALUES - 1 && rank >= counts[value]; value++) {
            rank -= counts[value];
        }
        prefix = prefix << DIGIT | value;
    }
    *found = prefix;
    return HALO_OK;
}

/* Collective. */
static halo_status select_sample(const filter_field_call *call, int64_t rank, int64_t *counts,
                                 double *value)
{
    halo_sample_type type = call->part->in;
    uint64_t digits;
    HALO_TRY(select_digits(call, rank, counts, &digits));
    int64_t key = (int64_t)(digits ^ UINT64_C(1) << 63);
    int64_t whole = halo_sample_whole(type, key);
    *value = halo_sample_types[type].real ? halo_sample_real(type, key)
             : type == HALO_SAMPLE_U64    ? (double)(uint64_t)whole
                                          : (double)whole;
    return HALO_OK;
}

/* ---- percentiles ----------------------------------------------------------------------------- */

/* Collective. The number of samples that are numbers. */
static halo_status count_samples(const filter_field_call *call, int64_t *count)
{
    const halo_view *view = halo_field_view(call->in);
    int64_t width = view->owned.n[view->axes - 1];
    *count = 0;
    for (int64_t y = 0; y < halo_view_rows(view); y++) {
        for (int64_t i = 0; i < width; i++) {
            *count += !is_nan(call->part->in, halo_view_row(view, y), i);
        }
    }
    return halo_allreduce_sum(call->world, count, 1);
}

halo_status filter_percentiles(const filter_field_call *call, int count, const double *percent,
                               double *values)
{
    int64_t samples, *counts;
    HALO_TRY(count_samples(call, &samples));
    HALO_TRY(halo_agree(call->world, HALO_ALLOCATE(counts, VALUES, "a histogram")));
    halo_status status = HALO_OK;
    for (int i = 0; i < count && status == HALO_OK; i++) {
        double place = percent[i] / PERCENT * (double)(samples - 1), below = floor(place), upper;
        values[i] = 0;
        if (samples == 0) {
            continue;
        }
        status = select_sample(call, (int64_t)below, counts, &values[i]);
        if (status == HALO_OK && place > below) {
            status = select_sample(call, (int64_t)below + 1, counts, &upper);
            values[i] += status == HALO_OK ? (upper - values[i]) * (place - below) : 0;
        }
    }
    free(counts);
    return status;
}
