#include "kernels/filter/per_axis.h"

#include "base/scan.h"

#include <float.h>

halo_status filter_parse_per_axis(const char *text, void *into)
{
    filter_per_axis *values = into;
    *values = (filter_per_axis){0};
    do {
        text += values->count > 0; /* the comma */
        if (values->count == HALO_AXES ||
            !halo_scan_number(&text, -DBL_MAX, DBL_MAX, &values->value[values->count])) {
            return HALO_ARGUMENT;
        }
        values->count++;
    } while (*text == ',');
    return *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

halo_status filter_check_per_axis(const filter_per_axis *values, const filter_step *step,
                                  const char *what)
{
    return values->count == 1 || values->count == step->axes
               ? HALO_OK
               : filter_refuse(step, "there are %d %s, and the image has %d axes; give one, or %d",
                               values->count, what, step->axes, step->axes);
}

double filter_of_axis(const filter_per_axis *values, const filter_step *step, int axis)
{
    return values->count == 1 ? values->value[0] : values->value[axis - (HALO_AXES - step->axes)];
}
