#include "app/batch/batch.h"
#include "app/beats.h"
#include "app/options/kept.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"
#include "app/services/field_pictures.h"
#include "app/services/memory.h"
#include "app/services/movie.h"
#include "app/services/tasks.h"
#include "cli/chan_vese/job.h"
#include "cli/commands.h"
#include "io/array/picture.h"
#include "io/canvas/canvas.h"
#include "io/image/bits.h"
#include "kernels/chan_vese/border.h"

#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static halo_status parse_lambda(const char *text, void *into)
{
    double *lambda = into;
    return halo_scan_number(&text, 0, HALO_CHAN_VESE_MAX_LAMBDA, lambda) && *text == '\0' &&
                   (*lambda >= HALO_CHAN_VESE_MIN_LAMBDA || *lambda <= 0)
               ? HALO_OK
               : HALO_ARGUMENT;
}

#define ROW(option, kind, member) HALO_OPTION_ROW(chan_vese_options, option, kind, member)
#define LAMBDA_ROW(member)                                                                   \
    ROW(#member, REAL, kernel.member), .parse = parse_lambda, .value = "L", .standard = "1", \
                                       .takes = "0, or a number from 1e-9 to 1e9",           \
                                       .flags = APP_SAVED

static const halo_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "What is computed:"},
    {ROW("smoothing", INTEGER, kernel.smoothing), .max = HALO_CHAN_VESE_MAX_SMOOTHING,
     .unit = "times a beat", .standard = "1", .flags = APP_SAVED,
     .help = "Smooth the border N times a beat: 0: not at all; 1 to 4 suit most images"},
    {LAMBDA_ROW(lambda1), .help = "Weight of the variance of greys inside: if it is larger than "
                                  "lambda2, the inside becomes more even, and the outside less"},
    {LAMBDA_ROW(lambda2), .help = "Weight of the variance of greys outside"},
    APP_RANGE_ROW,
    {ROW("init", CUSTOM, init), .parse = chan_vese_parse_init,
     .file = offsetof(chan_vese_options, init.path),
     .takes = "checkerboard[:SIZE] with squares of 1 pixel or more, disk[:X,Y,R] with a radius of "
              "more than 0, or the name of a file, such as inside.png",
     .value = "checkerboard[:SIZE]|disk[:X,Y,R]|FILE", .standard = "checkerboard:5",
     .unless = "checkerboard:5; of disk the middle, and 3/8 of the shorter side",
     .excludes = "restore", .why = "a checkpoint has its own level set",
     .help = "The initial inside. checkerboard: every other square of SIZE pixels. disk: pixels "
             "nearer than R to column X, row Y. FILE: the pixels that are not black in a "
             "picture of the same size"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {APP_BEATS_ROW("beats"), .standard = "100",
     .help = "Beats at most, in addition to those before a checkpoint; fewer if nothing changes "
             "any more"},
    {APP_UNTIL_ROW(app_parse_steady), .takes = "steady", .value = "steady",
     .help = "Continue until nothing changes any more, or only pixels that alternate between two "
             "states; -n limits the number of beats"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(chan_vese_options, HALO_GREY_ENDINGS HALO_ARRAY_NUMBERS_ENDINGS),
     .value = "FILE",
     .help = "The inside after the last beat: white on black in a picture (.png of one bit a "
             "pixel, .pgm, .pnm, .tif), or 1 and 0 in an array" HALO_ARRAY_NUMBERS_HELP},
    {ROW("overlay", OUTPUT, overlay), .choices = HALO_COLOUR_ENDINGS,
     .help = "The image with the border drawn on it"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,        app_place_of_results, app_choice_rows,
                                            app_raw_rows,     app_place_of_runs,    app_how_rows,
                                            APP_SHARED_TABLES};

static const app_column batch_columns[] = {
    {"inside", "{inside_pixels}", 9},           {"inside mean", "{inside_mean%.6g}", 12},
    {"outside mean", "{outside_mean%.6g}", 13}, {"beats", "{beat}", 6},
    {"changed", "{changed_pixels}", 8},         {0}};

static const app_state state;

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {.service = &app_checkpoint_service, .with = &state},
    {.service = &app_field_pictures_service},
    {.service = &app_movie_service, .with = &app_field_drawing},
    {0}};

static const app_syntax chan_vese_syntax = {
    .name = "chan-vese",
    .summary = "segment an image into inside and outside by a smooth border",
    .beat = "an iteration: border pixels go to the side whose mean grey is nearer, and the border "
            "is smoothed",
    .about =
        "Segment an image into two regions of nearly uniform grey, inside and outside, with a "
        "smooth border between them: morphological Chan-Vese.\n\n"
        "In each beat, pixels on the border go inside or outside, whichever mean grey they are "
        "nearer to, and then the border is smoothed. No edges are needed, and an inside of many "
        "pieces, with holes, is as good as one. The result is that of scikit-image's "
        "morphological_chan_vese for the same greys (as whole numbers), to the last pixel, on any "
        "number of ranks.",
    .notes =
        "Examples:\n"
        "  halobeat chan-vese coins.png -n 35 -o inside.png --overlay overlay.png\n"
        "  halobeat chan-vese cells.png --smoothing 3 --init disk --movie cells.gif\n"
        "  halobeat chan-vese scan.png --until steady -o inside.npy\n"
        "  halobeat chan-vese huge.png -n 500 --checkpoint c.halo\n"
        "  halobeat chan-vese huge.png --restore c.halo -n 100 -o inside.png\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(chan_vese_options),
    .describe = balance_describe,
    .check = app_movie_check_endless,
};

/* ---- beats ----------------------------------------------------------------------------------- */

static halo_status create(app_run *run)
{
    chan_vese_options *options = run->options;
    chan_vese_job *job = run->job;
    options->kernel.grey_bits = run->image->cell_bits;
    options->kernel.instructions = options->all.common.instructions;
    job->kernel = halo_chan_vese_kernel(&options->kernel);
    return app_create_strips(run, &job->kernel,
                             &(halo_beat_options){.kernel_options = &options->kernel});
}

/* An overlay is drawn by a copy of the level set. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const chan_vese_options *options = run->options;
    const halo_view *cells = halo_beat_view(run->beat, 0);
    const halo_box *mine = &cells->owned;
    int64_t drawn = halo_chan_vese_bytes(mine, options->kernel.smoothing);
    needs->computing = drawn;
    needs->writing += drawn + (options->overlay != NULL ? mine->n[0] * cells->stride[0] : 0);
}

static halo_status begin(app_run *run)
{
    const chan_vese_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_chan_vese_begin(run->beat, run->world);
    halo_clock_end(&run->clock, HALO_PHASE_DISTRIBUTE, stretch, run->world);
    if (status == HALO_OK && app_restores(run)) {
        halo_chan_vese_recall(run->beat, job->steady_beats, job->trace);
    }
    return status;
}

static bool swings(const app_run *run)
{
    return run->arguments->until.steady && halo_chan_vese_get_report(run->beat).swings;
}

static bool has_settled(const app_run *run)
{
    return halo_chan_vese_get_report(run->beat).settled || swings(run);
}

static const char *ending(const app_run *run)
{
    return swings(run) ? "only pixels that swing to and fro change any more" : NULL;
}

static const app_beats beats = {.phase = "computing",
                                .counted = "at beat",
                                .update = "pixel",
                                .shares = APP_EXCHANGING,
                                .endless = true,
                                .settled = has_settled,
                                .stops = swings,
                                .ending = ending};

/* ---- checkpoints: rows of bits, the first pixel lowest --------------------------------------- */

static const app_kept kept[] = {{APP_KEPT_ROW(chan_vese_job, "still", INTEGER, steady_beats)},
                                {APP_KEPT_ROW(chan_vese_job, "trace", HASH, trace)},
                                {.max = 0}};

static halo_status store(app_run *run, void *records)
{
    chan_vese_job *job = run->job;
    halo_chan_vese_report now = halo_chan_vese_get_report(run->beat);
    (void)records;
    job->steady_beats = now.steady_beats;
    job->trace = now.trace;
    return HALO_OK;
}

/* The level set, and not the greys. */
static int count_fields(const app_run *run)
{
    (void)run;
    return 1;
}

static const app_state state = {
    .image = "image", .kept = kept, .pixel_bits = 1, .fields = count_fields, .store = store};

/* ---- outputs --------------------------------------------------------------------------------- */

static const void *cells_at(const app_run *run, int64_t row)
{
    return halo_row_of_domain(halo_beat_view(run->beat, 0), row);
}

static void fill_bytes(const app_run *run, int64_t row, void *out)
{
    halo_bits_unpack(run->domain.n[1], cells_at(run, row), 1, out);
}

static halo_status prepare_overlay(app_run *run)
{
    return halo_chan_vese_border_create(&((chan_vese_job *)run->job)->border, run->beat, run->world,
                                        &run->domain);
}

/* The first pixels outside are dark, so that the bright last ones inside stand out. */
static halo_status paint_overlay(app_run *run, const halo_canvas *canvas)
{
    static const unsigned char inner[] = {255, 212, 0}, outer[] = {32, 24, 0};
    const halo_view *border = halo_field_view(((const chan_vese_job *)run->job)->border);
    for (int64_t i = 0; i < canvas->rows; i++) {
        halo_chan_vese_border_paint(border, canvas->first_row + i, run->domain.n[0], inner, outer,
                                    canvas->pixels + (size_t)i * canvas->pitch);
    }
    return HALO_OK;
}

static void finish_overlay(app_run *run)
{
    halo_field_destroy(&((chan_vese_job *)run->job)->border);
}

/* The array is of the type that scikit-image returns. */
static const app_writer inside_writers[] = {{APP_ARRAYS, HALO_SAMPLE_I8, .fill_row = fill_bytes},
                                            {APP_PICTURES, HALO_PNG_BITS, .row = cells_at},
                                            {0}};

static const app_output outputs[] = {
    {.option = offsetof(chan_vese_options, output), .phase = "writing", .writers = inside_writers},
    {.option = offsetof(chan_vese_options, overlay),
     .phase = "drawing",
     .paint = paint_overlay,
     .colours = true,
     .prepare = prepare_overlay,
     .finish = finish_overlay},
    {0}};

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *facts(app_run *run, json_t *texts)
{
    const chan_vese_options *options = run->options;
    halo_chan_vese_report set = halo_chan_vese_get_report(run->beat);
    bool restored = app_restores(run);
    char init[CHAN_VESE_INIT_TEXT];
    chan_vese_init_print(run, init);
    json_object_set_new(texts, "restored", app_fact_text(app_checkpoint_arguments(run)->restore));
    json_object_set_new(texts, "percent", json_real(100 * (double)set.inside / (double)set.pixels));
    return json_pack("{s:o, s:I, s:f, s:f, s:I, s:I, s:f, s:f, s:b, s:o}", "init",
                     app_fact_text(restored ? NULL : init), "smoothing",
                     (json_int_t)options->kernel.smoothing, "lambda1", options->kernel.lambda1,
                     "lambda2", options->kernel.lambda2, "pixels", (json_int_t)set.pixels,
                     "inside_pixels", (json_int_t)set.inside, "inside_mean", set.inside_mean,
                     "outside_mean", set.outside_mean, "swings", (int)set.swings, "changed_pixels",
                     app_fact_count(run->loop->changed));
}

static const app_line lines[] = {
    {.name = "level set",
     .verbose = true,
     .text = "[began as {init}][of {restored}], smoothed {smoothing} time{s:smoothing} a beat, "
             "lambdas {lambda1} and {lambda2}"},
    {.name = "inside",
     .text = "{inside_pixels} of {pixels} pixels ({percent%.2f} %); the mean grey is "
             "{inside_mean%.6g} inside and {outside_mean%.6g} outside"},
    {.name = "beats",
     .text = "{beat}: {ended}[; the last one changed {changed_pixels>0} pixel{s:changed_pixels}]"},
    {0}};

static const char speed[] = "[{nanoseconds%.4g>0} ns a pixel and beat, {mega%.4g} M pixels/s]";

const app_command chan_vese_command = {.syntax = &chan_vese_syntax,
                                       .job_bytes = sizeof(chan_vese_job),
                                       .image = true,
                                       .image_field = 1,
                                       .create = create,
                                       .needs = find_needs,
                                       .fill = chan_vese_fill,
                                       .begin = begin,
                                       .beats = &beats,
                                       .outputs = outputs,
                                       .lines = lines,
                                       .speed = speed,
                                       .facts = facts};
