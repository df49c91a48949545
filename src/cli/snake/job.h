#ifndef HALOBEAT_CLI_SNAKE_JOB_H
#define HALOBEAT_CLI_SNAKE_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "app/services/movie.h"
#include "io/canvas/canvas.h"
#include "io/contour/contours.h"
#include "kernels/snake/snake.h"
#include "partition/cuts.h"

enum {
    SNAKE_INITS = 64,    /* times that --init may be given */
    SNAKE_MIN_POINTS = 3 /* of a contour */
};

/* Circles of a grid seek this before they begin. */
enum { SNAKE_SEEK_ROUND, SNAKE_SEEK_NOTHING };

/* The contours at the beginning. */
typedef struct {
    size_t kind;           /* in the table of init.c */
    const char *text;      /* as it was asked for */
    double x, y, radius;   /* of a circle: pixels */
    int64_t points;        /* of each circle; 0: by the spacing */
    int64_t rows, columns; /* of a grid */
    const char *path;      /* of a polygon's file */
} snake_init;

typedef struct {
    snake_init list[SNAKE_INITS];
    int count;
} snake_inits;

/* Parameters that decide where contours end. Checkpoints store them. */
typedef struct {
    int64_t window;            /* pixels: 3, 5 or 7 */
    const char *order;         /* a name of HALO_SNAKE_ORDER_LIST */
    double alpha, beta, gamma; /* weights of continuity, curvature and gradient */
    bool subpixel;             /* points lie between pixels, too */
    double sigma;              /* of the blur, pixels */
    double floor;              /* grey levels of 255 a pixel */
    double stop_moved;         /* share of the points */
    double stop_distance;      /* pixels */
} snake_parameters;

typedef struct {
    app_arguments all;
    snake_inits inits;
    int seek;       /* SNAKE_SEEK_... */
    double spacing; /* pixels between points to begin with; 0: none was asked for */
    snake_parameters parameters;
    const char *output, *overlay, *gradient; /* or NULL */
} snake_options;

typedef struct {
    halo_partition strips;       /* of the picture as it is read */
    halo_contours contours;      /* where they begin; the same on all ranks */
    int64_t starts[SNAKE_INITS]; /* the first contour of each --init; on rank 0 */
    halo_contour_point *places;  /* [points] where they are, once they were collected; snake_unit
                                  * to a pixel */
    halo_snake *snake;
    halo_snake_progress saved; /* what a checkpoint says of its last beat */
    double gradient_seconds;   /* making the gradient, on this rank */
    int64_t *owned;            /* [ranks] points after the last beat, on rank 0 */
    /* While pictures are written. */
    int64_t steepest; /* of the gradient */
    halo_canvas_pen thin, strong;
} snake_job;

/* Local. Stores one more of a snake_inits. */
app_parse snake_parse_init;

/* Collective. The contours of --init on a picture of run->domain, the same on all ranks: rank 0
 * reads files and computes. HALO_ARGUMENT for contours that do not fit in the picture or have
 * points too close to each other, HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI. */
halo_status snake_make_contours(app_run *run, halo_contours *contours);

/* Collective. Circles of grids move to what is round around them, by the gradient; they are other
 * contours then, of other numbers of points. Errors as above. */
halo_status snake_seek(app_run *run, const halo_field *gradient);

/* Local, the same on all ranks. How the beats went; if a checkpoint has left nothing to do, what
 * that says. */
halo_snake_progress snake_progress(const app_run *run);

/* Collective. Find out where all points are. */
halo_status snake_collect(app_run *run);

/* Local, pure. Places to a pixel. */
static inline int snake_unit(const app_run *run)
{
    const snake_options *asked = run->options;
    return asked->parameters.subpixel ? HALO_SNAKE_SUBPIXELS : 1;
}

/* Local. Free run->samples, unless an output shows its greys: the beats need only the gradient. */
void snake_release_picture(app_run *run);

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
extern const app_drawing snake_drawing;
extern const app_output snake_outputs[];

#endif
