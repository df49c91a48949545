#include "cli/threshold.h"

#include "app/image/image.h"
#include "base/scan.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- values of the option -------------------------------------------------------------------- */

static bool take_bound(const char **text, threshold_bound *bound)
{
    enum { PERCENT = 100 };
    if (!halo_scan_exact(text, -HUGE_VAL, HUGE_VAL, &bound->number) ||
        !isfinite(bound->number.value)) {
        return false;
    }
    bound->percent = **text == '%';
    *text += bound->percent;
    return !bound->percent || (bound->number.value >= 0 && bound->number.value <= PERCENT);
}

/* Two values with `between` between them: the first ends where that begins, since a number may end
 * in a point. */
static bool take_two(const char *text, const char *between, threshold_kind kind,
                     cli_threshold *threshold)
{
    enum { NUMBER = 64 };
    char low[NUMBER];
    const char *found = strstr(text, between), *at = low;
    size_t length = found != NULL ? (size_t)(found - text) : NUMBER;
    if (length >= NUMBER) {
        return false;
    }
    memcpy(low, text, length);
    low[length] = '\0';
    threshold->kind = kind;
    text = found + strlen(between);
    return take_bound(&at, &threshold->low) && *at == '\0' && take_bound(&text, &threshold->high) &&
           *text == '\0';
}

halo_status cli_threshold_parse(const char *text, void *into)
{
    cli_threshold *threshold = into;
    *threshold = (cli_threshold){.kind = THRESHOLD_OTSU};
    if (strcmp(text, "otsu") == 0 || take_two(text, "..", THRESHOLD_RANGE, threshold)) {
        return HALO_OK;
    }
    bool good = take_bound(&text, &threshold->low) && *text == '\0';
    threshold->kind = threshold->low.percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    return good ? HALO_OK : HALO_ARGUMENT;
}

halo_status cli_threshold_parse_regions(const char *text, void *into)
{
    enum { MAX_RADIUS = 10000 };
    static const char name[] = "local:";
    cli_threshold *threshold = into;
    halo_local_threshold *local = &threshold->local;
    if (strncmp(text, name, strlen(name)) != 0) {
        return take_two(text, ",", THRESHOLD_HYSTERESIS, threshold)
                   ? HALO_OK
                   : cli_threshold_parse(text, into);
    }
    *threshold = (cli_threshold){.kind = THRESHOLD_LOCAL};
    text += strlen(name);
    bool good = halo_scan_integer(&text, 1, MAX_RADIUS, &local->radius);
    if (good && *text == ':') {
        text++;
        good =
            halo_scan_number(&text, -HUGE_VAL, HUGE_VAL, &local->offset) && isfinite(local->offset);
    }
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

const char *cli_threshold_source(const cli_threshold *asked)
{
    static const char *const sources[] = {
        [THRESHOLD_OTSU] = "otsu",       [THRESHOLD_VALUE] = "value",
        [THRESHOLD_PERCENT] = "percent", [THRESHOLD_RANGE] = "range",
        [THRESHOLD_LOCAL] = "local",     [THRESHOLD_HYSTERESIS] = "hysteresis"};
    return sources[asked->kind];
}

/* ---- of an image ----------------------------------------------------------------------------- */

static double sample_of(const threshold_bound *bound, int64_t maximum)
{
    enum { PERCENT = 100 };
    return bound->percent ? bound->number.value * (double)maximum / PERCENT : bound->number.value;
}

/* A part of 1 is what other programs take, where greys are from 0 to 1. */
halo_status cli_threshold_check_share(const char *what, double value, int64_t maximum)
{
    enum { PERCENT = 100, BYTE_MAXIMUM = 255 };
    return value <= 0 || value >= 1 || maximum < BYTE_MAXIMUM
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "%s %g is less than 1, and this image's samples are whole numbers from "
                           "0 to %" PRId64 "; did you mean %g%%?",
                           what, value, maximum, PERCENT * value);
}

static halo_status check_bound(const threshold_bound *bound, int64_t maximum)
{
    if (!bound->percent) {
        HALO_TRY(cli_threshold_check_share("the threshold", bound->number.value, maximum));
    }
    double sample = sample_of(bound, maximum);
    return sample >= 0 && sample <= (double)maximum
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the threshold %g is beyond this image's samples, which go from 0 to "
                           "%" PRId64 "; use one of these, or a percentage",
                           bound->number.value, maximum);
}

const char *cli_threshold_remedy(double low, double high)
{
    return low > high ? "give the lower one first" : "leave more between them";
}

/* The whole grey values from one bound to the other. */
static halo_status find_two(const cli_threshold *asked, int64_t maximum, int64_t *low,
                            int64_t *high)
{
    bool range = asked->kind == THRESHOLD_RANGE;
    double top = sample_of(&asked->high, maximum);
    HALO_TRY(check_bound(&asked->low, maximum));
    HALO_TRY(check_bound(&asked->high, maximum));
    *low = (int64_t)ceil(sample_of(&asked->low, maximum));
    *high = (int64_t)(range ? floor(top) : ceil(top));
    double bottom = sample_of(&asked->low, maximum);
    return *low <= *high
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "no grey value is from %g to %g, as the thresholds have it; %s", bottom,
                           top, cli_threshold_remedy(bottom, top));
}

halo_status cli_threshold_find(const cli_threshold *asked, int64_t maximum,
                               const int64_t *histogram, int64_t levels, halo_grey_range *range)
{
    int64_t peak;
    *range = (halo_grey_range){.min = 0, .max = INT64_MAX};
    switch (asked->kind) {
    case THRESHOLD_OTSU:
        range->min = halo_otsu(histogram, levels);
        return HALO_OK;
    case THRESHOLD_LOCAL:
        return HALO_OK;
    case THRESHOLD_RANGE:
        return find_two(asked, maximum, &range->min, &range->max);
    case THRESHOLD_HYSTERESIS:
        return find_two(asked, maximum, &range->min, &peak);
    default:
        HALO_TRY(check_bound(&asked->low, maximum));
        range->min = (int64_t)ceil(sample_of(&asked->low, maximum));
        return HALO_OK;
    }
}

int64_t cli_threshold_peak(const cli_threshold *asked, int64_t maximum)
{
    return asked->kind == THRESHOLD_HYSTERESIS ? (int64_t)ceil(sample_of(&asked->high, maximum))
                                               : 0;
}

/* ---- of samples that are no greys -------------------------------------------------------------
 */

bool cli_threshold_needs_extremes(const cli_threshold *asked)
{
    return asked->kind == THRESHOLD_OTSU || asked->low.percent || asked->high.percent;
}

/* A percentage is one of the way from the least finite sample to the largest. */
static halo_status find_key(const app_image *image, const halo_sample_extremes *of,
                            const threshold_bound *bound, bool down, int64_t *key)
{
    if (bound->percent && of->finite > 0) {
        *key = halo_sample_key_at(of, bound->number.value, down);
        return HALO_OK;
    }
    const halo_number value = bound->percent ? halo_number_of(0) : bound->number;
    char text[HALO_NUMBER_TEXT];
    halo_number_print(&value, text);
    return (down ? halo_sample_key_to : halo_sample_key_from)(of->type, &value, key)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the threshold %s is beyond the samples of %s, which have the type %s; "
                           "use a value that these have, or a percentage",
                           text, image->path, halo_sample_types[of->type].name);
}

static halo_status check_keys(const cli_threshold *asked, halo_sample_type type, int64_t low,
                              int64_t high)
{
    char least[HALO_NUMBER_TEXT], most[HALO_NUMBER_TEXT];
    halo_number_print(&asked->low.number, least);
    halo_number_print(&asked->high.number, most);
    return low <= high
               ? HALO_OK
               : halo_fail(
                     HALO_ARGUMENT,
                     "no sample of type %s is from %s%s to %s%s, as the thresholds have it; %s",
                     halo_sample_types[type].name, least, asked->low.percent ? "%" : "", most,
                     asked->high.percent ? "%" : "",
                     cli_threshold_remedy(asked->low.number.value, asked->high.number.value));
}

halo_status cli_threshold_of_samples(const app_image *image, const cli_threshold *asked,
                                     const halo_sample_extremes *of, const int64_t *histogram,
                                     halo_value_range *within, int64_t *peak)
{
    const halo_value_bins bins = halo_value_bins_of(of);
    bool range = asked->kind == THRESHOLD_RANGE;
    int64_t high = halo_sample_key_last(of->type);
    *within = (halo_value_range){.max = high};
    if (asked->kind == THRESHOLD_OTSU) {
        within->min = halo_value_otsu(&bins, histogram);
        return HALO_OK;
    }
    HALO_TRY(find_key(image, of, &asked->low, false, &within->min));
    if (range || asked->kind == THRESHOLD_HYSTERESIS) {
        HALO_TRY(find_key(image, of, &asked->high, range, &high));
    }
    within->max = range ? high : within->max;
    *peak = high;
    return check_keys(asked, of->type, within->min, high);
}

/* Whole numbers of 8 and 16 bits that are signed count as greys. */
halo_label_histogram cli_histogram_of_samples(const halo_sample_extremes *of, const int64_t *counts)
{
    enum { WIDE = 4 };
    bool whole = of->finite > 0 && !halo_sample_is_real(of->type);
    return (halo_label_histogram){.counts = counts,
                                  .levels = HALO_VALUE_BINS,
                                  .first = whole ? halo_sample_whole(of->type, of->min) : -1,
                                  .wide = whole && halo_sample_bytes(of->type) >= WIDE};
}

json_t *cli_sample_json(halo_sample_type type, int64_t key)
{
    int64_t whole = halo_sample_whole(type, key);
    if (halo_sample_is_real(type)) {
        return json_real(halo_sample_real(type, key));
    }
    return type != HALO_SAMPLE_U64 || whole >= 0 ? json_integer(whole)
                                                 : json_sprintf("%" PRIu64, (uint64_t)whole);
}
