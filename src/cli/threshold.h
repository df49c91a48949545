#ifndef HALOBEAT_CLI_THRESHOLD_H
#define HALOBEAT_CLI_THRESHOLD_H

#include "app/image/samples.h"
#include "app/options/options.h"
#include "app/run.h"
#include "kernels/label/threshold/threshold_choice.h"

/* The option --threshold of commands that tell two kinds of pixels apart. */

/* The beginning of a row for a threshold_choice in `structure`; help follows. The second one also
 * takes local thresholds and hysteresis. */
#define THRESHOLD_ROW(structure)                                                          \
    HALO_OPTION_ROW(structure, "threshold", CUSTOM, threshold),                           \
        .letter = 't', .parse = threshold_parse,                                          \
        .takes = "otsu, nonzero, a grey value, 0% to 100%, or a range LOW..HIGH of such " \
                 "values",                                                                \
        .value = "otsu|nonzero|VALUE|VALUE%|LOW..HIGH", .standard = "otsu"
#define THRESHOLD_OF_REGIONS_ROW(structure)                                         \
    HALO_OPTION_ROW(structure, "threshold", CUSTOM, threshold),                     \
        .letter = 't', .parse = threshold_parse_regions,                            \
        .takes = "otsu, nonzero, a value, 0% to 100%, a range LOW..HIGH or a pair " \
                 "LOW,HIGH of such values, or local:R[:OFFSET] with a radius "      \
                 "R from 1 to 10000",                                               \
        .value = "otsu|nonzero|VALUE|VALUE%|LOW..HIGH|LOW,HIGH|local:R[:OFFSET]",   \
        .standard = "otsu"

/* ---- of an image ------------------------------------------------------------------------------
 */

typedef struct {
    halo_sample_extremes of; /* of the samples that are not missing: those of the type of greys; of
                              * others they are found only where the threshold depends on them */
    halo_key_range within; /* the one kind of pixels, without --invert: for hysteresis from the low
                            * value on; inverted for what is not 0 */
    int64_t peak;          /* of hysteresis: the key that a pixel of each region must reach */
    int64_t single;        /* the only grey that there is, if they were counted; otherwise -1 */
} cli_threshold_range;

/* Local. Are all samples needed before one can be compared, and have to stay in memory, since they
 * cannot be read again, or not for next to nothing? */
bool cli_threshold_keeps(const app_run *run, const threshold_choice *requested);

/* Collective. Finds it for the samples of run->image, which are read where it depends on them; for
 * a local threshold, only their extremes. Where Otsu's method has not been asked for, but is the
 * default, an image that looks like labels is warned of, with `remedy`.
 * HALO_ARGUMENT for a value beyond the samples, or for bounds between which no sample lies; errors
 * as of app_samples_each. */
halo_status cli_threshold_find(app_run *run, const threshold_choice *requested,
                               app_samples *samples, const char *remedy, cli_threshold_range *out);

/* Local. HALO_ARGUMENT for a grey value between 0 and 1 of an image whose samples go from 0 to 255
 * or more: a percentage was meant. `what` begins the message. */
halo_status cli_threshold_check_share(const char *what, double value, int64_t maximum);

/* Local. The sample that has this key (NULL for want of memory). */
json_t *cli_sample_json(halo_sample_type type, int64_t key);

#endif
