#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/map.h"
#include "kernels/filter/rounding.h"
#include "kernels/label/threshold/threshold.h"

#include <math.h>
#include <stdlib.h>

/* Histogram equalization as scikit-image has it: a sample becomes the share of samples that are not
 * larger, by a histogram. Whole numbers have a bin each, if they differ by less than
 * HALO_SAMPLE_BINS; those of reals are numpy's, and samples between the middles of two bins have a
 * share between those of both. Counts are added up over ranks. */

enum { MOST_BINS = 1 << 16, PIECE = 1024 };

typedef struct {
    int64_t bins; /* of reals */
} equalization;

static const halo_option rows[] = {{HALO_OPTION_ROW(equalization, "nbins", INTEGER, bins), .min = 1,
                                    .max = MOST_BINS, .value = "N", .standard = "256",
                                    .help = "Bins of the histogram, of reals only"},
                                   {0}};

typedef struct {
    halo_sample_type type, out;
    halo_sample_extremes of;
    halo_sample_bins whole; /* of whole numbers */
    int64_t count;          /* of bins */
    double white;           /* factor of results */
    double *share;          /* [count] of samples that are not above the bin */
    double *edge;           /* [count + 1] of the bins of reals */
    double *middle;         /* [count] */
    double scale;           /* bins in a unit of reals, about */
    int64_t *counts;        /* [count] */
} histogram;

/* ---- bins of reals --------------------------------------------------------------------------- */

/* Rounds a value to the type of the samples. */
static double of_type(const histogram *h, double value)
{
    return h->type == HALO_SAMPLE_F32 ? (double)(float)value : value;
}

/* The bins of numpy.histogram and their middles, which are numbers of the type of the samples. If
 * all samples are the same, they are from half less to half more. */
static void set_edges(histogram *h)
{
    double first = halo_sample_real(h->type, h->of.min);
    double last = halo_sample_real(h->type, h->of.max);
    if (!(first < last)) {
        first -= .5;
        last += .5;
    }
    double count = (double)h->count, range = last - first;
    double step = isinf(range) ? last / count - first / count : range / count;
    for (int64_t i = 0; i < h->count; i++) {
        h->edge[i] = of_type(h, first + (double)i * step);
    }
    h->edge[h->count] = of_type(h, last);
    h->scale = isinf(range) ? 0 : count / range;
    for (int64_t i = 0; i < h->count; i++) {
        double sum = of_type(h, h->edge[i] + h->edge[i + 1]);
        h->middle[i] = isinf(sum) ? h->edge[i] / 2 + h->edge[i + 1] / 2 : of_type(h, sum / 2);
    }
}

/* The last of `count` increasing values that is at most `value`; -1: none is. */
static int64_t find_place(const histogram *h, const double *values, int64_t count, double value)
{
    double guess = (value - values[0]) * h->scale;
    int64_t i = guess > 0 ? guess < (double)count ? (int64_t)guess : count - 1 : 0;
    for (; i >= 0 && values[i] > value; i--) {
    }
    for (; i + 1 < count && values[i + 1] <= value; i++) {
    }
    return i;
}

/* Local. Counts the finite samples of a row. */
static void count_reals(histogram *h, const void *row, int64_t width)
{
    double values[PIECE];
    for (int64_t x = 0; x < width; x += PIECE) {
        int64_t count = halo_min(PIECE, width - x);
        halo_sample_to_doubles(h->type, row, x, count, values);
        for (int64_t i = 0; i < count; i++) {
            if (isfinite(values[i])) {
                h->counts[halo_max(find_place(h, h->edge, h->count, values[i]), 0)]++;
            }
        }
    }
}

/* ---- counting -------------------------------------------------------------------------------- */

static halo_status create_histogram(histogram *h, const filter_field_call *call)
{
    static const char what[] = "a histogram";
    const equalization *e = call->part->step->params;
    bool real = halo_sample_types[h->type].real;
    h->whole = halo_sample_bins_of(&h->of);
    h->count = real ? e->bins : h->whole.count;
    HALO_TRY(HALO_ALLOCATE(h->counts, h->count, what));
    HALO_TRY(HALO_ALLOCATE(h->share, h->count, what));
    HALO_TRY(HALO_ALLOCATE(h->edge, h->count + 1, what));
    HALO_TRY(HALO_ALLOCATE(h->middle, h->count, what));
    if (real && h->of.finite > 0) {
        set_edges(h);
    }
    return HALO_OK;
}

static halo_status count_samples(histogram *h, const filter_field_call *call)
{
    const halo_view *in = halo_field_view(call->in);
    int64_t count = halo_view_rows(in);
    if (!halo_sample_types[h->type].real) {
        halo_histogram_add(&h->whole, in, h->counts);
        return HALO_OK;
    }
    for (int64_t i = 0; i < count && h->of.finite > 0; i++) {
        count_reals(h, halo_view_row(in, i), in->owned.n[in->axes - 1]);
        HALO_TRY(halo_watch_work(call->world, i, count));
    }
    return HALO_OK;
}

/* Shares have the type of reals that the samples have. */
static void add_up(histogram *h)
{
    int64_t sum = 0, all = 0;
    for (int64_t i = 0; i < h->count; i++) {
        all += h->counts[i];
    }
    for (int64_t i = 0; i < h->count; i++) {
        sum += h->counts[i];
        h->share[i] = all > 0 ? of_type(h, (double)sum / (double)all) : 1;
    }
}

/* Collective. */
static halo_status find_shares(histogram *h, const filter_field_call *call)
{
    if (halo_sample_types[h->type].grey) {
        h->of = halo_sample_type_extremes(h->type);
    } else {
        h->of = (halo_sample_extremes){.type = h->type};
        halo_extremes_add(&h->of, halo_field_view(call->in), call->instructions);
        HALO_TRY(halo_extremes_share(call->world, &h->of));
    }
    HALO_TRY(halo_agree(call->world, create_histogram(h, call)));
    HALO_TRY(halo_agree(call->world, count_samples(h, call)));
    HALO_TRY(halo_allreduce_sum(call->world, h->counts, (int)h->count));
    add_up(h);
    return HALO_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* As numpy.interp. NaN stays. */
static double share_of_real(const void *own, double value)
{
    const histogram *h = own;
    int64_t last = h->count - 1;
    if (isnan(value) || h->of.finite == 0 || value >= h->middle[last]) {
        return isnan(value) ? value : h->share[last] * h->white;
    }
    if (value <= h->middle[0]) {
        return h->share[0] * h->white;
    }
    int64_t i = find_place(h, h->middle, h->count, value);
    double slope = (h->share[i + 1] - h->share[i]) / (h->middle[i + 1] - h->middle[i]);
    double rise = slope * (value - h->middle[i]);
    return (rise + h->share[i]) * h->white;
}

/* A grey, which is the number of its bin. */
static double share_of_grey(const void *own, double value)
{
    const histogram *h = own;
    return h->share[(int64_t)value] * h->white;
}

/* A whole number by its key, also between the middles of bins of several. */
static double share_of_key(const histogram *h, int64_t key)
{
    uint64_t above = (uint64_t)key - (uint64_t)h->of.min;
    int64_t bin = (int64_t)(above >> h->whole.shift), last = h->count - 1;
    double width = ldexp(1, h->whole.shift), middle = (double)bin * width + (width - 1) / 2;
    double away = ((double)above - middle) / width;
    int64_t next = halo_max(0, halo_min(last, away < 0 ? bin - 1 : bin + 1));
    return (h->share[bin] + (h->share[next] - h->share[bin]) * fabs(away)) * h->white;
}

/* Local. */
static halo_status map_keys(const histogram *h, const filter_field_call *call)
{
    const halo_view *in = halo_field_view(call->in), *out = halo_field_view(call->out);
    int64_t count = halo_view_rows(in), width = in->owned.n[in->axes - 1];
    double values[PIECE];
    for (int64_t i = 0; i < count; i++) {
        const void *row = halo_view_row(in, i);
        char *to = halo_view_row(out, i);
        for (int64_t x = 0; x < width; x += PIECE) {
            int64_t some = halo_min(PIECE, width - x);
            for (int64_t k = 0; k < some; k++) {
                values[k] = share_of_key(h, halo_sample_key_of(h->type, row, x + k));
            }
            filter_round(h->out, values, some, to + (size_t)x * halo_sample_types[h->out].bytes);
        }
        HALO_TRY(halo_watch_work(call->world, i, count));
    }
    return HALO_OK;
}

static halo_status equalize(const filter_field_call *call)
{
    histogram h = {.type = call->part->in, .out = call->part->out};
    const filter_map map = {halo_sample_types[h.type].real ? share_of_real : share_of_grey, &h};
    h.white = filter_white(h.out);
    halo_status status = find_shares(&h, call);
    if (status == HALO_OK) {
        bool keys = !halo_sample_types[h.type].real && !halo_sample_types[h.type].grey;
        status = halo_agree(call->world, keys ? map_keys(&h, call) : filter_map_field(call, &map));
    }
    free(h.counts);
    free(h.share);
    free(h.edge);
    free(h.middle);
    return status;
}

static halo_status resolve(filter_step *step)
{
    filter_add_part(step, &(filter_part){.field = equalize});
    return HALO_OK;
}

const halo_filter filter_equalize = {
    .name = "equalize",
    .help = "Equalize the histogram: each sample becomes the share of samples that are not larger, "
            "times the largest one of the type",
    .authority = "skimage.exposure.equalize_hist",
    .examples = "equalize|equalize:dtype=float32|equalize:16|equalize:nbins=1000:dtype=uint8",
    .params = rows,
    .params_bytes = sizeof(equalization),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_NUMBERS,
    .resolve = resolve};
