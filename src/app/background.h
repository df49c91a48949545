#ifndef HALOBEAT_APP_BACKGROUND_H
#define HALOBEAT_APP_BACKGROUND_H

#include "app/frame.h"
#include "io/canvas/canvas.h"

/* The image of a run as the background of a picture: in its colours if its file has any, or if the
 * run computes on colours; the file is read once more for them. In the greys that the run computes
 * on otherwise. Zero-initialise it. */
typedef struct {
    halo_field *colours; /* or NULL */
    const halo_view *view;
    int64_t maximum; /* of its samples */
} app_background;

/* Collective. `greys` is this rank's strip of the samples that were read, by `cuts`; it must
 * outlive the background. app_background_close in any case. Errors as app_image_read_colours. */
halo_status app_background_open(app_background *background, app_run *run, const int64_t *cuts,
                                const halo_view *greys);

/* Local. Paint rows canvas->first_row (of the whole image) and on, which are this rank's. */
void app_background_paint(const app_background *background, const halo_canvas *canvas);

/* Local. */
void app_background_close(app_background *background);

#endif
