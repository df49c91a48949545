#ifndef HALOBEAT_APP_MOVIE_H
#define HALOBEAT_APP_MOVIE_H

#include "app/shared_options.h"
#include "core/world/world.h"
#include "io/movie/movie.h"

#include <stdbool.h>

/* The movie of a run (--movie): palette pixels that rank 0 draws and ffmpeg compresses. */

struct app_run;

/* What a command draws. Collective. */
typedef struct {
    bool (*wanted)(const struct app_run *run);   /* local; NULL: if there is --movie */
    halo_status (*begin)(struct app_run *run);   /* calls app_movie_open, if there is --movie */
    halo_status (*prepare)(struct app_run *run); /* before each picture; its time is its own */
    halo_status (*draw)(struct app_run *run);    /* the picture, into movie.pixels of rank 0 */
    void (*end)(struct app_run *run);            /* local; in any case, after `begin` */
} app_drawing;

typedef struct {
    halo_world *world;
    const movie_arguments *arguments;
    int64_t width, height; /* pixels */
    unsigned char *pixels; /* [height * width], rank 0's; NULL elsewhere */
    halo_movie *movie;     /* rank 0's */
    int64_t frames;        /* so far */
    bool begun;            /* is there anything to end? */
    void *drawing;         /* what is drawn with; the command's */
} app_movie;

/* A picture of `columns` x `rows` cells at a handy size: cells are squares of `enlarge` pixels, or
 * `reduce` x `reduce` cells are one pixel; one of the two is 1. What is a cell or such a square is
 * a dot. */
typedef struct {
    int enlarge, reduce;
    int64_t columns, rows; /* of dots */
    int64_t cells[2];      /* rows, columns: of the picture */
} app_dots;

/* Local. The longer side becomes at most 960 pixels, and a cell at most `largest`. */
app_dots app_dots_fit(int64_t columns, int64_t rows, int largest);

/* Local. Cells in the dot of this row and column: those at the far edges may have fewer. */
int64_t app_dots_cells(const app_dots *dots, int64_t row, int64_t column);

/* Collective, before any work is done. Can the movie be made? HALO_ARGUMENT, HALO_FILE. */
halo_status app_movie_check(halo_world *world, const movie_arguments *arguments);

/* Collective. Begin the movie on rank 0, with pixels of this size and palette ([256 * 3], read on
 * rank 0). */
halo_status app_movie_open(app_movie *movie, int64_t width, int64_t height,
                           const unsigned char *palette);

/* The frame's: begin what is wanted; end it after beats that came to `mine`. */
halo_status app_movie_begin(struct app_run *run);
halo_status app_movie_end(struct app_run *run, halo_status mine);

#endif
