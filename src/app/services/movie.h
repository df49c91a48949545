#ifndef HALOBEAT_APP_SERVICES_MOVIE_H
#define HALOBEAT_APP_SERVICES_MOVIE_H

#include "app/options/shared_options.h"
#include "app/schedule.h"
#include "app/services/dots.h"
#include "app/services/service.h"
#include "core/world/world.h"
#include "io/canvas/canvas.h"
#include "io/movie/movie.h"

#include <stdbool.h>

/* The movie of a run (--movie): palette pixels that rank 0 draws and ffmpeg encodes. */

extern const app_service app_movie_service; /* a command with it tells its app_drawing */

/* Its options, and the beginnings of their rows, for commands whose rows differ in unit, in what
 * they need besides, and in their help. */
typedef struct {
    const char *path;
    int64_t every;             /* beats between pictures; 0: chosen */
    int64_t frames_per_second; /* 0: chosen */
} movie_arguments;

#define APP_MOVIE_ROW(option, kind, member) HALO_OPTION_ROW(movie_arguments, option, kind, member)
#define APP_MOVIE_PATH_ROW                  APP_MOVIE_ROW("movie", OUTPUT, path), .choices = ".gif|.mp4|.png|.apng"
#define APP_EVERY_ROW(counted)              APP_MOVIE_ROW("every", INTEGER, every), .min = 1, .unit = counted
#define APP_FPS_ROW                                                        \
    APP_MOVIE_ROW("fps", INTEGER, frames_per_second), .min = 1, .max = 60, \
                                                      .unit = "pictures per second"

/* Local. The options of a run's movie. */
const movie_arguments *app_movie_arguments(const app_run *run);

/* Local. For the syntax of a command that may go on without end (app_beats.endless): a movie of
 * such a run needs --every. */
app_check app_movie_check_endless;

/* How a command draws pictures. Functions are collective. */
typedef struct {
    bool (*wanted)(const app_run *run);   /* local: true if pictures are needed; NULL:
                                           * with --movie */
    halo_status (*begin)(app_run *run);   /* calls app_dots_create and app_movie_open */
    halo_status (*prepare)(app_run *run); /* before each picture; timed separately */
    halo_status (*draw)(app_run *run);    /* draws the picture into movie.pixels */
    void (*end)(app_run *run);            /* local; called in any case after `begin`; or
                                           * NULL */
    size_t bytes;                         /* size of movie.drawing, which is zeroed */
    /* Local, of lines over the image (app/services/line_pictures.h): draws them in white. */
    halo_status (*lines)(app_run *run, const halo_canvas *canvas, const app_dots *dots);
} app_drawing;

typedef struct {
    halo_world *world;
    const movie_arguments *arguments;
    app_dots dots;         /* of its pictures */
    unsigned char *pixels; /* one byte each, of this rank's rows of dots; NULL if it has none */
    halo_movie *movie;     /* on rank 0 */
    int64_t frames;        /* so far */
    int64_t held;          /* bytes of memory held before it began */
    bool dropped;          /* it could not be written */
    const char *folder;    /* folder of the command's own files of pictures, or NULL */
    bool begun;            /* app_movie_end has something to end */
    void *drawing;         /* data of the command */
    char *part;            /* the name of a movie that goes on with another one, or NULL */
    const char *before;    /* the name of that one, or NULL */
} app_movie;

/* Local. The movie of a run, or NULL: its command makes none. */
app_movie *app_movie_of(const app_run *run);

/* Collective. Allocates the pixels of movie->dots, which app_dots_create has made, and with --movie
 * begins the movie, for which rank 0 has all dots. `palette` [256 * 3] is read on rank 0.
 * HALO_MEMORY, HALO_FILE. */
halo_status app_movie_open(app_movie *movie, const unsigned char *palette);

/* Pictures of the movie as an app_event (app/beats.h), for commands with events of their own.
 * `when` is local, `visit` collective. */
schedule_event app_movie_when(const app_run *run);
halo_status app_movie_visit(app_run *run);

#endif
