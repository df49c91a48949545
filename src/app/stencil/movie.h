#ifndef HALOBEAT_APP_STENCIL_MOVIE_H
#define HALOBEAT_APP_STENCIL_MOVIE_H

#include "app/movie_options.h"
#include "app/stencil/picture.h"
#include "io/movie/movie.h"

/* The pictures of --movie: cells larger than a pixel, or several of them a pixel, at a handy size.
 * Rank 0 draws. Zero-initialise it. */
typedef struct {
    run_picture picture;
    const movie_arguments *arguments;
    int pixels_a_cell, cells_a_pixel; /* one of them is 1 */
    int64_t columns, rows;            /* of dots: cells or squares of them */
    int64_t *sums;                    /* of the dots' greys */
    unsigned char *pixels;            /* rank 0's */
    halo_movie *movie;                /* rank 0's */
    int64_t frames;                   /* so far */
} run_film;

/* Collective, before any work is done. Can the movie be made? HALO_ARGUMENT, HALO_FILE. */
halo_status run_film_check(halo_world *world, const movie_arguments *arguments);

/* Collective. Begin a film; run_film_end in any case. `film` refers to what it is given. */
halo_status run_film_begin(run_film *film, const run_picture *picture,
                           const movie_arguments *arguments);

/* Collective. Take the cells' picture. */
halo_status run_film_frame(run_film *film, const halo_beat *beat);

/* Collective. Finish the movie; nothing is left of it if `mine` or a frame is not well. Returns the
 * agreed status. Accepts one that was never begun, if nobody has begun it. */
halo_status run_film_end(run_film *film, halo_status mine);

#endif
