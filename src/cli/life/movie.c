#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/life/job.h"
#include "core/world/collect.h"
#include "io/png/png_parallel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Movies, and the same pictures in files. Rank 0 draws all of a movie; files are shared out by
 * rows. */

enum {
    PATH_SIZE = 4096,
    WIDEST = 2000,     /* pixels of a picture whose cells are smaller than pixels */
    HANDY = 960,       /* pixels of a picture whose cells are larger */
    LARGEST_CELL = 32, /* pixels */
    FAR_APART = 16,    /* generations between pictures */
    MARGIN = 3,        /* cells around those that are alive */
    CLOSE_COLUMNS = 320,
    CLOSE_ROWS = 180 /* cells: each is a few pixels on any screen */
};

typedef struct {
    life_dots dots;
    unsigned char *pixels; /* of this rank's rows, where there is no movie */
} life_movie;

static const life_options *options_of(const app_run *run)
{
    return run->options;
}

static bool is_wanted(const app_run *run)
{
    return options_of(run)->frames != NULL || run->arguments->movie.path != NULL;
}

static halo_status make_folder(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return halo_fail(HALO_FILE, "the folder \"%s\" for the frames cannot be made: %s", path,
                         strerror(errno));
    }
    if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return halo_fail(
            HALO_FILE, "\"%s\" is not a folder, and the frames need one; give another name", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return halo_fail(HALO_FILE, "the folder \"%s\" for the frames cannot be written to: %s",
                         path, strerror(errno));
    }
    return HALO_OK;
}

halo_status life_frames_check(app_run *run)
{
    const char *path = options_of(run)->frames;
    bool makes = path != NULL && halo_world_rank(run->world) == 0;
    return halo_agree(run->world, makes ? make_folder(path) : HALO_OK);
}

/* ---- which cells are shown ------------------------------------------------------------------- */

halo_picture_window life_window(const app_run *run, const halo_life_box *live)
{
    const life_source *source = &((const life_job *)run->job)->source;
    halo_picture_window window = options_of(run)->view.window;
    int64_t lo[HALO_LIFE_AXES], n[HALO_LIFE_AXES], origin[HALO_LIFE_AXES];
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        /* The grid as it began: blocks may have made it larger. */
        bool grows = source->edges[a] == HALO_LIFE_GROW && live->n[a] > 0;
        lo[a] = grows ? live->lo[a] - MARGIN : source->box.lo[a];
        n[a] = grows ? live->n[a] + (int64_t)2 * MARGIN : source->box.n[a];
        origin[a] = halo_life_origin(source->edges[a], source->box.lo[a]);
    }
    if (window.width > 0) {
        window.x += origin[HALO_LIFE_COLUMNS];
        window.y += origin[HALO_LIFE_ROWS];
        return window;
    }
    return (halo_picture_window){.x = lo[HALO_LIFE_COLUMNS],
                                 .y = lo[HALO_LIFE_ROWS],
                                 .width = n[HALO_LIFE_COLUMNS],
                                 .height = n[HALO_LIFE_ROWS]};
}

/* `most` cells around the middle of the pattern, but no further out than the window. Gliders fly
 * far, and with all of their ways in sight nobody would see what sends them. */
static void close_up(const life_source *source, int axis, int64_t most, int64_t *lo, int64_t *n)
{
    int64_t first = source->box.lo[axis], wide = source->box.n[axis];
    most = halo_max(wide + wide / 2, most);
    if (source->edges[axis] == HALO_LIFE_GROW && *n > most) {
        int64_t from = halo_min(first + wide / 2 - most / 2, *lo + *n - most);
        *lo = halo_max(from, *lo);
        *n = most;
    }
}

static halo_status note_seen(app_run *run)
{
    life_job *job = run->job;
    HALO_TRY(life_take_census(run));
    job->seen = halo_life_box_join(&job->seen, &job->census.live);
    return HALO_OK;
}

/* All generations without a result, and back to the grid of `rows`: this rank's, which are kept
 * since files may be pipes, which are read once. */
static halo_status run_ahead(app_run *run, const void *rows, int64_t first, int64_t count)
{
    static const app_event events[] = {{.when = life_period_when, .visit = life_look_for_period},
                                       {.when = life_pictures_when, .visit = note_seen},
                                       {0}};
    life_job *job = run->job;
    size_t pitch = halo_life_row_bytes(job->life);
    progress_phase(&run->progress, "looking ahead");
    job->looks_ahead = true;
    halo_status status = app_run_beats(run, events);
    job->looks_ahead = job->has_kept = false;
    job->memory_message[0] = '\0';
    run->beats_seconds = 0;
    HALO_TRY(status);
    halo_life_destroy(&job->life);
    HALO_TRY(life_create_grid(run));
    HALO_TRY(halo_agree(run->world, halo_life_put_rows(job->life, first, count, rows, pitch)));
    halo_life_set_generation(job->life, run->first_beat);
    return HALO_OK;
}

/* Find out which cells of a plane are ever alive. */
static halo_status look_ahead(app_run *run)
{
    const life_job *job = run->job;
    int rank = halo_world_rank(run->world);
    void *rows = NULL;
    HALO_TRY(halo_life_stage(job->life));
    int64_t first = halo_life_cuts(job->life)[rank];
    int64_t count = halo_life_cuts(job->life)[rank + 1] - first;
    size_t pitch = halo_life_row_bytes(job->life);
    halo_status status = halo_memory_create(&rows, (size_t)count * pitch,
                                            "the first generation (--view makes it unnecessary)");
    if (status == HALO_OK) {
        status = halo_life_get_rows(job->life, first, count, rows, pitch);
    }
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        status = run_ahead(run, rows, first, count);
    }
    halo_memory_free(rows);
    return status;
}

static halo_status choose_window(app_run *run, halo_picture_window *window)
{
    life_job *job = run->job;
    const life_source *source = &job->source;
    const life_view *view = &options_of(run)->view;
    bool asked = view->window.width > 0;
    if (!asked && (source->edges[0] == HALO_LIFE_GROW || source->edges[1] == HALO_LIFE_GROW)) {
        HALO_TRY(look_ahead(run));
    }
    *window = life_window(run, &job->seen);
    if (!asked && !view->all) {
        close_up(source, HALO_LIFE_COLUMNS, CLOSE_COLUMNS, &window->x, &window->width);
        close_up(source, HALO_LIFE_ROWS, CLOSE_ROWS, &window->y, &window->height);
    }
    return HALO_OK;
}

/* ---- the pictures ---------------------------------------------------------------------------- */

static int handy_scale(const halo_picture_window *window)
{
    bool wide = halo_max(window->width, window->height) > HANDY;
    int side = wide ? WIDEST : HANDY;
    return halo_picture_scale_to_fit(window->width, window->height, side, side,
                                     wide ? 1 : LARGEST_CELL);
}

/* Trails of cells that died many generations ago would lead nowhere. */
static halo_picture_style choose_style(const app_run *run)
{
    const int *asked = &options_of(run)->style;
    return app_was_given(run, asked) || life_pictures_when(run).every <= FAR_APART
               ? (halo_picture_style)*asked
               : HALO_PICTURE_PLAIN;
}

static halo_status create_pixels(const app_run *run, life_movie *drawing)
{
    int rank = halo_world_rank(run->world);
    int64_t rows = drawing->dots.pixel_cuts[rank + 1] - drawing->dots.pixel_cuts[rank];
    void *pixels;
    HALO_TRY(halo_memory_create(
        &pixels, (size_t)rows * (size_t)halo_picture_pixels(drawing->dots.picture).columns,
        "the pixels of a picture (--scale 1/N makes it smaller)"));
    drawing->pixels = pixels;
    return HALO_OK;
}

static halo_status begin(app_run *run)
{
    const life_options *asked = options_of(run);
    const bool movie = run->arguments->movie.path != NULL;
    life_movie *drawing = run->movie.drawing = calloc(1, sizeof *drawing);
    HALO_TRY(halo_agree(
        run->world, drawing != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a movie")));
    halo_picture_options options = {.states = ((life_job *)run->job)->source.rule.states,
                                    .style = choose_style(run)};
    HALO_TRY(choose_window(run, &options.window));
    options.scale = asked->scale != 0 ? asked->scale : handy_scale(&options.window);
    HALO_TRY(life_dots_create(&drawing->dots, run, &options, !movie));
    if (!movie) {
        return halo_agree(run->world, create_pixels(run, drawing));
    }
    halo_picture_size size = halo_picture_pixels(drawing->dots.picture);
    return app_movie_open(&run->movie, size.columns, size.rows,
                          halo_picture_palette(drawing->dots.picture));
}

static halo_status prepare(app_run *run)
{
    return halo_life_stage(((life_job *)run->job)->life);
}

static unsigned char *pixels_of(const app_run *run)
{
    const life_movie *drawing = run->movie.drawing;
    return drawing->pixels != NULL ? drawing->pixels : run->movie.pixels;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const life_dots *dots = &((life_movie *)run->movie.drawing)->dots;
    size_t width = (size_t)halo_picture_pixels(dots->picture).columns;
    int64_t mine = dots->pixel_cuts[halo_world_rank(run->world)];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, pixels_of(run) + (size_t)(first - mine + i) * width,
               width);
    }
    return HALO_OK;
}

static halo_status write_frame(app_run *run, const life_dots *dots)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/frame-%06" PRId64 ".png", options_of(run)->frames,
                          app_beats_done(run));
    if (length >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "the name of the folder for the frames is too long");
    }
    halo_picture_size size = halo_picture_pixels(dots->picture);
    const halo_png_header header = {.width = size.columns,
                                    .height = size.rows,
                                    .kind = HALO_PNG_PALETTE,
                                    .palette = halo_picture_palette(dots->picture),
                                    .colours = HALO_PICTURE_COLOURS};
    const halo_rows rows = {.fill = fill_rows, .context = run};
    return halo_png_write(run->world, path, &header, dots->pixel_cuts, &rows);
}

static halo_status draw(app_run *run)
{
    life_dots *dots = &((life_movie *)run->movie.drawing)->dots;
    int rank = halo_world_rank(run->world);
    int64_t rows = dots->cuts[rank + 1] - dots->cuts[rank];
    HALO_TRY(life_dots_collect(dots, run));
    if (rows > 0) {
        halo_picture_draw(dots->picture, dots->cuts[rank], rows, dots->sums, pixels_of(run),
                          (size_t)halo_picture_pixels(dots->picture).columns);
    }
    return options_of(run)->frames != NULL ? write_frame(run, dots) : HALO_OK;
}

static void end(app_run *run)
{
    life_movie *drawing = run->movie.drawing;
    if (drawing != NULL) {
        life_dots_destroy(&drawing->dots);
        halo_memory_free(drawing->pixels);
    }
    free(drawing);
    run->movie.drawing = NULL;
}

const app_drawing life_drawing = {
    .wanted = is_wanted, .begin = begin, .prepare = prepare, .draw = draw, .end = end};
