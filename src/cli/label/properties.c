#include "cli/label/axes.h"
#include "cli/label/job.h"

#include <string.h>

/* What is told of regions besides what always is. */

static const struct {
    const char *name;
    bool flat; /* of images of two axes only */
} properties[] = {
#define PROPERTY_ENTRY(code, name, flat) [LABEL_##code] = {#name, flat},
    LABEL_PROPERTY_LIST(PROPERTY_ENTRY)
#undef PROPERTY_ENTRY
};

/* The property that the first `length` characters name; LABEL_PROPERTIES if they name none. */
static int find(const char *text, size_t length)
{
    int found = 0;
    while (found < LABEL_PROPERTIES && (strlen(properties[found].name) != length ||
                                        strncmp(properties[found].name, text, length) != 0)) {
        found++;
    }
    return found;
}

halo_status label_parse_properties(const char *text, void *into)
{
    label_properties *asked = into;
    *asked = (label_properties){.all = strcmp(text, "all") == 0};
    while (!asked->all) {
        size_t length = strcspn(text, ",");
        int property = find(text, length);
        if (property == LABEL_PROPERTIES || asked->is[property]) {
            return HALO_ARGUMENT;
        }
        asked->is[property] = true;
        if (text[length] == '\0') {
            return HALO_OK;
        }
        text += length + 1;
    }
    return HALO_OK;
}

/* Are pixels as wide as high? Perimeters are estimated from such. */
static bool are_square(const label_spacing *spacing)
{
    const double *size = spacing->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

bool label_tells(const label_options *asked, int axes, label_property property)
{
    bool has = (axes < HALO_AXES || !properties[property].flat) &&
               (property != LABEL_PERIMETER || are_square(&asked->spacing));
    return asked->properties.is[property] || (asked->properties.all && has);
}

bool label_tells_shapes(const label_options *asked, int axes)
{
    bool any = false;
    for (int i = 0; i < LABEL_PROPERTIES; i++) {
        any = any || label_tells(asked, axes, (label_property)i);
    }
    return any;
}

halo_status label_check_properties(const app_run *run)
{
    const label_options *asked = run->options;
    bool solid = run->domain.axes == HALO_AXES;
    for (int i = 0; i < LABEL_PROPERTIES && solid; i++) {
        if (asked->properties.is[i] && properties[i].flat) {
            return halo_fail(HALO_ARGUMENT,
                             "%s is a volume, and --properties %s is for images of two axes; of "
                             "volumes ask for axis_major_length and axis_minor_length, or all",
                             run->image.path, properties[i].name);
        }
    }
    if (asked->properties.is[LABEL_PERIMETER] && !are_square(&asked->spacing)) {
        return halo_fail(HALO_ARGUMENT,
                         "the perimeter is estimated from pixels that are as high as wide, and "
                         "--spacing says %g and %g; ask for other --properties, or all",
                         asked->spacing.size[1], asked->spacing.size[2]);
    }
    return HALO_OK;
}
