#include "base/scan.h"
#include "cli/label/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How large pixels are, in which unit, and who says so. */

halo_status label_parse_spacing(const char *text, void *into)
{
    double sizes[HALO_AXES];
    int count = 0;
    label_spacing *spacing = into;
    if (strcmp(text, "pixels") == 0) {
        *spacing = (label_spacing){.pixels = true};
        return HALO_OK;
    }
    do {
        if (count == HALO_AXES || !halo_scan_number(&text, 0, HUGE_VAL, &sizes[count]) ||
            !isfinite(sizes[count]) || sizes[count] <= 0) {
            return HALO_ARGUMENT;
        }
        count++;
    } while (*text++ == ',');
    const char *unit = text - 1 + strspn(text - 1, " ");
    *spacing = (label_spacing){.size = {1, 1, 1}, .count = count, .unit = halo_length_find(unit)};
    if (*unit != '\0' && spacing->unit == HALO_LENGTH_UNKNOWN) {
        return HALO_ARGUMENT;
    }
    for (int axis = 0; axis < HALO_AXES && count == 1; axis++) {
        spacing->size[axis] = sizes[0];
    }
    memcpy(spacing->size + HALO_AXES - count, sizes, (size_t)count * sizeof *sizes);
    return HALO_OK;
}

label_pixel label_pixel_of(const app_run *run)
{
    const label_spacing *asked = &((const label_options *)run->options)->spacing;
    const halo_image_geometry *g = &run->image->info.geometry;
    label_pixel pixel = {.size = {1, 1, 1}};
    if (asked->count > 0) {
        memcpy(pixel.size, asked->size, sizeof pixel.size);
        pixel.spaced = true;
        pixel.unit = asked->unit;
    } else if (!asked->pixels && halo_geometry_measures(g, run->domain.axes)) {
        for (int axis = 0; axis < HALO_AXES; axis++) {
            pixel.size[axis] = halo_geometry_spacing(g, HALO_AXES - 1 - axis);
        }
        pixel.spaced = true;
        pixel.unit = g->unit;
    }
    return pixel;
}

halo_image_geometry label_geometry(const app_run *run)
{
    const label_spacing *asked = &((const label_options *)run->options)->spacing;
    halo_image_geometry g = run->image->info.geometry;
    if (asked->count > 0 && g.printed) { /* a length in place of dots an inch */
        g = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    if (asked->unit != HALO_LENGTH_UNKNOWN) {
        g.unit = asked->unit;
    }
    for (int axis = 0; axis < HALO_AXES && asked->count > 0; axis++) {
        g.spacing[axis] = asked->size[HALO_AXES - 1 - axis];
    }
    return g;
}

/* "2,0.5,0.5", as --spacing has it. */
static void print_sizes(const halo_image_geometry *g, int axes, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int axis = axes - 1; axis >= 0 && used < room; axis--) {
        used += (size_t)snprintf(text + used, room - used, "%s%.10g", used > 0 ? "," : "",
                                 halo_geometry_spacing(g, axis));
    }
}

/* True if somebody could take the spacing of the file for that of the table. */
static bool has_other_spacing(const halo_image_geometry *g, int axes)
{
    bool other = false, all = true;
    for (int axis = 0; axis < axes; axis++) {
        other = other || (g->spacing[axis] > 0 && !g->printed &&
                          (g->spacing[axis] < 1 || g->spacing[axis] > 1));
        all = all && g->spacing[axis] > 0;
    }
    return other && all;
}

void label_add_lengths(const app_run *run, json_t *texts)
{
    enum { TEXT = 96 };
    char sizes[TEXT];
    const label_options *asked = run->options;
    const halo_image_geometry *g = &run->image->info.geometry;
    const label_pixel pixel = label_pixel_of(run);
    bool tells = asked->regions != NULL || asked->contacts != NULL;
    print_sizes(g, run->domain.axes, sizes, sizeof sizes);
    if (!tells || asked->spacing.count > 0 || asked->spacing.pixels) {
        return;
    }
    if (pixel.spaced) {
        const char *unit = halo_length_name(pixel.unit);
        json_object_set_new(texts, "lengths",
                            json_sprintf("areas are in %s^%d, centroids and lengths in %s: the "
                                         "spacing in the file is %s; --spacing pixels leaves them "
                                         "in pixels",
                                         unit, run->domain.axes, unit, sizes));
    } else if (has_other_spacing(g, run->domain.axes)) {
        json_object_set_new(texts, "lengths",
                            json_sprintf("areas, centroids and lengths are in pixels: the spacing "
                                         "in the file has no unit; --spacing %s takes it",
                                         sizes));
    }
}

json_t *label_pixel_json(const app_run *run)
{
    const label_pixel pixel = label_pixel_of(run);
    json_t *sizes = json_array();
    for (int axis = HALO_AXES - run->domain.axes; axis < HALO_AXES; axis++) {
        json_array_append_new(sizes, json_real(pixel.size[axis]));
    }
    bool known = pixel.unit != HALO_LENGTH_UNKNOWN;
    return json_pack("{s:o, s:s*}", "size", sizes, "unit",
                     known          ? halo_length_name(pixel.unit)
                     : pixel.spaced ? NULL
                                    : "pixels");
}
