#ifndef HALOBEAT_APP_SERVICES_LINE_PICTURES_H
#define HALOBEAT_APP_SERVICES_LINE_PICTURES_H

#include "app/services/movie.h"
#include "io/canvas/canvas.h"

/* Movies of lines drawn over the image that a run computes on, which is shown in grey. Rank 0
 * draws.
 */

typedef struct {
    unsigned char *greys; /* pixels of the movie without lines */
    unsigned char *lines; /* red, green, blue of each pixel of the movie: lines only */
} app_line_pictures;

/* Collective. The functions of an app_drawing. The first one shows run->samples, and then calls
 * app_release_samples: the beats must not need them. */
halo_status app_line_pictures_begin(app_run *run);
halo_status app_line_pictures_draw(app_run *run);
void app_line_pictures_end(app_run *run); /* local */

/* The beginning of an app_drawing of this kind, of which the command adds `lines`. */
#define APP_LINE_DRAWING                                                  \
    .bytes = sizeof(app_line_pictures), .begin = app_line_pictures_begin, \
    .draw = app_line_pictures_draw, .end = app_line_pictures_end

#endif
