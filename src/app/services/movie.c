#define _GNU_SOURCE /* asprintf */
#include "app/services/movie.h"

#include "app/beats.h"
#include "app/outputs.h"
#include "app/paths/paths.h"
#include "app/run.h"
#include "app/schedule.h"
#include "app/services/checkpoint.h"
#include "app/services/dots.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "base/standard.h"
#include "core/world/memory_ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROBE = 64 /* pixels of a movie that is made to see whether one can be */ };

static halo_movie_options options_of(const movie_arguments *arguments, int64_t width,
                                     int64_t height, const unsigned char *palette)
{
    return (halo_movie_options){.path = arguments->path,
                                .width = (int)width,
                                .height = (int)height,
                                .frames_per_second = (int)arguments->frames_per_second,
                                .palette = palette};
}

app_movie *app_movie_of(const app_run *run)
{
    return app_service_state(run, &app_movie_service);
}

static const app_drawing *drawing_of(const app_run *run)
{
    return app_service_with(run->command, &app_movie_service);
}

const movie_arguments *app_movie_arguments(const app_run *run)
{
    return app_service_options(run, &app_movie_service);
}

halo_status app_movie_check_endless(const app_options *given, void *into)
{
    const app_arguments *arguments = into;
    const movie_arguments *movie = app_options_service(given, &app_movie_service);
    const checkpoint_arguments *state = app_options_service(given, &app_checkpoint_service);
    HALO_FAIL_IF(
        movie->path != NULL && movie->every == 0 && arguments->until.steady &&
            !app_given(given, &arguments->beats) && !app_given(given, &state->until_beat),
        HALO_ARGUMENT,
        "--movie with --until steady needs --every N: how many beats there will be is not known");
    return HALO_OK;
}

/* Can a movie be made? */
static halo_status check_movie(app_run *run)
{
    const movie_arguments *arguments = app_movie_arguments(run);
    halo_status status = HALO_OK;
    if (arguments->path == NULL) {
        return HALO_OK;
    }
    if (app_is_root(run)) {
        halo_movie_options probe = options_of(arguments, PROBE, PROBE, NULL);
        status = halo_movie_check(&probe);
    }
    return halo_agree(run->world, status);
}

static halo_status name_part(app_run *run, app_movie *own)
{
    movie_arguments *movie =
        app_options_of_service(run->command->syntax, run->options, &app_movie_service);
    const char *slash = strrchr(movie->path, '/');
    const char *ending = strrchr(slash != NULL ? slash : movie->path, '.');
    int stem = (int)(ending - movie->path);
    if (asprintf(&own->part, "%.*s-from-%" PRId64 "%s", stem, movie->path, run->first_beat,
                 ending) < 0) {
        own->part = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: the name of a movie");
    }
    own->before = movie->path;
    movie->path = own->part;
    return HALO_OK;
}

/* Movies cannot be appended to: a resumed run writes the rest to another one, NAME-from-BEAT.mp4.
 */
static halo_status open_service(app_run *run)
{
    bool goes_on = app_movie_arguments(run)->path != NULL && app_resumes(run) &&
                   run->first_beat != run->loop->begun;
    return goes_on ? halo_agree(run->world, name_part(run, app_movie_of(run))) : HALO_OK;
}

static int64_t own_height(const app_movie *movie)
{
    int rank = halo_world_rank(movie->world);
    return movie->dots.pixel_cuts[rank + 1] - movie->dots.pixel_cuts[rank];
}

static bool is_written(const app_movie *movie)
{
    return halo_world_rank(movie->world) == 0 && movie->arguments->path != NULL;
}

static halo_status create_pixels(app_movie *movie)
{
    int64_t width = app_dots_width(&movie->dots), height = own_height(movie);
    return height > 0 ? HALO_ALLOCATE_LARGE(movie->pixels, width * height,
                                            "the pixels of a picture (a smaller one takes less)")
                      : HALO_OK;
}

/* Memory that was allocated since the movie began is not touched yet. Pixels go to ffmpeg as a
 * copy. */
static halo_status ask_for_memory(const app_movie *movie)
{
    int64_t copy = is_written(movie) ? app_dots_width(&movie->dots) * own_height(movie) : 0;
    const halo_memory_demand demand = {.more = halo_max(0, halo_memory_held() - movie->held) + copy,
                                       .held = movie->held,
                                       .what = "drawing pictures",
                                       .remedy = "smaller pictures"};
    return halo_memory_ask(movie->world, &demand);
}

static halo_status open_movie(app_movie *movie, const unsigned char *palette)
{
    if (!is_written(movie)) {
        return HALO_OK;
    }
    halo_movie_options options =
        options_of(movie->arguments, app_dots_width(&movie->dots), own_height(movie), palette);
    return halo_movie_open(&movie->movie, &options);
}

halo_status app_movie_open(app_movie *movie, const unsigned char *palette)
{
    HALO_TRY(halo_agree(movie->world, create_pixels(movie)));
    HALO_TRY(ask_for_memory(movie));
    return halo_agree(movie->world, open_movie(movie, palette));
}

static bool is_wanted(const app_run *run)
{
    const app_drawing *drawing = drawing_of(run);
    return drawing->wanted != NULL ? drawing->wanted(run) : app_movie_arguments(run)->path != NULL;
}

static halo_status begin_movie(app_run *run)
{
    app_movie *movie = app_movie_of(run);
    movie->world = run->world;
    movie->arguments = app_movie_arguments(run);
    movie->held = halo_memory_held();
    if (!is_wanted(run)) {
        return HALO_OK;
    }
    const app_drawing *drawing = drawing_of(run);
    movie->begun = true;
    movie->drawing = halo_memory_zeroed(1, drawing->bytes, "a movie");
    HALO_TRY(halo_agree(run->world, movie->drawing != NULL ? HALO_OK : HALO_MEMORY));
    return drawing->begin(run);
}

schedule_event app_movie_when(const app_run *run)
{
    int64_t every = app_movie_arguments(run)->every;
    return (schedule_event){
        .every = !is_wanted(run) ? 0
                 : every > 0     ? every
                                 : schedule_pictures_every(run->last_beat - run->loop->begun),
        .begin = SCHEDULE_ALWAYS,
        .end = true};
}

halo_status app_movie_visit(app_run *run)
{
    const app_drawing *drawing = drawing_of(run);
    app_movie *movie = app_movie_of(run);
    if (movie->dropped) {
        return HALO_OK;
    }
    if (drawing->prepare != NULL) {
        HALO_TRY(drawing->prepare(run));
    }
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = drawing->draw(run);
    if (status == HALO_OK) {
        movie->frames++;
        status = movie->movie != NULL ? halo_movie_frame(movie->movie, movie->pixels,
                                                         (size_t)app_dots_width(&movie->dots))
                                      : HALO_OK;
        status = halo_agree(run->world, status);
    }
    halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    movie->dropped = status == HALO_FILE;
    return app_survive(run, status, "no more pictures are made");
}

/* GIFs of noise take two bytes a pixel and picture, more than anybody expects. */
static void warn_of_size(app_run *run, const char *path)
{
    const int64_t large = INT64_C(50) << 20;
    struct stat file;
    if (halo_name_ends(path, ".gif") && !halo_is_standard(path) && stat(path, &file) == 0 &&
        file.st_size > large) {
        app_warn(run,
                 "%s has %" PRId64 " MB; .mp4 instead of .gif, fewer pictures (--every N), or "
                 "smaller ones, where the command has --scale, make it smaller",
                 path, (int64_t)file.st_size / 1000000);
    }
}

static halo_status end_movie(app_run *run, halo_status mine)
{
    const app_drawing *drawing = drawing_of(run);
    app_movie *movie = app_movie_of(run);
    if (!movie->begun) {
        return mine;
    }
    halo_status closed = movie->dropped ? HALO_FILE : mine;
    if (movie->movie != NULL) {
        closed = halo_movie_close(&movie->movie, closed);
    }
    closed = halo_agree(run->world, closed);
    if (closed == HALO_OK && is_written(movie)) {
        warn_of_size(run, movie->arguments->path);
    }
    if (mine == HALO_OK) {
        mine = app_survive(run, closed, movie->dropped ? NULL : "there is no movie");
        movie->dropped = closed != HALO_OK;
    }
    if (drawing->end != NULL && movie->drawing != NULL) {
        drawing->end(run);
    }
    free(movie->drawing);
    app_dots_destroy(&movie->dots);
    halo_memory_free(movie->pixels);
    *movie = (app_movie){.frames = movie->frames,
                         .dropped = movie->dropped,
                         .folder = movie->folder,
                         .part = movie->part,
                         .before = movie->before};
    return mine;
}

static void take_file(const app_run *run, const app_place *at, app_option_file *file)
{
    const app_movie *movie = app_movie_of(run);
    (void)at;
    if (movie != NULL && movie->dropped) {
        bool drawn = file->path == app_movie_arguments(run)->path || file->path == movie->folder;
        file->lost = file->lost || drawn;
    }
}

/* The movie that this one goes on with stays. */
static halo_status add_files(app_run *run, app_files *files)
{
    const app_movie *movie = app_movie_of(run);
    return app_files_add(files, APP_BESIDE, movie != NULL ? movie->before : NULL);
}

static void close_service(app_run *run)
{
    free(app_movie_of(run)->part);
}

static const app_event movie_event = {.when = app_movie_when, .visit = app_movie_visit};

static const halo_option rows[] = {
    {APP_MOVIE_PATH_ROW, .help = "The beats as a movie (needs ffmpeg)"},
    {APP_EVERY_ROW("beats"), .needs = "movie", .help = "Take a picture every N beats",
     .unless = "as often as makes at most 600"},
    {APP_FPS_ROW, .needs = "movie", .help = "Pictures per second of the movie", .unless = "25"},
    {.type = HALO_OPTION_END}};

const app_service app_movie_service = {.bytes = sizeof(app_movie),
                                       .rows = rows,
                                       .place = app_place_of_results,
                                       .options_bytes = APP_OPTIONS(movie_arguments),
                                       .one_image = true,
                                       .open = open_service,
                                       .file = take_file,
                                       .files = add_files,
                                       .check = check_movie,
                                       .begin = begin_movie,
                                       .event = &movie_event,
                                       .end = end_movie,
                                       .close = close_service};
