#include "cli/threshold.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/label_signs.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of an image -----------------------------------------------------------------------
 */

/* A part of 1 is what other programs take, where greys are from 0 to 1. */
halo_status cli_threshold_check_share(const char *what, double value, int64_t maximum)
{
    enum { PERCENT = 100, BYTE_MAXIMUM = 255 };
    return HALO_REQUIRE(
        value <= 0 || value >= 1 || maximum < BYTE_MAXIMUM, HALO_ARGUMENT,
        "%s %g is less than 1, and this image's samples are whole numbers from 0 to %" PRId64
        "; did you mean %g%%?",
        what, value, maximum, PERCENT * value);
}

static halo_status fail_beyond(const app_image *image, const threshold_bound *bound)
{
    halo_sample_type type = app_image_type(image);
    char text[HALO_NUMBER_TEXT];
    halo_number_print(&bound->number, text);
    return halo_sample_types[type].grey
               ? halo_fail(HALO_ARGUMENT,
                           "the threshold %s is beyond this image's samples, which go from 0 to "
                           "%" PRId64 "; use one of these, or a percentage",
                           text, image->maximum)
               : halo_fail(HALO_ARGUMENT,
                           "the threshold %s is beyond the samples of %s, which have the type %s; "
                           "use a value that these have, or a percentage",
                           text, image->path, halo_sample_types[type].name);
}

/* A percentage is one of the way from black to white, or from the least finite sample to the
 * largest. */
static halo_status find_key(const app_image *image, const halo_sample_extremes *of,
                            const threshold_bound *bound, bool down, int64_t *key)
{
    bool grey = halo_sample_types[of->type].grey;
    const halo_number value = bound->percent ? halo_number_of(0) : bound->number;
    if (bound->percent && of->finite > 0) {
        halo_sample_extremes ends = *of;
        ends.max = grey ? image->maximum : of->max;
        *key = halo_sample_key_at(&ends, bound->number.value, down);
        return HALO_OK;
    }
    if (grey) {
        HALO_TRY(cli_threshold_check_share("the threshold", value.value, image->maximum));
    }
    bool fits = !grey || (value.value >= 0 && value.value <= (double)image->maximum);
    return fits && (down ? halo_sample_key_to : halo_sample_key_from)(of->type, &value, key)
               ? HALO_OK
               : fail_beyond(image, bound);
}

static halo_status check_order(const threshold_choice *requested, halo_sample_type type,
                               int64_t low, int64_t high)
{
    const threshold_bound *from = &requested->low, *to = &requested->high;
    char least[HALO_NUMBER_TEXT], most[HALO_NUMBER_TEXT];
    halo_number_print(&from->number, least);
    halo_number_print(&to->number, most);
    bool close = from->percent == to->percent && from->number.value <= to->number.value;
    return HALO_REQUIRE(low <= high, HALO_ARGUMENT,
                        "no sample of type %s is from %s%s to %s%s, as the thresholds have it; %s",
                        halo_sample_types[type].name, least, from->percent ? "%" : "", most,
                        to->percent ? "%" : "",
                        close ? "leave more between them" : "give the lower one first");
}

/* NaN is not inverted with the rest. */
static void find_nonzero(cli_threshold_range *out)
{
    const halo_number zero = halo_number_of(0);
    (void)halo_sample_key_from(out->of.type, &zero, &out->within.min); /* all types have it */
    out->within.max = out->within.min;
    out->within.invert = true;
}

static halo_status find_values(const app_image *image, const threshold_choice *requested,
                               cli_threshold_range *out)
{
    bool range = requested->kind == THRESHOLD_RANGE;
    int64_t high = out->within.max;
    HALO_TRY(find_key(image, &out->of, &requested->low, false, &out->within.min));
    if (range || requested->kind == THRESHOLD_HYSTERESIS) {
        HALO_TRY(find_key(image, &out->of, &requested->high, range, &high));
    }
    out->within.max = range ? high : out->within.max;
    out->peak = high;
    return check_order(requested, out->of.type, out->within.min, high);
}

/* ---- label images, divided as if they were pictures ------------------------------------------ */

/* A warning, even of a file that says what it has: its numbers are names, and what Otsu's method
 * makes of them is wrong; but commands that were right with the samples of one file would fail with
 * those of the next, and who only wants the samples in another format has no threshold in mind. */

/* Samples of 2 and 4 bits cannot have but few values. */
static bool has_narrow_samples(const app_image *image)
{
    enum { BITS = 4 };
    return image->info.bits <= BITS && !image->info.colourful;
}

/* Warns, on rank 0 at least, of a file that says of itself that it has labels, and has more than
 * two of them, and of one that looks so; not if the user has chosen Otsu's method. `remedy` says
 * what can be done instead. */
static void warn_of_labels(app_run *run, const threshold_choice *requested,
                           const halo_label_signs *signs, const halo_label_histogram *histogram,
                           const char *remedy)
{
    const app_image *image = run->image;
    int64_t values;
    if (app_was_given(run, requested)) {
        return;
    }
    halo_label_look look = halo_label_signs_judge(signs, histogram, &values);
    if (look == HALO_LOOKS_MASK) {
        return;
    }
    if (image->info.labels) {
        app_warn(run,
                 "%.300s says that its samples are labels, which Otsu's threshold divides by their "
                 "numbers: %s, and -t otsu divides them without this warning",
                 image->path, remedy);
    } else if (look == HALO_LOOKS_FEW && !has_narrow_samples(image)) {
        app_warn(
            run,
            "%.300s has only %" PRId64 " different values, as segmentations have, and Otsu's "
            "threshold divides them as greys: %s, and -t otsu divides them without this warning",
            image->path, values, remedy);
    } else if (look == HALO_LOOKS_LABELS) {
        app_warn(run,
                 "%.300s looks like an image of labels, which Otsu's threshold divides by their "
                 "numbers: %s, and -t otsu divides them without this warning",
                 image->path, remedy);
    }
}

/* ---- Otsu's ---------------------------------------------------------------------------------- */

typedef struct {
    app_samples *samples;
    halo_label_signs signs;
} counting;

static halo_status take_signs(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    counting *c = context;
    const halo_view band = app_image_band(c->samples->image, data, pitch, rows);
    halo_label_signs_add(&c->signs, &band, 0, rows, first);
    return HALO_OK;
}

/* Whole numbers of 8 and 16 bits that are signed count as greys. */
static halo_label_histogram histogram_of(const halo_sample_bins *bins, const int64_t *counts)
{
    enum { WIDE = 4 };
    const halo_sample_extremes *of = &bins->of;
    bool whole = of->finite > 0 && !halo_sample_types[of->type].real;
    return (halo_label_histogram){.counts = counts,
                                  .levels = bins->count,
                                  .first = whole ? halo_sample_whole(of->type, of->min) : -1,
                                  .wide = whole && halo_sample_types[of->type].bytes >= WIDE};
}

static int64_t find_single(const halo_sample_bins *bins, const int64_t *counts)
{
    int64_t single = -1, used = 0;
    for (int64_t grey = 0; grey < bins->count && halo_sample_types[bins->of.type].grey; grey++) {
        single = counts[grey] > 0 ? grey : single;
        used += counts[grey] > 0;
    }
    return used == 1 ? single : -1;
}

/* Collective. */
static halo_status count_all(app_run *run, const threshold_choice *requested, app_samples *samples,
                             const char *remedy, const halo_sample_bins *bins, int64_t *counts)
{
    const halo_image_info *info = &samples->image->info;
    bool marked = info->nodata.missing == HALO_MISSING_CELL;
    counting c = {samples, {.height = info->rows, .background = marked ? info->nodata.cell : 0}};
    HALO_TRY(app_samples_count(samples, bins, counts, take_signs, &c));
    int64_t sums[] = {c.signs.pairs, c.signs.equal};
    HALO_TRY(halo_allreduce_sum(run->world, sums, 2));
    const halo_label_signs signs = {.pairs = sums[0], .equal = sums[1]};
    const halo_label_histogram histogram = histogram_of(bins, counts);
    warn_of_labels(run, requested, &signs, &histogram, remedy);
    return HALO_OK;
}

static halo_status find_otsu(app_run *run, const threshold_choice *requested, app_samples *samples,
                             const char *remedy, cli_threshold_range *out)
{
    const halo_sample_bins bins = halo_sample_bins_of(&out->of);
    int64_t *counts;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(counts, bins.count, "a histogram")));
    halo_status status = count_all(run, requested, samples, remedy, &bins, counts);
    if (status == HALO_OK) {
        out->within.min = halo_sample_otsu(&bins, counts);
        out->single = find_single(&bins, counts);
    }
    free(counts);
    return status;
}

/* ---- any ------------------------------------------------------------------------------------- */

/* A local threshold depends on the extremes of the samples of run->image where greys are made of
 * them over their range. */
static bool needs_extremes(const app_run *run, const threshold_choice *requested)
{
    bool local = requested->kind == THRESHOLD_LOCAL && !run->arguments->range.given;
    return !halo_sample_types[run->image->info.type].grey &&
           (local || requested->kind == THRESHOLD_OTSU || requested->low.percent ||
            requested->high.percent);
}

bool cli_threshold_keeps(const app_run *run, const threshold_choice *requested)
{
    return (requested->kind == THRESHOLD_OTSU || needs_extremes(run, requested)) &&
           !run->image->info.in_place;
}

halo_status cli_threshold_find(app_run *run, const threshold_choice *requested,
                               app_samples *samples, const char *remedy, cli_threshold_range *out)
{
    halo_sample_type type = app_image_type(run->image);
    *out = (cli_threshold_range){
        .of = halo_sample_types[type].grey ? halo_sample_type_extremes(type)
                                           : (halo_sample_extremes){.type = type},
        .within = {.min = halo_sample_types[type].key_min, .max = halo_sample_types[type].key_max},
        .single = -1};
    if (needs_extremes(run, requested)) {
        HALO_TRY(app_samples_find_extremes(samples, &out->of));
    }
    switch (requested->kind) {
    case THRESHOLD_LOCAL:
        return HALO_OK;
    case THRESHOLD_NONZERO:
        find_nonzero(out);
        return HALO_OK;
    case THRESHOLD_OTSU:
        return find_otsu(run, requested, samples, remedy, out);
    default:
        return find_values(run->image, requested, out);
    }
}

json_t *cli_sample_json(halo_sample_type type, int64_t key)
{
    int64_t whole = halo_sample_whole(type, key);
    if (halo_sample_types[type].real) {
        return json_real(halo_sample_real(type, key));
    }
    return type != HALO_SAMPLE_U64 || whole >= 0 ? json_integer(whole)
                                                 : json_sprintf("%" PRIu64, (uint64_t)whole);
}
