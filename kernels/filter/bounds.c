#include "kernels/filter/bounds.h"

/* Bounds of samples. */

halo_status filter_parse_bounds(const char *text, void *into)
{
    filter_bounds *bounds = into;
    *bounds = (filter_bounds){.given = true};
    bool good = threshold_take_bound(&text, &bounds->low) && *text == ',';
    text += good;
    good = good && threshold_take_bound(&text, &bounds->high) && *text == '\0';
    bool ordered = bounds->low.percent != bounds->high.percent ||
                   bounds->low.number.value <= bounds->high.number.value;
    return good && ordered ? HALO_OK : HALO_ARGUMENT;
}
