#ifndef HALOBEAT_APP_SERVICES_SCREEN_H
#define HALOBEAT_APP_SERVICES_SCREEN_H

#include "app/services/dots.h"
#include "base/status.h"

#include <stdint.h>

/* A small picture of the state in the terminal, each drawn over the last one: --watch, and the last
 * picture of a run without outputs. */

typedef struct app_run app_run;

typedef struct {
    int columns, lines; /* of the terminal; 0: there is none. The same on all ranks */
    bool watched;       /* --watch was given */
    int drawn;          /* lines that the last picture takes */
    double last;        /* seconds when it was drawn */
} app_screen;

/* Collective. Looks whether rank 0 has a terminal as standard output. Under a launcher it is a pipe
 * even when a person watches: there one that is `watched` counts as a terminal, of the size that
 * COLUMNS and LINES say. Returns HALO_ARGUMENT if `watched` and there is no terminal. */
halo_status app_screen_begin(app_run *run, app_screen *screen, bool watched);

/* Local. Returns the scale (see halo_picture_scale_to_fit) at which a picture of width x height
 * cells fits the terminal. */
int app_screen_scale(const app_screen *screen, int64_t width, int64_t height);

/* Local. Is a picture drawn whenever enough time has passed, at no given beats? And has it? */
bool app_screen_is_free(const app_run *run, const app_screen *screen);
bool app_screen_is_old(const app_run *run, const app_screen *screen);

/* Local, on rank 0. Draws the dots, [rows][columns] levels of brightness in `palette` (of
 * io/canvas/picture.h), with a caption; with --every, not before the last picture has been there
 * for its time. HALO_MEMORY. */
halo_status app_screen_draw(app_run *run, app_screen *screen, const app_dots *dots,
                            const unsigned char *levels, const unsigned char *palette,
                            const char *caption);

#endif
