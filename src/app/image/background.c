#include "app/frame_internal.h"
#include "app/image/image.h"
#include "core/beat/beat.h"
#include "io/canvas/canvas.h"

#include <inttypes.h>

/* The picture that a run computes on, behind what it draws. */

halo_status app_image_open_colours(app_image *image, const app_image *first)
{
    const app_image_options options = {.want = HALO_IMAGE_COLOURS,
                                       .ground = first->options.ground,
                                       .nodata = first->options.nodata,
                                       .fill = first->options.fill,
                                       .as_stored = first->options.as_stored,
                                       .follow_links = first->options.follow_links,
                                       .raw = first->options.raw,
                                       .choices = first->options.choices,
                                       .slices = first->options.slices,
                                       .slice_count = first->options.slice_count,
                                       .volumes = first->options.volumes,
                                       .narrow = first->options.narrow,
                                       .solid = first->options.solid};
    HALO_TRY(app_image_open(image, first->run, first->path, &options));
    if (image->domain.n[0] == first->domain.n[0] && image->domain.n[1] == first->domain.n[1] &&
        image->domain.n[2] == first->domain.n[2]) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s has become another picture while it was being used, of %" PRId64
                     " x %" PRId64 " pixels and not %" PRId64 " x %" PRId64 "; begin again",
                     image->path, image->domain.n[1], image->domain.n[0], first->domain.n[1],
                     first->domain.n[0]);
}

static bool has_colours(const app_image *image)
{
    return image->info.colourful || image->options.want == HALO_IMAGE_COLOURS;
}

halo_status app_background_open(app_run *run, bool in_colours)
{
    app_background *background = &run->writing->background;
    const app_image *image = run->image;
    const int64_t *cuts = app_cuts(run);
    app_image again;
    if (background->colours != NULL) {
        return HALO_OK;
    }
    *background = (app_background){.maximum = image->maximum};
    if (run->samples != NULL) {
        background->view = halo_field_view(run->samples);
    } else if (run->beat != NULL) {
        background->view = halo_beat_view(run->beat, run->command->image_field);
    }
    if (!in_colours || !has_colours(image)) {
        return HALO_OK;
    }
    halo_status status = app_image_open_colours(&again, image);
    if (status == HALO_OK) {
        status =
            halo_agree(image->world, app_image_create_field(&again, cuts, &background->colours));
    }
    if (status == HALO_OK) {
        background->maximum = again.maximum;
        background->view = halo_field_view(background->colours);
        status =
            app_image_read(&again, cuts, background->view, &run->progress, NULL, NULL, &run->clock);
    }
    app_image_close(&again);
    return status;
}

bool app_samples_are_shown(const app_run *run)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        bool draws = output->paint != NULL || output->colours;
        bool in_colours = output->colours && has_colours(run->image);
        if (draws && !in_colours && app_output_path(run, output) != NULL) {
            return true;
        }
    }
    return false;
}

void app_release_samples(app_run *run)
{
    if (!app_samples_are_shown(run)) {
        halo_field_destroy(&run->samples);
    }
}

void app_background_paint(const app_background *background, const halo_canvas *canvas)
{
    const halo_view *view = background->view;
    halo_canvas_fill_picture(canvas, halo_row(view, canvas->first_row - view->owned.lo[0]),
                             (size_t)view->stride[0], view->cell_bits, background->maximum);
}
