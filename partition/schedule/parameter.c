#include "partition/schedule/strategy.h"

#include "base/scan.h"

#include <string.h>

halo_status halo_schedule_parse_whole(const char *text, int64_t min, int64_t *out)
{
    return halo_scan_integer(&text, min, INT64_MAX, out) && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

halo_status halo_schedule_parse_ratio(const char *text, double *out)
{
    static const double most = 1e9;
    double above, below = 1;
    if (!halo_scan_number(&text, 0, most, &above) ||
        (*text == '/' && (text++, !halo_scan_number(&text, 1, most, &below))) || *text != '\0' ||
        above <= below) {
        return HALO_ARGUMENT;
    }
    *out = above / below;
    return HALO_OK;
}

halo_status halo_schedule_parse_variant(halo_schedule *schedule, const char *text,
                                        const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            schedule->variant = i;
            return HALO_OK;
        }
    }
    return HALO_ARGUMENT;
}
