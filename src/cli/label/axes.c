#include "app/batch/batch.h"
#include "app/options/values.h"
#include "app/paths/planes.h"
#include "base/names.h"
#include "cli/label/job.h"
#include "io/array/array_write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What concerns axes and values of images and volumes. */

halo_status label_parse_axes(const char *text, void *into)
{
    label_axes *axes = into;
    int named = app_scan_axes(text);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        axes->is[axis] = named >= 0 && (named >> (HALO_AXES - 1 - axis) & 1) != 0;
    }
    return named >= 0 ? HALO_OK : HALO_ARGUMENT;
}

halo_status label_parse_background(const char *text, void *into)
{
    enum { WHITE = 100 };
    label_background *background = into;
    bool white = strcmp(text, "white") == 0;
    *background = (label_background){.none = strcmp(text, "none") == 0};
    if (white || strcmp(text, "black") == 0) {
        background->in_name = true;
        background->ground = (halo_image_ground){white ? WHITE : 0, true};
        return HALO_OK;
    }
    if (background->none) {
        return HALO_OK;
    }
    bool good = halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &background->value);
    background->in_name = good && *text == '%';
    background->ground = (halo_image_ground){background->value.value, background->in_name};
    text += background->in_name;
    bool fits =
        !background->in_name || (background->value.value >= 0 && background->value.value <= WHITE);
    return good && fits && *text == '\0' && isfinite(background->value.value) ? HALO_OK
                                                                              : HALO_ARGUMENT;
}

halo_status label_parse_delta(const char *text, void *into)
{
    halo_number *delta = into;
    return halo_scan_exact(&text, 0, HUGE_VAL, delta) && *text == '\0' && isfinite(delta->value)
               ? HALO_OK
               : HALO_ARGUMENT;
}

json_t *label_ground_text(const app_run *run)
{
    const halo_image_ground *ground = &((const label_options *)run->options)->background.ground;
    uint32_t maximum = (uint32_t)run->image->maximum, grey = halo_ground_grey(ground, maximum);
    return grey == 0         ? json_string("black")
           : grey == maximum ? json_string("white")
                             : json_sprintf("grey %u", (unsigned)grey);
}

bool label_is_periodic(const app_run *run)
{
    const bool *periodic = run->domain.periodic;
    return periodic[0] || periodic[1] || periodic[2];
}

void label_add_texts(const app_run *run, json_t *texts)
{
    const label_options *asked = run->options;
    const label_background *background = &asked->background;
    if (label_is_periodic(run)) {
        char axes[APP_AXES_TEXT];
        app_print_periodic(&run->domain, ", ", axes);
        json_object_set_new(texts, "periodic_axes", json_string(axes));
    }
    label_add_lengths(run, texts);
    if (!asked->values) {
        json_object_set_new(texts, "threshold_source",
                            json_string(cli_threshold_source(&asked->threshold)));
    } else if (background->none) {
        json_object_set_new(texts, "values_of", json_string("all"));
    } else {
        char value[HALO_NUMBER_TEXT];
        halo_number_print(&background->value, value);
        json_object_set_new(texts, "values_of", json_sprintf("all but %s", value));
    }
}

/* What is given for nothing is a mistake; but of many images some may be transparent. */
static halo_status check_ground(const app_run *run)
{
    const label_options *asked = run->options;
    const halo_image_ground *ground = &asked->background.ground;
    if (asked->values || !app_was_given(run, &asked->background)) {
        return HALO_OK;
    }
    if (!run->image->info.alpha && !app_is_one_of_many(run)) {
        return halo_fail(HALO_ARGUMENT,
                         "%s has no transparent pixels for --background; leave it out, or add "
                         "--values if pixels of that value are to be no region",
                         run->image->path);
    }
    if (!ground->percent) {
        HALO_TRY(cli_threshold_check_share("--background", ground->value, run->image->maximum));
    }
    return ground->percent || ground->value <= (double)run->image->maximum
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--background %g is beyond this image's samples, which go from 0 to "
                           "%" PRId64,
                           ground->value, run->image->maximum);
}

/* Formats of arrays have all planes in one file, but those of pictures have not. */
static bool is_flat(const char *path)
{
    return path != NULL && !halo_array_holds(path, HALO_NPY_U8, 3) && !app_planes_are_named(path);
}

static halo_status check_flat(const app_run *run)
{
    const label_options *asked = run->options;
    const char *path = run->image->path;
    if (app_planes_are_named(asked->output) || app_planes_are_named(asked->colour)) {
        return halo_fail(HALO_ARGUMENT,
                         "%s is an image of one plane, and \"%s\" stands for a file a plane; leave "
                         "out the place for a number",
                         path, app_planes_are_named(asked->output) ? asked->output : asked->colour);
    }
    return asked->axes.is[0] ? halo_fail(HALO_ARGUMENT,
                                         "%s is an image without an axis z; --periodic-axes can be "
                                         "y, x, or y,x",
                                         path)
                             : HALO_OK;
}

halo_status label_check_image(const app_run *run)
{
    const label_options *asked = run->options;
    bool usual = !asked->background.none && asked->background.value.value >= 0 &&
                 asked->background.value.value <= 0;
    if (asked->values && label_value_type(run) == HALO_LABEL_ALIKE && !usual) {
        return halo_fail(HALO_ARGUMENT,
                         "%s has pixels of one bit, whose background is 0; leave out --background, "
                         "or save them as uint8",
                         run->image->path);
    }
    HALO_TRY(check_ground(run));
    HALO_TRY(label_check_measures(run));
    HALO_TRY(label_check_samples(run));
    if (run->domain.axes != HALO_AXES) {
        return check_flat(run);
    }
    if (asked->spacing.count == 2) {
        return halo_fail(HALO_ARGUMENT,
                         "%s is a volume, and --spacing %g,%g has no distance between its planes; "
                         "give three numbers: planes, rows, columns",
                         run->image->path, asked->spacing.size[1], asked->spacing.size[2]);
    }
    if (is_flat(asked->output) || (asked->colour != NULL && !app_planes_are_named(asked->colour))) {
        return halo_fail(HALO_ARGUMENT,
                         "%s is a volume, whose labels are no picture; use a name such as "
                         "labels-%%04d.png for a file a plane, or -o FILE.tif, .npy, .mha or .raw",
                         run->image->path);
    }
    return HALO_OK;
}
