#ifndef HALOBEAT_CLI_THRESHOLD_H
#define HALOBEAT_CLI_THRESHOLD_H

#include "app/options.h"

/* The option --threshold of commands that tell two kinds of pixels apart. */

typedef enum { THRESHOLD_OTSU, THRESHOLD_VALUE, THRESHOLD_PERCENT } threshold_kind;

typedef struct {
    threshold_kind kind;
    double value; /* a sample value, or a percentage of the largest one */
} cli_threshold;

/* Of a row for a cli_threshold in `structure`; help follows. */
#define THRESHOLD_ROW(structure)                                                                \
    APP_ROW(structure, "threshold", CUSTOM, threshold),                                         \
        .letter = 't', .parse = cli_threshold_parse,                                            \
        .takes = "otsu, a grey value from 0 on, or 0% to 100%", .value = "otsu|VALUE|PERCENT%", \
        .standard = "otsu"

/* Local. */
app_parse cli_threshold_parse;

/* Local. As the summary calls where it comes from. */
const char *cli_threshold_source(const cli_threshold *asked);

/* Local. The grey value from which on pixels are of the one kind, for an image with samples from 0
 * to `maximum`; `histogram` [levels] is read for Otsu's method only. HALO_ARGUMENT for a value
 * beyond the samples. */
halo_status cli_threshold_find(const cli_threshold *asked, int64_t maximum,
                               const int64_t *histogram, int64_t levels, int64_t *threshold);

#endif
