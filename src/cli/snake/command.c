#include "app/batch/batch.h"
#include "app/beats.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/checkpoint.h"
#include "app/services/line_pictures.h"
#include "app/services/tasks.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "io/array/picture.h"
#include "io/contour/contours_write.h"
#include "io/png/png_write.h"
#include "kernels/snake/snake_field.h"

#include <math.h>

/* ---- options --------------------------------------------------------------------------------- */

/* 3, 5 or 7 */
static halo_status parse_window(const char *text, void *into)
{
    int64_t window = 0;
    bool good = halo_scan_integer(&text, 3, 7, &window) && *text == '\0' && window % 2 == 1;
    *(int *)into = (int)window;
    return good ? HALO_OK : HALO_ARGUMENT;
}

/* The share of points that may still move. */
static halo_status parse_until(const char *text, void *into)
{
    app_until until = {0};
    halo_status status = app_parse_steady_or_change(text, &until);
    *(double *)into = until.share;
    return status;
}

static halo_status parse_init(const char *text, void *into)
{
    return halo_contours_shapes_parse(into, text);
}

#define ROW(option, kind, member) HALO_OPTION_ROW(snake_options, option, kind, member)
#define TEXT_OF(value)            #value
#define EXPANDED(value)           TEXT_OF(value)
#define DEFAULT(name)             EXPANDED(HALO_SNAKE_DEFAULT_##name)
#define NOT_RESTORED              .excludes = "restore", .why = "a checkpoint has its own contours"
#define MAX_PIXELS                1e6

static const halo_option begin_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "Contours to begin with:"},
    {ROW("init", CUSTOM, inits), .parse = parse_init, .flags = APP_REPEATS,
     .value = "circle:X,Y,R[,N]|polygon:FILE.csv|grid:RxC[,N]",
     .required = "where do the contours begin? Give --init circle:X,Y,R, polygon:FILE.csv or "
                 "grid:RxC",
     .instead = "restore", NOT_RESTORED,
     .help =
         "circle: around column X of row Y, with a radius of R pixels. polygon: the contours of "
         "a file, as -o writes them, or with x,y on each line and an empty line between "
         "contours. grid: circles in R rows and C columns all over the image. N: points of a "
         "circle. May be given several times, for all contours together"},
    {ROW("seek", INDEX, seek), .choices = "round|nothing", .standard = "round", NOT_RESTORED,
     .help = "Where the circles of a grid begin. round: at the circle in or near their part of the "
             "image that has the steepest edges, if there is a clear one. nothing: side by side"},
    {ROW("spacing", REAL, spacing), .min = 1, .max = MAX_PIXELS, .unit = "pixels",
     .value = "PIXELS", NOT_RESTORED, .help = "Initial distance between points in pixels",
     .unless = "6; the points of a file are taken as they are"},
    {.type = HALO_OPTION_END}};

/* In the order in which checkpoints have them. */
#define ORDER_ENTRY(code, name, help) "|" name
static const halo_option parameter_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What moves them:"},
    {ROW("window", INTEGER, snake.window), .flags = APP_SAVED, .key = "window_pixels", .min = 3,
     .max = 7, .parse = parse_window, .takes = "3, 5 or 7", .value = "3|5|7",
     .standard = DEFAULT(WINDOW),
     .help = "Side of the square in which a point looks for a better position, in pixels"},
    {ROW("order", CHOICE, snake.order), .flags = APP_SAVED,
     .choices = HALO_SNAKE_ORDER_LIST(ORDER_ENTRY), .standard = HALO_SNAKE_DEFAULT_ORDER,
     .help = "two-colour: even points move, then odd ones; few of them oscillate. jacobi: all "
             "points move at once, and many oscillate, which counts as settled when nothing else "
             "moves"},
    {ROW("subpixel", FLAG, snake.subpixel), .flags = APP_SAVED,
     .help = "Refine contours at rest to 16ths of a pixel, with smaller windows and interpolated "
             "edges"},
    {ROW("alpha", REAL, snake.alpha), .flags = APP_SAVED, .max = 1000, .value = "WEIGHT",
     .standard = DEFAULT(ALPHA), .help = "Weight of even spacing between points"},
    {ROW("beta", REAL, snake.beta), .flags = APP_SAVED, .max = 1000, .value = "WEIGHT",
     .standard = DEFAULT(BETA), .help = "Weight of smoothness"},
    {ROW("gamma", REAL, snake.gamma), .flags = APP_SAVED, .max = 1000, .value = "WEIGHT",
     .standard = DEFAULT(GAMMA), .help = "Weight of edges in the image"},
    {ROW("sigma", REAL, sigma), .flags = APP_SAVED, .key = "sigma_pixels",
     .max = HALO_SNAKE_MAX_SIGMA, .unit = "pixels", .value = "PIXELS", .standard = DEFAULT(SIGMA),
     .help = "Blur the image first, by a Gaussian of this standard deviation"},
    {ROW("floor", REAL, snake.floor), .flags = APP_SAVED, .max = 255, .unit = "grey levels a pixel",
     .value = "LEVELS", .standard = DEFAULT(FLOOR),
     .help = "Ignore slopes below this many grey levels (of 255) a pixel, as noise"},
    APP_RANGE_ROW,
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {ROW("beats", INTEGER, all.beats), .letter = 'n', .min = 1, .unit = "beats", .standard = "1000",
     .help = "Beats at most, in addition to those before a checkpoint"},
    /* A share, as checkpoints keep it. */
    {ROW("until", SHARE, snake.settled_moved), .flags = APP_SAVED, .key = "stop_moved",
     .parse = parse_until,
     .takes = "steady, or change:SHARE with a share of less than 1, such as change:1%",
     .value = "steady|change:SHARE", .standard = "change:" DEFAULT(MOVED_PERCENT) "%",
     .help = "change: stop when at most this share of the points moves in a beat. steady: when "
             "none moves"},
    {ROW("stop-distance", REAL, snake.settled_distance), .flags = APP_SAVED,
     .key = "stop_distance_pixels", .max = MAX_PIXELS, .unit = "pixels", .value = "PIXELS",
     .standard = "0",
     .help = "Stop when a beat moves the points by this many pixels on average, or less"},
    {.type = HALO_OPTION_END}};
#undef ORDER_ENTRY

static const halo_option result_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".csv|.json|.svg",
     .help = "The contours: a table of points, which --init polygon reads, or JSON, or a drawing"},
    {ROW("overlay", OUTPUT, overlay), .choices = HALO_COLOUR_ENDINGS,
     .help = "The image with the contours drawn on it, and thin lines where they began"},
    {ROW("gradient", OUTPUT, gradient), .choices = HALO_GREY_ENDINGS,
     .help = "A picture of the edges that attract the contours"},
    {.type = HALO_OPTION_END}};

/* Contours often rest long before the last beat there may be, so that every beat is a picture. */
static const halo_option movie_rows[] = {
    {APP_MOVIE_PATH_ROW, .help = "A movie of the moving contours (needs ffmpeg)"},
    {APP_EVERY_ROW("beats"), .needs = "movie", .standard = "1",
     .help = "Take a picture every N beats"},
    {APP_FPS_ROW, .needs = "movie", .help = "Pictures per second of the movie", .unless = "25"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {
    begin_rows,   parameter_rows,    result_rows,  app_place_of_results, app_choice_rows,
    app_raw_rows, app_place_of_runs, app_how_rows, APP_SHARED_TABLES};

/* Only circles of a grid look for where to begin. */
static halo_status check(const app_options *given, void *into)
{
    const snake_options *options = into;
    return HALO_REQUIRE(!app_given(given, &options->seek) ||
                            halo_contours_shapes_cells(&options->inits) > 0,
                        HALO_ARGUMENT, "--seek needs --init grid:RxC");
}

static const app_column batch_columns[] = {{"contours", "{contours}", 9},
                                           {"collapsed", "{collapsed}", 10},
                                           {"points", "{points}", 7},
                                           {"area", "{enclosed_area_pixels%.10g}", 10},
                                           {"moved", "{mean_displacement_pixels%.4g}", 8},
                                           {"beats", "{beat}", 6},
                                           {0}};

static const app_drawing drawing;

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {.service = &app_checkpoint_service, .with = &snake_state},
    {.service = &app_movie_service, .with = &drawing, .rows = movie_rows},
    {0}};

static const app_syntax snake_syntax = {
    .name = "snake",
    .summary = "draw closed contours to the edges of an image",
    .beat = "one look of every point at the places around it",
    .about =
        "Draw closed contours to the edges of an image: active contours, or snakes.\n\n"
        "The points of each contour move, pixel by pixel, to where spacing, smoothness and edges "
        "together cost least (the greedy algorithm of Williams and Shah), until few of them move.",
    .notes = "Examples:\n"
             "  halobeat snake cell.png --init circle:425,375,110 --overlay outline.png\n"
             "  halobeat snake astronaut.png --init circle:225,115,108 --floor 24 -o head.csv\n"
             "  halobeat snake astronaut.png --init polygon:head.csv --sigma 1 -o head.svg\n"
             "  halobeat snake coins.png --init grid:4x6 --overlay coins-found.png\n"
             "  halobeat snake huge.png --init grid:100x100 -o "
             "all.json\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(snake_options),
    .describe = balance_describe,
    .check = check,
};

/* ---- files ----------------------------------------------------------------------------------- */

/* Those of --init, which may be given several times. */
static halo_status add_files(app_run *run, app_files *files)
{
    const halo_contours_shapes *inits = &((const snake_options *)run->options)->inits;
    halo_status status = HALO_OK;
    for (int i = 0; status == HALO_OK && i < inits->count; i++) {
        status = app_files_add(files, APP_READ, inits->list[i].path);
    }
    return halo_agree(run->world, status);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static halo_status find_steepest(app_run *run)
{
    snake_job *job = run->job;
    job->steepest = halo_snake_field_steepest(halo_snake_gradient(job->snake));
    return halo_allreduce_max(run->world, &job->steepest, 1);
}

static void fill_slopes(const app_run *run, int64_t row, void *out)
{
    const snake_job *job = run->job;
    const halo_view *gradient = halo_snake_gradient(job->snake);
    halo_snake_field_greys(gradient, row - gradient->owned.lo[0], job->steepest, out);
}

static halo_status write_contours(app_run *run, const char *path)
{
    const snake_job *job = run->job;
    const halo_contours_scene scene = {.contours = &job->contours,
                                       .points = job->places,
                                       .unit = snake_unit(run),
                                       .width = run->domain.n[1],
                                       .height = run->domain.n[0],
                                       .picture = run->arguments->image.first};
    return halo_contours_write(run->world, path, &scene);
}

static halo_status prepare_overlay(app_run *run)
{
    snake_job *job = run->job;
    const int64_t *n = run->domain.n;
    job->pens = halo_contours_pens_choose(&job->contours, n[1], n[0]);
    return HALO_OK;
}

static halo_status paint_overlay(app_run *run, const halo_canvas *canvas)
{
    const snake_job *job = run->job;
    return halo_contours_draw_moved(canvas, &job->contours, job->places, snake_unit(run),
                                    &job->pens);
}

static halo_status draw_lines(app_run *run, const halo_canvas *canvas, const app_dots *dots)
{
    static const halo_canvas_pen pen = {.width = 2 * HALO_CANVAS_ONE, .colour = {255, 255, 255}};
    const snake_job *job = run->job;
    const halo_contours_drawing contours = {.contours = &job->contours,
                                            .points = job->places,
                                            .unit = snake_unit(run),
                                            .enlarge = dots->enlarge,
                                            .reduce = dots->reduce,
                                            .pen = &pen};
    return halo_contours_draw(canvas, &contours);
}

static const app_drawing drawing = {APP_LINE_DRAWING, .prepare = snake_collect,
                                    .lines = draw_lines};

static const app_writer gradient_writers[] = {
    {APP_PICTURES, HALO_PNG_GREY8, .fill_row = fill_slopes}, {0}};

static const app_output outputs[] = {{.option = offsetof(snake_options, gradient),
                                      .phase = "writing edges",
                                      .when = APP_BEFORE_BEATS,
                                      .writers = gradient_writers,
                                      .prepare = find_steepest},
                                     {.option = offsetof(snake_options, output),
                                      .phase = "writing contours",
                                      .write = write_contours},
                                     {.option = offsetof(snake_options, overlay),
                                      .phase = "drawing",
                                      .paint = paint_overlay,
                                      .colours = true,
                                      .prepare = prepare_overlay},
                                     {0}};

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const snake_job *job = run->job;
    halo_beat_report beats = halo_snake_get_report(job->snake);
    return report_line_of(&beats, &run->clock, run->domain.axes,
                          halo_snake_gradient(job->snake)->owned.n, NULL);
}

/* The points of each rank; the range of these goes to `texts`. */
static json_t *owned_points(const app_run *run, json_t *texts)
{
    const int64_t *owned = ((const snake_job *)run->job)->owned;
    int64_t min = owned[0], max = owned[0];
    int ranks = halo_world_ranks(run->world);
    for (int r = 0; r < ranks; r++) {
        min = halo_min(min, owned[r]);
        max = halo_max(max, owned[r]);
    }
    json_object_set_new(texts, "min_points", json_integer(min));
    json_object_set_new(texts, "max_points", json_integer(max));
    return app_fact_integers(owned, ranks);
}

static void add_texts(const app_run *run, const halo_snake_progress *now, json_t *texts)
{
    const snake_job *job = run->job;
    double points = (double)now->points;
    double pixels = (double)run->domain.n[0] * (double)run->domain.n[1];
    json_object_set_new(texts, "subpixel",
                        snake_unit(run) > 1 ? json_string("to 16ths of a pixel") : json_null());
    json_object_set_new(texts, "mean_points", json_real(points / (double)now->contours));
    enum { MANY = 100 }; /* beats: of fewer, nobody expects that all have come to rest */
    bool restless = !now->settled && !now->stopped && app_beats_done(run) >= MANY;
    json_object_set_new(texts, "restless_points", json_integer(restless ? now->moved : 0));
    bool blurred = ((const snake_options *)run->options)->sigma > 1;
    json_object_set_new(texts, "smaller_sigma", blurred ? json_string("--sigma 1") : json_null());
    json_object_set_new(texts, "until_percent",
                        json_integer(1 + (int64_t)ceil(100 * (double)now->moved / points)));
    json_object_set_new(texts, "moved_percent", json_real(100 * (double)now->moved / points));
    json_object_set_new(texts, "gradient_nanoseconds",
                        json_real(1e9 * job->gradient_seconds / pixels));
}

static json_t *facts(app_run *run, json_t *texts)
{
    const snake_job *job = run->job;
    halo_snake_progress now = snake_progress(run);
    json_t *parameters = json_object();
    if (!app_options_save(run->given, parameters)) {
        json_decref(parameters);
        return NULL;
    }
    add_texts(run, &now, texts);
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:b, s:I, s:f, s:f, s:f, s:f, s:o}", "parameters", parameters,
        "contours", (json_int_t)now.contours, "collapsed", (json_int_t)now.collapsed, "points",
        (json_int_t)now.points, "settled", (int)now.settled, "moved_last", (json_int_t)now.moved,
        "distance_last_pixels", now.distance, "mean_displacement_pixels",
        halo_contours_mean_distance(&job->contours, job->places, snake_unit(run)),
        "enclosed_area_pixels", halo_contours_area(&job->contours, job->places, snake_unit(run)),
        "gradient_seconds", job->gradient_seconds, "points_of_ranks", owned_points(run, texts));
}

static const app_line lines[] = {
    {.name = "contours",
     .text = "{contours} of {mean_points%.4g} points[{contours>1? on average}], which enclose "
             "{enclosed_area_pixels%.10g} pixels[{contours>1? together}]"},
    {.name = "collapsed",
     .text = "{collapsed>0} of them: no edge held these; a smaller --floor or --sigma, or other "
             "beginnings, may"},
    {.name = "energy",
     .verbose = true,
     .text = "continuity {parameters.alpha}, curvature {parameters.beta}, gradient "
             "{parameters.gamma} (sigma {parameters.sigma_pixels}, floor {parameters.floor}); "
             "window {parameters.window_pixels} x {parameters.window_pixels}, {parameters.order}"
             "[, {subpixel}]"},
    {.name = "beat", .text = "{beat}: {ended}"},
    {.name = "hint",
     .text = "{restless_points>0} points had not come to rest; [{smaller_sigma} holds them "
             "closer to edges, ]--until change:{until_percent}% lets them move, a larger --spacing "
             "or other "
             "beginnings may help"},
    {.name = "moved",
     .text = "{mean_displacement_pixels%.4g} pixels from where they began on average; in the last "
             "beat {moved_last} of {points} points ({moved_percent%.3g} %), "
             "{distance_last_pixels%.3g} pixels on average"},
    {.name = "points",
     .text = "{min_points} to {max_points} on a rank after the last beat",
     .verbose = true},
    {0}};

static const app_phase phases[] = {
    {"read", HALO_PHASE_DECODE},     {"distribute", HALO_PHASE_DISTRIBUTE},
    {"compute", HALO_PHASE_COMPUTE}, {"exchange", HALO_PHASE_EXCHANGE},
    {"vote", HALO_PHASE_VOTE},       {"merge", HALO_PHASE_MERGE},
    {"write", HALO_PHASE_ENCODE},    {0}};

static const char speed[] =
    "{gradient_nanoseconds%.4g} ns a pixel for the gradient[, {nanoseconds%.4g>0} ns a point "
    "and beat]";

const app_command snake_command = {.syntax = &snake_syntax,
                                   .job_bytes = sizeof(snake_job),
                                   .image = true,
                                   .read = snake_read,
                                   .open = snake_open,
                                   .create = snake_create,
                                   .needs = snake_needs,
                                   .begin = snake_begin,
                                   .beats = &snake_beats,
                                   .end = snake_end,
                                   .outputs = outputs,
                                   .files = add_files,
                                   .lines = lines,
                                   .speed = speed,
                                   .phases = phases,
                                   .own = own_line,
                                   .facts = facts,
                                   .destroy = snake_destroy};
