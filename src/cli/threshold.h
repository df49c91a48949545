#ifndef HALOBEAT_CLI_THRESHOLD_H
#define HALOBEAT_CLI_THRESHOLD_H

#include "app/image/image.h"
#include "app/options/options.h"
#include "base/number.h"
#include "kernels/label/threshold/label_signs.h"
#include "kernels/label/threshold/threshold.h"
#include "kernels/label/threshold/value_range.h"

/* The option --threshold of commands that tell two kinds of pixels apart. */

typedef enum {
    THRESHOLD_OTSU,
    THRESHOLD_VALUE,
    THRESHOLD_PERCENT,
    THRESHOLD_RANGE,
    THRESHOLD_LOCAL,
    THRESHOLD_HYSTERESIS
} threshold_kind;

/* A sample value, or a percentage of the largest one. */
typedef struct {
    halo_number number;
    bool percent;
} threshold_bound;

typedef struct {
    threshold_kind kind;
    threshold_bound low, high;  /* `high` of a range, and of hysteresis */
    halo_local_threshold local; /* of THRESHOLD_LOCAL */
} cli_threshold;

/* The beginning of a row for a cli_threshold in `structure`; help follows. The second one also
 * takes local thresholds and hysteresis. */
#define THRESHOLD_ROW(structure)                                                        \
    HALO_OPTION_ROW(structure, "threshold", CUSTOM, threshold),                         \
        .letter = 't', .parse = cli_threshold_parse,                                    \
        .takes = "otsu, a grey value, 0% to 100%, or a range LOW..HIGH of such values", \
        .value = "otsu|VALUE|PERCENT%|LOW..HIGH", .standard = "otsu"
#define THRESHOLD_OF_REGIONS_ROW(structure)                                      \
    HALO_OPTION_ROW(structure, "threshold", CUSTOM, threshold),                  \
        .letter = 't', .parse = cli_threshold_parse_regions,                     \
        .takes = "otsu, a value, 0% to 100%, a range LOW..HIGH or a pair "       \
                 "LOW,HIGH of such values, or local:RADIUS[:OFFSET] with a "     \
                 "radius from 1 to 10000",                                       \
        .value = "otsu|VALUE|PERCENT%|LOW..HIGH|LOW,HIGH|local:RADIUS[:OFFSET]", \
        .standard = "otsu"

/* Local. */
halo_option_parse cli_threshold_parse, cli_threshold_parse_regions;

/* Local. As the summary calls where it comes from. */
const char *cli_threshold_source(const cli_threshold *asked);

/* Local. The grey values of the one kind of pixels, for an image with samples from 0 to `maximum`,
 * not inverted; `histogram` [levels] is read for Otsu's method only. All of them for a local
 * threshold, and for hysteresis those from the low value on. HALO_ARGUMENT for a value beyond the
 * samples. */
halo_status cli_threshold_find(const cli_threshold *asked, int64_t maximum,
                               const int64_t *histogram, int64_t levels, halo_grey_range *range);

/* Local. HALO_ARGUMENT for a grey value between 0 and 1 of an image whose samples go from 0 to 255
 * or more: a percentage was meant. `what` begins the message. */
halo_status cli_threshold_check_share(const char *what, double value, int64_t maximum);

/* ---- of samples that are no greys, all local ---------------------------------------------------
 */

/* Does the threshold depend on the extremes of the samples, for Otsu's method or a percentage? */
bool cli_threshold_needs_extremes(const cli_threshold *asked);

/* The samples of the one kind of pixels, by their keys, not inverted; and of hysteresis the key
 * that a pixel of each region must reach. `of` has the type of the samples, and their extremes
 * where the threshold depends on them; `histogram` [HALO_VALUE_BINS] is read for Otsu's method
 * only. HALO_ARGUMENT for a value beyond the type, or for bounds between which no sample lies. */
halo_status cli_threshold_of_samples(const app_image *image, const cli_threshold *asked,
                                     const halo_sample_extremes *of, const int64_t *histogram,
                                     halo_value_range *within, int64_t *peak);

/* What a key stands for (NULL for want of memory). */
json_t *cli_sample_json(halo_sample_type type, int64_t key);

/* Such a histogram for cli_warn_of_labels. */
halo_label_histogram cli_histogram_of_samples(const halo_sample_extremes *of,
                                              const int64_t *counts);

/* ---------------------------------------------------------------------------------------------- */

/* Local. The remedy, for a message, where no sample lies between these two bounds. */
const char *cli_threshold_remedy(double low, double high);

/* Local. Of hysteresis: the grey value that a pixel of each region must reach; 0 otherwise. */
int64_t cli_threshold_peak(const cli_threshold *asked, int64_t maximum);

#endif
