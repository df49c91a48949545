#ifndef HALOBEAT_CLI_SNAKE_JOB_H
#define HALOBEAT_CLI_SNAKE_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "app/services/movie.h"
#include "io/contour/contours_draw.h"
#include "io/contour/contours_shapes.h"
#include "kernels/snake/snake.h"
#include "partition/cuts.h"

enum { SNAKE_MIN_POINTS = 3 /* of a contour */ };

/* Circles of a grid seek this before they begin. */
enum { SNAKE_SEEK_ROUND, SNAKE_SEEK_NOTHING };

typedef struct {
    app_arguments all;
    halo_contours_shapes inits;
    int seek;                 /* SNAKE_SEEK_... */
    double spacing;           /* pixels between points to begin with; 0: none was asked for */
    halo_snake_options snake; /* what moves the contours; checkpoints store it */
    double sigma;             /* of the blur, pixels */
    const char *output, *overlay, *gradient; /* or NULL */
} snake_options;

typedef struct {
    halo_partition strips;                /* of the picture as it is read */
    halo_contours contours;               /* where they begin; the same on all ranks */
    int64_t starts[HALO_CONTOURS_SHAPES]; /* the first contour of each --init; on rank 0 */
    halo_contour_point *places; /* [points] where they are, once they were collected; snake_unit
                                 * to a pixel */
    halo_snake *snake;
    halo_snake_progress saved; /* what a checkpoint says of its last beat */
    double gradient_seconds;   /* making the gradient, on this rank */
    int64_t *owned;            /* [ranks] points after the last beat, on rank 0 */
    /* While pictures are written. */
    int64_t steepest; /* of the gradient */
    halo_contours_pens pens;
} snake_job;

/* Local, the same on all ranks. How the beats went; if a checkpoint has left nothing to do, what
 * that says. */
halo_snake_progress snake_progress(const app_run *run);

/* Collective. Find out where all points are. */
halo_status snake_collect(app_run *run);

/* Local, pure. Places to a pixel. */
static inline int snake_unit(const app_run *run)
{
    const snake_options *requested = run->options;
    return requested->snake.subpixel ? HALO_SNAKE_SUBPIXELS : 1;
}

/* Hooks of the command: collective, but the last, which is local. */
halo_status snake_open(app_run *run);
halo_status snake_create(app_run *run);
void snake_needs(const app_run *run, app_needs *needs);
halo_status snake_read(app_run *run);
halo_status snake_begin(app_run *run);
halo_status snake_end(app_run *run);
void snake_destroy(app_run *run);

extern const app_beats snake_beats;
extern const app_state snake_state;

#endif
