#include "app/image/spacing.h"

#include "app/report/facts.h"
#include "base/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

halo_status app_spacing_parse(const char *text, void *into)
{
    double sizes[HALO_AXES];
    int count = 0;
    app_spacing *spacing = into;
    if (strcmp(text, "pixels") == 0) {
        *spacing = (app_spacing){.pixels = true};
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
    *spacing = (app_spacing){.size = {1, 1, 1}, .count = count, .unit = halo_length_find(unit)};
    if (*unit != '\0' && spacing->unit == HALO_LENGTH_UNKNOWN) {
        return HALO_ARGUMENT;
    }
    for (int axis = 0; axis < HALO_AXES && count == 1; axis++) {
        spacing->size[axis] = sizes[0];
    }
    memcpy(spacing->size + HALO_AXES - count, sizes, (size_t)count * sizeof *sizes);
    return HALO_OK;
}

app_pixel app_pixel_of(const app_image *image, const app_spacing *requested)
{
    const halo_image_geometry *g = &image->info.geometry;
    app_pixel pixel = {.size = {1, 1, 1}};
    if (requested->count > 0) {
        memcpy(pixel.size, requested->size, sizeof pixel.size);
        pixel.spaced = true;
        pixel.unit = requested->unit;
    } else if (!requested->pixels && halo_geometry_measures(g, image->domain.axes)) {
        for (int axis = 0; axis < HALO_AXES; axis++) {
            pixel.size[axis] = halo_geometry_spacing(g, HALO_AXES - 1 - axis);
        }
        pixel.spaced = true;
        pixel.unit = g->unit;
    }
    return pixel;
}

json_t *app_pixel_json(const app_image *image, const app_spacing *requested)
{
    const app_pixel pixel = app_pixel_of(image, requested);
    int axes = image->domain.axes;
    json_t *sizes = app_fact_reals(pixel.size + HALO_AXES - axes, axes);
    bool known = pixel.unit != HALO_LENGTH_UNKNOWN;
    return json_pack("{s:o, s:s*}", "size", sizes, "unit",
                     known          ? halo_length_name(pixel.unit)
                     : pixel.spaced ? NULL
                                    : "pixels");
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

/* True if somebody could take the spacing of the file for that of the results. */
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

json_t *app_pixel_note(const app_image *image, const app_spacing *requested)
{
    enum { TEXT = 96 };
    char sizes[TEXT];
    const halo_image_geometry *g = &image->info.geometry;
    const app_pixel pixel = app_pixel_of(image, requested);
    int axes = image->domain.axes;
    print_sizes(g, axes, sizes, sizeof sizes);
    if (requested->count > 0 || requested->pixels) {
        return NULL;
    }
    if (pixel.spaced) {
        const char *unit = halo_length_name(pixel.unit);
        return json_sprintf("areas are in %s^%d, centroids and lengths in %s: the spacing in the "
                            "file is %s; --spacing pixels leaves them in pixels",
                            unit, axes, unit, sizes);
    }
    return has_other_spacing(g, axes)
               ? json_sprintf("areas, centroids and lengths are in pixels: the spacing in the file "
                              "has no unit; --spacing %s takes it",
                              sizes)
               : NULL;
}

halo_image_geometry app_spacing_geometry(const app_image *image, const app_spacing *requested)
{
    halo_image_geometry g = image->info.geometry;
    if (requested->count > 0 && g.printed) { /* a length in place of dots an inch */
        g = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    if (requested->unit != HALO_LENGTH_UNKNOWN) {
        g.unit = requested->unit;
    }
    for (int axis = 0; axis < HALO_AXES && requested->count > 0; axis++) {
        g.spacing[axis] = requested->size[HALO_AXES - 1 - axis];
    }
    return g;
}
