#include "io/image/axes.h"

#include <string.h>
#include <strings.h>

/* Kinds of axes by the names that files give them. */

halo_axis_kind halo_image_axis_kind(const char *name)
{
    static const struct {
        const char *name;
        halo_axis_kind kind;
    } names[] = {{"t", HALO_AXIS_TIME},      {"time", HALO_AXIS_TIME},
                 {"c", HALO_AXIS_CHANNEL},   {"channel", HALO_AXIS_CHANNEL},
                 {"ch", HALO_AXIS_CHANNEL},  {"channels", HALO_AXIS_CHANNEL},
                 {"band", HALO_AXIS_CHANNEL}};
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(name, names[i].name) == 0) {
            return names[i].kind;
        }
    }
    return HALO_AXIS_SERIES;
}

halo_axis_kind halo_image_coordinate_kind(const char *name, const char *units,
                                          const char *standard_name, const char *axis)
{
    bool is_time = strstr(units, " since ") != NULL || strcmp(standard_name, "time") == 0 ||
                   strcmp(axis, "T") == 0;
    return is_time ? HALO_AXIS_TIME : halo_image_axis_kind(name);
}
