#include "app/services/movie.h"
#include "app/beats.h"
#include "app/options/kept.h"
#include "app/services/checkpoint.h"
#include "app/services/dots.h"
#include "app/services/screen.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/life/job.h"
#include "io/array/png_parallel.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Movies, and the same pictures in files. Rank 0 draws all of a movie; files are shared out by
 * rows. */

enum {
    PATH_SIZE = 4096,
    MAX_SIDE = 2000, /* pixels of a picture whose cells are smaller than pixels */
    MAX_CELL = 32,   /* pixels */
    FAR_APART = 16,  /* generations between pictures */
    VIEW = 4         /* numbers of a window */
};

/* A picture of cells of the grid. */
typedef struct {
    halo_picture *picture; /* of the cells in */
    halo_picture_window window;
    halo_life *life;
} life_picture;

static bool is_wanted(const app_run *run)
{
    return life_options_of(run)->frames != NULL || app_movie_arguments(run)->path != NULL;
}

/* ---- a picture of the grid ------------------------------------------------------------------- */

static halo_picture_window window_of(const halo_life_box *box)
{
    return (halo_picture_window){.x = box->lo[HALO_LIFE_COLUMNS],
                                 .y = box->lo[HALO_LIFE_ROWS],
                                 .width = box->n[HALO_LIFE_COLUMNS],
                                 .height = box->n[HALO_LIFE_ROWS]};
}

/* Finds the window of --view; its places count as users count. False: no such cells. */
static bool find_requested(const app_run *run, halo_picture_window *window)
{
    const life_source *source = &((const life_job *)run->job)->source;
    *window = life_options_of(run)->view.window;
    window->x +=
        halo_life_origin(source->edges[HALO_LIFE_COLUMNS], source->box.lo[HALO_LIFE_COLUMNS]);
    window->y += halo_life_origin(source->edges[HALO_LIFE_ROWS], source->box.lo[HALO_LIFE_ROWS]);
    return window->width > 0;
}

static halo_picture_window window_to_show(const app_run *run, const halo_life_box *live)
{
    const life_source *source = &((const life_job *)run->job)->source;
    const halo_life_box view = halo_life_view(source->edges, &source->box, live);
    halo_picture_window window;
    return find_requested(run, &window) ? window : window_of(&view);
}

static halo_status create_picture(life_picture *picture, app_dots *dots, app_run *run,
                                  const halo_picture_options *options, bool shared)
{
    *picture = (life_picture){.life = ((life_job *)run->job)->life, .window = options->window};
    HALO_TRY(halo_agree(run->world, halo_picture_create(&picture->picture, options)));
    return app_dots_create(dots, run->world, options->window.height, options->window.width,
                           options->scale, shared);
}

/* This rank's cells, a chunk of rows at a time. */
static halo_status add_cells(void *context, const app_dots *dots, int64_t first, int64_t *sums)
{
    enum { CHUNK_BYTES = 1 << 20 };
    const life_picture *picture = context;
    const halo_life_box grid = halo_life_size(picture->life);
    const int64_t *own = halo_life_cuts(picture->life) + halo_world_rank(dots->world);
    size_t pitch = halo_life_row_bytes(picture->life);
    int64_t chunk_rows = CHUNK_BYTES / (int64_t)pitch + 1;
    void *chunk;
    HALO_TRY(halo_memory_create(&chunk, (size_t)chunk_rows * pitch, "a chunk of rows"));
    halo_status status = HALO_OK;
    for (int64_t y = own[0]; y < own[1] && status == HALO_OK; y += chunk_rows) {
        const halo_picture_cells cells = {.x = grid.lo[HALO_LIFE_COLUMNS],
                                          .y = grid.lo[HALO_LIFE_ROWS] + y,
                                          .width = grid.n[HALO_LIFE_COLUMNS],
                                          .rows = halo_min(own[1] - y, chunk_rows),
                                          .cells = chunk,
                                          .pitch = pitch};
        status = halo_life_get_rows(picture->life, y, cells.rows, chunk, pitch);
        if (status == HALO_OK) {
            halo_picture_add(picture->picture, &cells, first, sums);
        }
    }
    halo_memory_free(chunk);
    return status;
}

static halo_status collect_picture(life_picture *picture, app_dots *dots)
{
    const int64_t *own = halo_life_cuts(picture->life) + halo_world_rank(dots->world);
    int64_t top = halo_life_size(picture->life).lo[HALO_LIFE_ROWS] - picture->window.y;
    return app_dots_collect(dots, top + own[0], own[1] - own[0], add_cells, picture);
}

/* ---- which cells are ever alive -------------------------------------------------------------- */

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
                                       {.when = app_movie_when, .visit = note_seen},
                                       {0}};
    life_job *job = run->job;
    size_t pitch = halo_life_row_bytes(job->life);
    progress_phase(&run->progress, "looking ahead");
    job->looks_ahead = true;
    halo_status status = app_run_beats(run, events);
    job->looks_ahead = job->has_kept = false;
    job->memory_message[0] = '\0';
    run->loop->seconds = 0;
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
    HALO_IF_OK(status, halo_life_get_rows(job->life, first, count, rows, pitch));
    status = halo_agree(run->world, status);
    HALO_IF_OK(status, run_ahead(run, rows, first, count));
    halo_memory_free(rows);
    return status;
}

/* ---- the pictures ---------------------------------------------------------------------------- */

bool life_keep_view(const app_run *run, json_t *begun)
{
    const life_picture *drawing = app_movie_of(run)->drawing;
    if (begun == NULL || drawing == NULL || drawing->picture == NULL) {
        return true;
    }
    const halo_picture_window *window = &drawing->window;
    json_t *view = json_pack("[I, I, I, I]", (json_int_t)window->x, (json_int_t)window->y,
                             (json_int_t)window->width, (json_int_t)window->height);
    return view != NULL && json_object_set_new(begun, "view", view) == 0;
}

/* Finds the window of the run that is resumed. False: it had none. */
static bool find_begun(const app_run *run, halo_picture_window *window)
{
    static const app_kept kept = {
        .row = {.name = "view", .type = HALO_OPTION_INTEGER, .min = -LIFE_PLACE, .max = LIFE_PLACE},
        .min = VIEW,
        .max = VIEW};
    const json_t *view = app_resumes(run)
                             ? json_object_get(json_object_get(app_restored(run), "begun"), "view")
                             : NULL;
    int64_t numbers[VIEW];
    if (view == NULL || !app_kept_takes(&kept, view)) {
        return false;
    }
    for (size_t i = 0; i < VIEW; i++) {
        numbers[i] = json_integer_value(json_array_get(view, i));
    }
    *window = (halo_picture_window){numbers[0], numbers[1], numbers[2], numbers[3]};
    return window->width > 0 && window->height > 0;
}

static halo_status choose_window(app_run *run, halo_picture_window *window)
{
    life_job *job = run->job;
    const life_source *source = &job->source;
    if (find_requested(run, window) || find_begun(run, window)) {
        return HALO_OK;
    }
    if (source->edges[0] == HALO_LIFE_GROW || source->edges[1] == HALO_LIFE_GROW) {
        HALO_TRY(look_ahead(run));
    }
    halo_life_box view = halo_life_view(source->edges, &source->box, &job->seen);
    if (!life_options_of(run)->view.all) {
        view = halo_life_close_up(source->edges, &source->box, &view);
    }
    *window = window_of(&view);
    return HALO_OK;
}

static int choose_scale(const app_run *run, const halo_picture_window *window)
{
    bool wide = halo_max(window->width, window->height) > APP_DOTS_SIDE;
    int side = wide ? MAX_SIDE : APP_DOTS_SIDE, requested = life_options_of(run)->scale;
    return requested != 0 ? requested
                          : halo_picture_scale_to_fit(window->width, window->height, side, side,
                                                      wide ? 1 : MAX_CELL);
}

/* Trails of cells that died many generations ago would lead nowhere. */
static halo_picture_style choose_style(const app_run *run)
{
    const int *requested = &life_options_of(run)->style;
    return app_was_given(run, requested) || app_movie_when(run).every <= FAR_APART
               ? (halo_picture_style)*requested
               : HALO_PICTURE_PLAIN;
}

static halo_status begin(app_run *run)
{
    life_picture *drawing = app_movie_of(run)->drawing;
    halo_picture_options options = {.states = ((life_job *)run->job)->source.rule.states,
                                    .style = choose_style(run)};
    app_movie_of(run)->folder = life_options_of(run)->frames;
    HALO_TRY(choose_window(run, &options.window));
    options.scale = choose_scale(run, &options.window);
    HALO_TRY(create_picture(drawing, &app_movie_of(run)->dots, run, &options,
                            app_movie_arguments(run)->path == NULL));
    return app_movie_open(app_movie_of(run), halo_picture_palette(drawing->picture));
}

static halo_status prepare(app_run *run)
{
    return halo_life_stage(((life_job *)run->job)->life);
}

static halo_status write_frame(app_run *run)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/" LIFE_FRAME "%06" PRId64 ".png",
                          life_options_of(run)->frames, app_beats_done(run));
    HALO_FAIL_IF(length >= PATH_SIZE, HALO_FILE,
                 "the name of the folder for the frames is too long");
    const app_dots *dots = &app_movie_of(run)->dots;
    const life_picture *drawing = app_movie_of(run)->drawing;
    const halo_png_header header = {.width = app_dots_width(dots),
                                    .height = dots->rows * dots->enlarge,
                                    .kind = HALO_PNG_PALETTE,
                                    .palette = halo_picture_palette(drawing->picture),
                                    .colours = HALO_PICTURE_COLOURS};
    app_dots_drawn drawn = {dots, app_movie_of(run)->pixels};
    const halo_rows rows = {.fill = app_dots_fill, .context = &drawn};
    return halo_png_write(run->world, path, &header, dots->pixel_cuts, &rows);
}

static halo_status draw(app_run *run)
{
    life_picture *drawing = app_movie_of(run)->drawing;
    app_dots *dots = &app_movie_of(run)->dots;
    const int64_t *own = dots->cuts + halo_world_rank(run->world);
    HALO_TRY(collect_picture(drawing, dots));
    if (app_movie_of(run)->pixels != NULL) {
        halo_picture_draw(drawing->picture, own[0], own[1] - own[0], dots->sums,
                          app_movie_of(run)->pixels, (size_t)app_dots_width(dots));
    }
    return life_options_of(run)->frames != NULL ? write_frame(run) : HALO_OK;
}

static void end(app_run *run)
{
    halo_picture_destroy(&((life_picture *)app_movie_of(run)->drawing)->picture);
}

const app_drawing life_drawing = {.bytes = sizeof(life_picture),
                                  .wanted = is_wanted,
                                  .begin = begin,
                                  .prepare = prepare,
                                  .draw = draw,
                                  .end = end};

/* ---- in the terminal ------------------------------------------------------------------------- */

static halo_status print_picture(app_run *run, const halo_picture *picture, const app_dots *dots)
{
    life_job *job = run->job;
    char caption[128] = "";
    unsigned char *levels;
    if (job->screen.watched) {
        snprintf(caption, sizeof caption,
                 "generation %" PRId64 " of %" PRId64 ", population %" PRId64 "\n",
                 app_beats_done(run), run->last_beat, job->population);
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(levels, dots->columns * dots->rows, "an overview of the grid"));
    halo_picture_levels(picture, 0, dots->rows, dots->sums, levels);
    halo_status status =
        app_screen_draw(run, &job->screen, dots, levels, halo_picture_palette(picture), caption);
    halo_memory_free(levels);
    return status;
}

halo_status life_screen_show(app_run *run)
{
    life_job *job = run->job;
    life_picture picture;
    app_dots dots = {0};
    halo_status status;
    HALO_TRY(life_take_census(run));
    HALO_TRY(halo_life_stage(job->life));
    if (job->screen.watched) {
        progress_end(&run->progress); /* who watches sees how far it is */
        run->progress = (progress){0};
    }
    job->shown = halo_life_box_join(&job->shown, &job->census.live);
    halo_picture_options options = {.window = window_to_show(run, &job->shown),
                                    .states = job->source.rule.states,
                                    .style = HALO_PICTURE_PLAIN};
    options.scale = app_screen_scale(&job->screen, options.window.width, options.window.height);
    HALO_TRY_OR(done, create_picture(&picture, &dots, run, &options, false));
    HALO_TRY_OR(done, collect_picture(&picture, &dots));
    status = halo_agree(run->world,
                        app_is_root(run) ? print_picture(run, picture.picture, &dots) : HALO_OK);
done:
    halo_picture_destroy(&picture.picture);
    app_dots_destroy(&dots);
    return status;
}

halo_status life_show_end(app_run *run)
{
    const life_options *options = life_options_of(run);
    const app_screen *screen = &((const life_job *)run->job)->screen;
    bool files = options->output != NULL || is_wanted(run);
    return screen->columns > 0 && !files && !options->watch && !options->all.common.quiet
               ? life_screen_show(run)
               : HALO_OK;
}
