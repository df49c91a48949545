#include "cli/threshold.h"

#include "base/scan.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

halo_status cli_threshold_parse(const char *text, void *into)
{
    enum { PERCENT = 100 };
    cli_threshold *threshold = into;
    *threshold = (cli_threshold){.kind = THRESHOLD_OTSU};
    if (strcmp(text, "otsu") == 0) {
        return HALO_OK;
    }
    bool good =
        halo_scan_number(&text, 0, HUGE_VAL, &threshold->value) && isfinite(threshold->value);
    bool percent = good && *text == '%';
    threshold->kind = percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    return good && text[percent] == '\0' && (!percent || threshold->value <= PERCENT)
               ? HALO_OK
               : HALO_ARGUMENT;
}

const char *cli_threshold_source(const cli_threshold *asked)
{
    static const char *const sources[] = {
        [THRESHOLD_OTSU] = "otsu", [THRESHOLD_VALUE] = "value", [THRESHOLD_PERCENT] = "percent"};
    return sources[asked->kind];
}

halo_status cli_threshold_find(const cli_threshold *asked, int64_t maximum,
                               const int64_t *histogram, int64_t levels, int64_t *threshold)
{
    enum { PERCENT = 100 };
    if (asked->kind == THRESHOLD_OTSU) {
        *threshold = halo_otsu(histogram, levels);
    } else if (asked->kind == THRESHOLD_PERCENT) {
        *threshold = (int64_t)ceil(asked->value * (double)maximum / PERCENT);
    } else if (asked->value <= (double)maximum) {
        *threshold = (int64_t)ceil(asked->value);
    } else {
        return halo_fail(HALO_ARGUMENT,
                         "the threshold %g is beyond this image's samples, which go from 0 to "
                         "%" PRId64 "; use a smaller one or a percentage",
                         asked->value, maximum);
    }
    return HALO_OK;
}
