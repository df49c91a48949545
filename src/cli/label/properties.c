#include "cli/label/axes.h"
#include "cli/label/job.h"

#include "base/memory.h"

#include <stdlib.h>
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
static bool are_square(const label_pixel *pixel)
{
    const double *size = pixel->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

bool label_tells(const app_run *run, label_property property)
{
    const label_options *asked = run->options;
    const label_pixel pixel = label_pixel_of(run);
    bool has = (run->domain.axes < HALO_AXES || !properties[property].flat) &&
               (property != LABEL_PERIMETER || are_square(&pixel)) &&
               (property != LABEL_SOLIDITY || !label_is_periodic(run)) &&
               (property != LABEL_CHANNELS || run->image.info.colourful);
    return asked->properties.is[property] || (asked->properties.all && has);
}

bool label_tells_shapes(const app_run *run)
{
    bool any = false;
    for (int i = 0; i < LABEL_CHANNELS; i++) {
        any = any || label_tells(run, (label_property)i);
    }
    return any;
}

static halo_status check_axes(const app_run *run)
{
    const label_options *asked = run->options;
    for (int i = 0; i < LABEL_PROPERTIES && run->domain.axes == HALO_AXES; i++) {
        if (asked->properties.is[i] && properties[i].flat) {
            return halo_fail(HALO_ARGUMENT,
                             "%s is a volume, and --properties %s is for images of two axes; of "
                             "volumes ask for axis_major_length and axis_minor_length, or all",
                             run->image.path, properties[i].name);
        }
    }
    return HALO_OK;
}

halo_status label_check_properties(const app_run *run)
{
    const label_options *asked = run->options;
    const label_pixel pixel = label_pixel_of(run);
    HALO_TRY(check_axes(run));
    if (asked->properties.is[LABEL_PERIMETER] && !are_square(&pixel)) {
        bool given = asked->spacing.count > 0;
        return halo_fail(HALO_ARGUMENT,
                         "the perimeter is estimated from pixels that are as high as wide, and "
                         "%s says %g and %g; ask for other --properties, or all%s",
                         given ? "--spacing" : run->image.path, pixel.size[1], pixel.size[2],
                         given ? "" : ", or use --spacing pixels");
    }
    if (asked->properties.is[LABEL_SOLIDITY] && label_is_periodic(run)) {
        return halo_fail(HALO_ARGUMENT, "--properties solidity is for images without periodic "
                                        "axes; ask for other --properties, or all");
    }
    if (asked->properties.is[LABEL_CHANNELS] && !run->image.info.colourful) {
        return halo_fail(HALO_ARGUMENT,
                         "%s has no colours, and --properties channels is for their red, green and "
                         "blue; leave it out, or ask for all",
                         run->image.path);
    }
    return HALO_OK;
}

/* ---- colours --------------------------------------------------------------------------------- */

halo_status label_find_cuts(const app_run *run, const int64_t *rows, int64_t **cuts)
{
    int ranks = halo_world_ranks(run->world);
    int64_t lines = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    HALO_TRY(HALO_ALLOCATE(*cuts, ranks + 1, "cuts of an image"));
    for (int rank = 0; rank <= ranks; rank++) {
        (*cuts)[rank] = rows[rank] / lines;
    }
    return HALO_OK;
}

halo_status label_find_channels(app_run *run, halo_channels **out, int64_t *count)
{
    const label_job *job = run->job;
    halo_label_channels *channels = NULL;
    int64_t *cuts = NULL;
    app_image colours;
    halo_status status = app_image_open_colours(&colours, &run->image);
    if (status == HALO_OK) {
        status = app_image_check_unchanged(&colours.info, &run->image);
    }
    if (status == HALO_OK) {
        status =
            halo_label_channels_create(&channels, job->label, colours.cell_bits / HALO_CHANNELS);
    }
    if (status == HALO_OK) {
        status =
            halo_agree(run->world, label_find_cuts(run, halo_label_channels_cuts(channels), &cuts));
    }
    if (status == HALO_OK) {
        status = app_image_stream(&colours, cuts, &run->progress, halo_label_channels_take,
                                  channels, &run->clock);
    }
    if (status == HALO_OK) {
        status = halo_label_channels_finish(channels, out, count);
    }
    app_image_close(&colours);
    halo_label_channels_destroy(&channels);
    free(cuts);
    return status;
}
