#include "kernels/filter/rank.h"

#include "base/minmax.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/keys.h"
#include "kernels/filter/sizes.h"

/* The median, and samples of other ranks of windows: as scipy.ndimage. */

/* Samples of the largest window that is sorted; others are counted, which takes as long for any
 * type, where sorting has fewer samples to a vector. */
static int64_t most_sorted(halo_sample_type keys)
{
    enum { MOST_BYTES = 625, MOST_PAIRS = 441, MOST_WORDS = 225, MOST_WIDE = 121 };
    return keys == HALO_SAMPLE_U8    ? MOST_BYTES
           : keys == HALO_SAMPLE_U16 ? MOST_PAIRS
           : keys == HALO_SAMPLE_I32 ? MOST_WORDS
                                     : MOST_WIDE;
}

/* Histograms take about 10 ns a sample and 4 more for each plane; the sorted columns of a window of
 * 13 x 13 take 9, of 15 x 15 13, of 7 x 7 x 7 24. */
static bool takes_histograms(const filter_rank_window *window, int64_t samples)
{
    enum { LEAST = 200, LEAST_OF_PLANE = 70 };
    int64_t least = halo_max(LEAST, LEAST_OF_PLANE * filter_window_size(&window->window, 0));
    return filter_histogram_fits(window) && samples > halo_min(least, most_sorted(HALO_SAMPLE_U8));
}

static void add_rank(filter_step *step, const filter_rank_window *window, const filter_edge *edge)
{
    halo_sample_type keys = step->parts > 0 ? step->part[step->parts - 1].out : step->in;
    int64_t samples = 1, most = most_sorted(keys);
    for (int axis = 0; axis < HALO_AXES && samples <= most; axis++) {
        samples *= halo_min(filter_window_size(&window->window, axis), most + 1);
    }
    filter_part part = {.rows = filter_sorted_rows,
                        .create = filter_sorted_create,
                        .destroy = filter_sorted_destroy,
                        .edge = *edge,
                        .own = window};
    if (filter_cube_fits(window)) {
        part.rows = filter_cube_rows;
        part.create = filter_cube_create;
        part.destroy = filter_cube_destroy;
    } else if (keys == HALO_SAMPLE_U8 && takes_histograms(window, samples)) {
        part.rows = filter_histogram_rows;
        part.create = filter_histogram_create;
        part.destroy = filter_histogram_destroy;
    } else if (samples > most) {
        part.rows = filter_counted_rows;
        part.create = filter_counted_create;
        part.destroy = filter_counted_destroy;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        part.depth[axis] = window->window.before[axis];
    }
    filter_part *added = filter_add_part(step, &part);
    added->out = added->in;
}

/* ---- median ---------------------------------------------------------------------------------- */

typedef struct {
    filter_sizes sizes;
    filter_edge edge;
    filter_rank_window window; /* found by resolve */
} median;

static const halo_option median_rows[] = {FILTER_SIZES_ROWS(median), FILTER_EDGE_ROWS(median), {0}};

static halo_status resolve(filter_step *step, const filter_sizes *sizes, const filter_edge *edge,
                           double percent, filter_rank_window *window)
{
    const double all = 100;
    const int64_t most = (int64_t)1 << 30;
    filter_edge keys = filter_key_edge(step->in, edge);
    int64_t samples = 1;
    HALO_TRY(filter_sizes_find(sizes, step, &window->window));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        samples *= filter_window_size(&window->window, axis);
        if (samples > most) {
            return filter_refuse(step, "the window has more than %lld samples; use a smaller one",
                                 (long long)most);
        }
    }
    window->rank = percent >= all ? samples - 1 : (int64_t)((double)samples * percent / all);
    filter_add_keys(step);
    add_rank(step, window, &keys);
    filter_add_samples(step);
    return HALO_OK;
}

static halo_status resolve_median(filter_step *step)
{
    const double half = 50;
    median *m = step->params;
    return resolve(step, &m->sizes, &m->edge, half, &m->window);
}

const halo_filter filter_median = {
    .name = "median",
    .help = "The median of a window: the middle one of its samples in order. NaN is greater than "
            "all others",
    .authority = "scipy.ndimage.median_filter",
    .examples = "median:2|median:size=4:mode=constant:cval=50|median:size=3,1,2:mode=wrap|"
                "median:0|median:size=7:mode=mirror|median:size=15",
    .params = median_rows,
    .params_bytes = sizeof(median),
    .takes = FILTER_ANY,
    .resolve = resolve_median};

/* ---- percentile ------------------------------------------------------------------------------ */

typedef struct {
    double percent;
    filter_sizes sizes;
    filter_edge edge;
    filter_rank_window window; /* found by resolve */
} percentile;

static const halo_option percentile_rows[] = {
    {HALO_OPTION_ROW(percentile, "percent", REAL, percent), .max = 100, .value = "P",
     .required = "it needs a percentage and a radius: percentile:25:3",
     .help = "Percentage of the window's samples that are less"},
    FILTER_SIZES_ROWS(percentile),
    FILTER_EDGE_ROWS(percentile),
    {0}};

static halo_status resolve_percentile(filter_step *step)
{
    percentile *p = step->params;
    return resolve(step, &p->sizes, &p->edge, p->percent, &p->window);
}

const halo_filter filter_percentile = {
    .name = "percentile",
    .help = "The sample of a window that a percentage of its samples are less than",
    .authority = "scipy.ndimage.percentile_filter",
    .examples = "percentile:25:1|percentile:100:size=2,4:mode=nearest|percentile:0:1|"
                "percentile:90:size=16,40:mode=constant",
    .params = percentile_rows,
    .params_bytes = sizeof(percentile),
    .takes = FILTER_ANY,
    .resolve = resolve_percentile};
