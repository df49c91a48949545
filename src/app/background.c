#include "app/background.h"

halo_status app_background_open(app_background *background, app_run *run, const int64_t *cuts,
                                const halo_view *greys)
{
    const app_image *image = &run->image;
    *background = (app_background){.view = greys, .maximum = image->maximum};
    if (!image->colourful && !image->options.colour) {
        return HALO_OK;
    }
    HALO_TRY(app_image_read_colours(image, cuts, &background->colours, &background->maximum,
                                    &run->progress, &run->clock));
    background->view = halo_field_view(background->colours);
    return HALO_OK;
}

void app_background_paint(const app_background *background, const halo_canvas *canvas)
{
    const halo_view *view = background->view;
    halo_canvas_fill_picture(canvas, halo_row(view, canvas->first_row - view->owned.lo[0]),
                             (size_t)view->stride[0], view->cell_bits, background->maximum);
}

void app_background_close(app_background *background)
{
    halo_field_destroy(&background->colours);
}
