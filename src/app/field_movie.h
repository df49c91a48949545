#ifndef HALOBEAT_APP_FIELD_MOVIE_H
#define HALOBEAT_APP_FIELD_MOVIE_H

#include "app/movie.h"
#include "app/stencil/picture.h"

/* Movies of a field of a heartbeat, for commands whose pictures are those of cells. */

typedef struct app_run app_run;

/* Movies of a field of run->beat, as run->shown says. */
extern const app_drawing app_field_drawing;

/* Collective. As stencil_picture_find_range, but one range for all pictures of the run: that of
 * run->shown, once there is one. Reports tell it. */
halo_status app_find_range(app_run *run, stencil_picture *picture);

#endif
