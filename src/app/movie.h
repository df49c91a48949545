#ifndef HALOBEAT_APP_MOVIE_H
#define HALOBEAT_APP_MOVIE_H

#include "app/dots.h"
#include "app/shared_options.h"
#include "core/world/world.h"
#include "io/movie/movie.h"

#include <stdbool.h>

/* The movie of a run (--movie): palette pixels that rank 0 draws and ffmpeg compresses. */

struct app_run;

/* What a command draws. Collective. */
typedef struct {
    bool (*wanted)(const struct app_run *run);   /* local; NULL: if there is --movie */
    halo_status (*begin)(struct app_run *run);   /* calls app_dots_create and app_movie_open */
    halo_status (*prepare)(struct app_run *run); /* before each picture; its time is its own */
    halo_status (*draw)(struct app_run *run);    /* the picture, into movie.pixels */
    void (*end)(struct app_run *run);            /* local; in any case, after `begin`; or NULL */
    size_t bytes;                                /* of movie.drawing, zeroed */
} app_drawing;

typedef struct {
    halo_world *world;
    const movie_arguments *arguments;
    app_dots dots;         /* of its pictures */
    unsigned char *pixels; /* a byte each, of this rank's rows of dots; NULL where it has none */
    halo_movie *movie;     /* rank 0's */
    int64_t frames;        /* so far */
    int64_t held;          /* bytes of memory before it began */
    bool dropped;          /* it could not be written */
    const char *folder;    /* the command's own files of pictures, or NULL */
    bool begun;            /* is there anything to end? */
    void *drawing;         /* what the command draws with */
} app_movie;

/* Collective, before any work is done. Can the movie be made? HALO_ARGUMENT, HALO_FILE. */
halo_status app_movie_check(halo_world *world, const movie_arguments *arguments);

/* Local. A movie cannot be added to: a resumed run makes another one, movie-from-BEAT.mp4, of what
 * follows. HALO_MEMORY. */
halo_status app_movie_name_part(struct app_run *run);

/* Collective. Make room for the pixels of movie->dots, which app_dots_create has made, and begin
 * the movie, if there is --movie: rank 0 has all dots of one. `palette` is [256 * 3], read on rank
 * 0. HALO_MEMORY, HALO_FILE. */
halo_status app_movie_open(app_movie *movie, const unsigned char *palette);

/* The frame's: begin what is wanted; end it after beats that came to `mine`. */
halo_status app_movie_begin(struct app_run *run);
halo_status app_movie_end(struct app_run *run, halo_status mine);

#endif
