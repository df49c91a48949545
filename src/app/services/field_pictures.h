#ifndef HALOBEAT_APP_SERVICES_FIELD_PICTURES_H
#define HALOBEAT_APP_SERVICES_FIELD_PICTURES_H

#include "app/services/movie.h"
#include "app/stencil/picture.h"

/* Pictures of a field of run->beat, for commands whose pictures are those of cells: the service,
 * its state, and the drawing that such a command tells the service of movies. */
extern const app_service app_field_pictures_service;
extern const app_drawing app_field_drawing;

typedef struct {
    stencil_picture_options how; /* how cells are shown; its range once it is found */
    double range[2];             /* the range of colours of the last picture */
    int64_t not_numbers; /* cells of the last picture that are not a number; -1: no picture yet */
} app_field_pictures;

/* Local. The pictures of a run whose command has the service. */
app_field_pictures *app_field_pictures_of(const app_run *run);

/* Collective. As stencil_picture_find_range, but one range for all pictures of the run: that of
 * app_field_pictures.how, once there is one. Reports tell it. */
halo_status app_find_range(app_run *run, stencil_picture *picture);

#endif
