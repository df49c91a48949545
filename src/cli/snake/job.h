#ifndef HALOBEAT_CLI_SNAKE_JOB_H
#define HALOBEAT_CLI_SNAKE_JOB_H

#include "app/balance.h"
#include "app/image.h"
#include "app/run_loop.h"
#include "cli/snake/checkpoint.h"
#include "cli/snake/movie.h"
#include "cli/snake/options.h"
#include "kernels/snake/snake.h"
#include "partition/cuts.h"

/* `halobeat snake` from the files to the files: read, blur and differentiate, beat, write. */
typedef struct {
    halo_world *world;
    cli_balance *balance;
    app_options *given;
    const snake_arguments *arguments;
    cli_image image;
    halo_partition strips;      /* of the picture as it is read */
    halo_field *picture;        /* cut so; NULL once nobody needs it */
    halo_contours contours;     /* where they begin; the same on all ranks */
    snake_saved saved;          /* what a checkpoint said */
    halo_contour_point *places; /* [points] where they are, once they were collected */
    halo_snake *snake;
    cli_course course;
    snake_film film;
    progress progress;

    /* How it went. */
    double field_seconds; /* making the gradient, on this rank */
    halo_clock clock;     /* all but the beats, which have their own */
    double seconds;       /* the whole job, on this rank */
} snake_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to all that it is given. */
halo_status snake_job_run(snake_job *job, halo_world *world, cli_balance *balance,
                          app_options *given, const snake_arguments *arguments);

/* Local. */
void snake_job_free(snake_job *job);

/* Local, the same on all ranks. How the beats went, and how they ended in words; a run that a
 * checkpoint has left nothing to do for is what that says. */
halo_snake_progress snake_job_progress(const snake_job *job);
const char *snake_job_ending(const snake_job *job);

#endif
