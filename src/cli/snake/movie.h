#ifndef HALOBEAT_CLI_SNAKE_MOVIE_H
#define HALOBEAT_CLI_SNAKE_MOVIE_H

#include "app/image.h"
#include "io/contour/contours.h"
#include "io/movie/movie.h"

/* The pictures of --movie: contours on the picture in grey, at a handy size. Rank 0 draws.
 * Zero-initialise it. */
typedef struct {
    halo_world *world;
    int64_t enlarge, reduce; /* one of them is 1 */
    int64_t columns, rows;   /* pixels of the picture as it is reduced, before it is enlarged */
    unsigned char *greys;    /* [rows * columns] of those */
    unsigned char *lines;    /* rank 0's: red, green, blue of each pixel of a frame: lines only */
    unsigned char *pixels;   /* rank 0's: a frame, as indices into the palette */
    halo_movie *movie;       /* rank 0's */
    int64_t frames;          /* so far */
} snake_film;

typedef struct {
    const char *path;
    int frames_per_second; /* 0: usual */
} snake_film_options;

/* Collective, before any work is done. Can the movie be made? HALO_ARGUMENT, HALO_FILE. */
halo_status snake_film_check(halo_world *world, const snake_film_options *options);

/* Collective. Begin a film of the picture `image` in `view`; snake_film_end in any case. */
halo_status snake_film_begin(snake_film *film, const cli_image *image, const halo_view *view,
                             const snake_film_options *options);

/* Collective. Take a picture of the contours at `places`, which only rank 0 needs. */
halo_status snake_film_frame(snake_film *film, const halo_contours *contours,
                             const halo_contour_point *places);

/* Collective. Finish the movie; nothing is left of it if `mine` or a frame is not well. Returns the
 * agreed status. Accepts one that was never begun, if nobody has begun it. */
halo_status snake_film_end(snake_film *film, halo_status mine);

#endif
