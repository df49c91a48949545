#include "kernels/filter/bounds.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/map.h"
#include "kernels/filter/percentiles.h"
#include "kernels/filter/reduction.h"
#include "kernels/filter/rounding.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Filters of single samples: contrast, and ranges. */

/* ---- gamma, log ------------------------------------------------------------------------------ */

typedef struct {
    double gamma, gain;
    double white;
    filter_map map;
} contrast;

#define CONTRAST_ROW(option, kind, member) HALO_OPTION_ROW(contrast, option, kind, member)
#define GAIN_ROW                                                                            \
    {                                                                                       \
        CONTRAST_ROW("gain", REAL, gain), .min = -DBL_MAX, .max = DBL_MAX, .standard = "1", \
                                          .help = "Factor of the results"                   \
    }

static const halo_option gamma_rows[] = {{CONTRAST_ROW("gamma", REAL, gamma), .max = DBL_MAX,
                                          .required = "it needs an exponent: gamma:.5",
                                          .help = "Exponent; below 1 dark is lighter"},
                                         GAIN_ROW,
                                         {0}};

static const halo_option log_rows[] = {GAIN_ROW, {0}};

/* Negative samples, which scikit-image refuses, count as 0. */
static double gamma_of(const void *own, double sample)
{
    const contrast *c = own;
    return pow((sample < 0 ? 0 : sample) / c->white, c->gamma) * c->white * c->gain;
}

static double log_of(const void *own, double sample)
{
    const contrast *c = own;
    return log2(1 + (sample < 0 ? 0 : sample) / c->white) * c->white * c->gain;
}

static halo_status resolve_contrast(filter_step *step, double (*of)(const void *own, double sample))
{
    contrast *c = step->params;
    c->white = filter_white(step->in);
    c->map = (filter_map){of, c};
    filter_add_map(step, &c->map);
    return HALO_OK;
}

static halo_status resolve_gamma(filter_step *step)
{
    return resolve_contrast(step, gamma_of);
}

static halo_status resolve_log(filter_step *step)
{
    return resolve_contrast(step, log_of);
}

/* ---- clip ------------------------------------------------------------------------------------ */

typedef struct {
    filter_bounds range;
} clipping;

static const halo_option clip_rows[] = {{HALO_OPTION_ROW(clipping, "range", CUSTOM, range),
                                         .parse = filter_parse_bounds, .value = "LOW,HIGH",
                                         .takes = FILTER_BOUNDS_TAKES,
                                         .required = "it needs two values: clip:10,200",
                                         .help = "Smaller samples become LOW, larger ones HIGH"},
                                        {0}};

/* NaN stays NaN. */
#define CLIP_CASE(code, c_type, ...)                                           \
    case HALO_SAMPLE_##code: {                                                 \
        const c_type *from = in;                                               \
        c_type *to = out, least, most;                                         \
        (void)halo_sample_put(type, &bounds->low.number, &least);              \
        (void)halo_sample_put(type, &bounds->high.number, &most);              \
        for (int64_t x = 0; x < width; x++) {                                  \
            to[x] = from[x] < least ? least : from[x] > most ? most : from[x]; \
        }                                                                      \
        break;                                                                 \
    }

static void clip_row(halo_sample_type type, const filter_bounds *bounds, const void *in,
                     int64_t width, void *out)
{
    switch (type) {
        HALO_SAMPLE_VALUE_LIST(CLIP_CASE)
    default:
        break;
    }
}

static void clip_tile(const filter_tile *tile)
{
    const clipping *c = tile->step->params;
    for (int64_t i = 0; i < tile->rows; i++) {
        clip_row(tile->part->in, &c->range, tile->in[i], tile->width, tile->out[i]);
    }
}

static halo_status check_bound(const filter_step *step, const threshold_bound *bound)
{
    uint64_t sample;
    char text[HALO_NUMBER_TEXT];
    halo_number_print(&bound->number, text);
    if (bound->percent) {
        return filter_refuse(step,
                             "it takes values, and %s%% is a percentage; use rescale for "
                             "these",
                             text);
    }
    return halo_sample_put(step->in, &bound->number, &sample)
               ? HALO_OK
               : filter_refuse(step, "%s is no sample of %s", text,
                               halo_sample_types[step->in].name);
}

static halo_status resolve_clip(filter_step *step)
{
    const clipping *c = step->params;
    HALO_TRY(check_bound(step, &c->range.low));
    HALO_TRY(check_bound(step, &c->range.high));
    filter_add_part(step, &(filter_part){.rows = clip_tile});
    return HALO_OK;
}

/* ---- rescale --------------------------------------------------------------------------------- */

typedef struct {
    filter_bounds range;
    double low, high; /* samples that become */
    double out_low, out_high;
    filter_map map;
} rescaling;

static const halo_option rescale_rows[] = {
    {HALO_OPTION_ROW(rescaling, "in_range", CUSTOM, range), .parse = filter_parse_bounds,
     .value = "LOW,HIGH", .takes = FILTER_BOUNDS_TAKES ", or percentiles such as 1%,99%",
     .unless = "the smallest and the largest sample",
     .help = "Samples that become black and white, as those beyond them do. With % they are "
             "percentiles of the samples"},
    {0}};

static double rescale_of(const void *own, double sample)
{
    const rescaling *r = own;
    double clipped = sample < r->low ? r->low : sample > r->high ? r->high : sample;
    double share = r->high > r->low ? (clipped - r->low) / (r->high - r->low) : 0;
    return r->high > r->low ? share * (r->out_high - r->out_low) + r->out_low : sample;
}

/* Black is 0, of signed samples and reals only if none is negative. */
static void set_range(rescaling *r, halo_sample_type out, double low, double high)
{
    bool real = halo_sample_types[out].real;
    double least = real ? -1 : out == HALO_SAMPLE_U64 ? 0 : (double)halo_sample_types[out].key_min;
    r->low = low;
    r->high = high;
    r->out_high = filter_white(out);
    r->out_low = low >= 0 ? 0 : least;
    r->map = (filter_map){rescale_of, r};
}

/* ---- by percentiles -------------------------------------------------------------------------- */

typedef struct {
    rescaling *of;
    halo_sample_type out;
    filter_percentiles *percentiles;
} range_search;

static halo_status create_search(void **state, const filter_part *part, const char *instructions)
{
    range_search *s;
    (void)instructions;
    HALO_TRY(HALO_ALLOCATE(s, 1, "a range of samples"));
    *state = s;
    s->of = part->step->params;
    s->out = part->out;
    const filter_bounds *range = &s->of->range;
    double percent[FILTER_PERCENTILES] = {0, 100};
    if (range->given) {
        percent[0] = range->low.percent ? range->low.number.value : 0;
        percent[1] = range->high.percent ? range->high.number.value : 100;
    }
    return filter_percentiles_create(&s->percentiles, part->in, percent);
}

static void destroy_search(void *state)
{
    if (state != NULL) {
        filter_percentiles_destroy(((range_search *)state)->percentiles);
    }
    free(state);
}

static void add_rows(void *state, const halo_view *rows)
{
    filter_percentiles_add(((range_search *)state)->percentiles, rows);
}

static halo_status end_search(void *state, halo_world *world, bool *again)
{
    const range_search *s = state;
    const filter_bounds *range = &s->of->range;
    double values[FILTER_PERCENTILES];
    HALO_TRY(filter_percentiles_end(s->percentiles, world, again, values));
    if (!*again) {
        bool fixed_low = range->given && !range->low.percent;
        bool fixed_high = range->given && !range->high.percent;
        set_range(s->of, s->out, fixed_low ? range->low.number.value : values[0],
                  fixed_high ? range->high.number.value : values[1]);
    }
    return HALO_OK;
}

static halo_status resolve_rescale(filter_step *step)
{
    static const filter_reduction search = {create_search, add_rows, end_search, destroy_search};
    rescaling *r = step->params;
    const filter_bounds *range = &r->range;
    if (!range->given || range->low.percent || range->high.percent) {
        const filter_part part = filter_map_part(&r->map);
        filter_add_reduction(step, &search, &part);
        return HALO_OK;
    }
    set_range(r, step->out, range->low.number.value, range->high.number.value);
    filter_add_map(step, &r->map);
    return HALO_OK;
}

/* ---- the filters ----------------------------------------------------------------------------- */

const halo_filter filter_rescale = {
    .name = "rescale",
    .help = "Stretch the range of samples to that of their type, of reals to 0 to 1, or -1 to 1 if "
            "some are negative",
    .authority = "skimage.exposure.rescale_intensity",
    .examples = "rescale|rescale:10,80|rescale:5%,95%|rescale:dtype=float32|rescale:1%,100",
    .params = rescale_rows,
    .params_bytes = sizeof(rescaling),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_NUMBERS,
    .resolve = resolve_rescale};

const halo_filter filter_clip = {.name = "clip",
                                 .help = "Samples beyond two values become these",
                                 .authority = "numpy.clip",
                                 .examples = "clip:20,90",
                                 .params = clip_rows,
                                 .params_bytes = sizeof(clipping),
                                 .takes = FILTER_NUMBERS,
                                 .resolve = resolve_clip};

const halo_filter filter_gamma = {
    .name = "gamma",
    .help = "Raise each sample, as a share of the largest one of its type, to a power",
    .authority = "skimage.exposure.adjust_gamma",
    .examples = "gamma:.5|gamma:2:gain=.7|gamma:.5:dtype=float32",
    .params = gamma_rows,
    .params_bytes = sizeof(contrast),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .resolve = resolve_gamma};

const halo_filter filter_log = {.name = "log",
                                .help = "The logarithm white * log2(1 + sample / white), where "
                                        "white is the largest sample of the type, of reals 1",
                                .authority = "skimage.exposure.adjust_log",
                                .examples = "log|log:2",
                                .params = log_rows,
                                .params_bytes = sizeof(contrast),
                                .takes = FILTER_NUMBERS,
                                .gives = FILTER_REALS,
                                .resolve = resolve_log};
