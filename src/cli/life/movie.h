#ifndef HALOBEAT_CLI_LIFE_MOVIE_H
#define HALOBEAT_CLI_LIFE_MOVIE_H

#include "cli/life/options.h"
#include "io/canvas/picture.h"
#include "io/movie/movie.h"
#include "kernels/life/life.h"

/* The frames of --frames and --movie. Rank 0 draws all of a movie; frames in files are shared out
 * by rows. */
typedef struct {
    halo_world *world;
    const app_options *given;
    const life_arguments *arguments;
    halo_picture *picture;
    halo_movie *movie; /* rank 0's */
    int64_t *cuts;     /* [ranks + 1], of dot rows */
    int64_t *pixel_cuts;
    int64_t *sums;         /* of this rank's dots */
    unsigned char *pixels; /* of this rank's rows */
    int64_t frames;        /* so far */
} life_film;

/* Local. Are there any frames to make? */
bool life_film_wanted(const life_arguments *arguments);

/* Collective, before any work is done. Can the movie be made, and the frames be put where they
 * shall be? HALO_ARGUMENT, HALO_FILE. */
halo_status life_film_check(halo_world *world, const life_arguments *arguments);

/* Collective. Begin a film of `window`, at the scale asked for or one that gives a picture of handy
 * size, with a frame every so many generations; life_film_end in any case. `film` refers to the
 * world and the options. */
halo_status life_film_begin(life_film *film, halo_world *world, const app_options *given,
                            const life_arguments *arguments, const halo_picture_window *window,
                            int states, int64_t every);

/* Collective. Take the grid's picture. */
halo_status life_film_frame(life_film *film, halo_life *life);

/* Collective. Finish the movie; nothing is left of it if `mine` or a frame is not well. Returns the
 * agreed status. */
halo_status life_film_end(life_film *film, halo_status mine);

#endif
