#include "app/batch/batch.h"
#include "app/image/samples.h"
#include "app/options/kept.h"
#include "app/report/report.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "cli/commands.h"
#include "cli/filter/frames/frames.h"
#include "cli/filter/job.h"
#include "io/array/picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

/* True if no file has this name, and all before the first colon could be that of a filter. */
static bool is_misspelt(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    return length > 0 && (text[length] == ':' || text[length] == '\0') && access(text, F_OK) != 0;
}

/* A word is a step if it begins with the name of a filter; all that follow are steps, too. Others
 * are images; the first one always is. */
static halo_status parse_word(const char *text, void *into)
{
    filter_options *options =
        (filter_options *)(void *)((char *)into - offsetof(filter_options, all.image));
    size_t length = strcspn(text, ":");
    bool named =
        filter_find(text, length) != NULL || (options->all.image.count > 0 && is_misspelt(text));
    if (!named && options->steps == 0) {
        return app_parse_input(text, into);
    }
    HALO_FAIL_IF(options->steps == FILTER_MOST_STEPS, HALO_ARGUMENT,
                 "there are more than %d steps; write an image in between", FILTER_MOST_STEPS);
    options->step[options->steps++] = text;
    return HALO_OK;
}

#define ROW(option, kind, member) HALO_OPTION_ROW(filter_options, option, kind, member)
#define PACKING_WORD(code, name)  "|" #name

static const halo_option what_rows[] = {
    {APP_FRAME_ROW("IMAGE STEP", CUSTOM, image), .parse = parse_word,
     .takes = "the name of a file, and then steps such as gaussian:2",
     .file = offsetof(app_arguments, image.first), .flags = APP_ARGUMENT | APP_REPEATS,
     .required = "which image? Give the name of its file, and then steps such as gaussian:2",
     .instead = "watch-folder"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(filter_options, HALO_GREY_ENDINGS "|.ppm" HALO_ARRAY_NUMBERS_ENDINGS),
     .flags = APP_NUMBERED | APP_FRAMES, .value = "FILE", .required = "where to? Give -o FILE",
     .help = "The result: a picture (.png, .pgm, .ppm, .pnm, .tif or .tiff), or an "
             "array" HALO_ARRAY_NUMBERS_HELP},
    {ROW("steps", OUTPUT, folder), .flags = APP_CHECKED, .value = "DIR",
     .takes = "the name of a folder",
     .help =
         "Also the result of each step, in files DIR/01-NAME.tif, DIR/02-NAME.tif and so on, or "
         "with the ending of -o. Each step is then a pass of its own"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(PACKING_WORD),
     .standard = "none", .help = "Compress the samples, where the format can"},
    {ROW("grey", FLAG, grey), .excludes = "channel",
     .help = "Filter the greys of colours; without it each colour is filtered by itself, and "
             "transparency stays as it is"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {
    what_rows,      app_place_of_results, app_choice_rows, app_unfiltered_rows,
    app_stack_rows, app_place_of_runs,    app_how_rows,    APP_SHARED_TABLES};

static const app_column batch_columns[] = {{"type", "{type}", 8}, {"depth", "{depth}", 6}, {0}};

static const app_service_use services[] = {
    {.service = &app_memory_service},
    APP_SHARED_BUT_BALANCE,
    {.service = &filter_frames_service},
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {.service = &app_checkpoint_service, .with = &filter_state, .rows = filter_checkpoint_rows},
    {0}};

static halo_status check(const app_options *given, void *into)
{
    const filter_options *options = into;
    const batch_arguments *batch = app_options_service(given, &app_batch_service);
    HALO_FAIL_IF(options->all.image.count == 0 && batch->folder == NULL, HALO_ARGUMENT,
                 "which image? Give the name of its file before the steps");
    return HALO_REQUIRE(options->steps > 0, HALO_ARGUMENT,
                        "there is no step; give some behind the image, such as gaussian:2");
}

static const app_syntax filter_syntax = {
    .name = "filter",
    .summary = "smooth, sharpen, clean and transform images and volumes",
    .beat = "one pass over the image",
    .about =
        "Compute filters on an image or a volume, one after the other, in one pass over it.\n\n"
        "A STEP is NAME[:VALUE][:KEY=VALUE]..., such as gaussian:2 or gaussian:2:mode=nearest. "
        "Names, values and results are those of scipy and scikit-image; docs/filters.md names "
        "the differences. dtype=TYPE behind a step gives its results another type. `halobeat "
        "filter --help STEP` tells all of one filter.\n\n"
        "With - as IMAGE and -o -, frames go from standard input to standard output as they come: "
        "PGM or PPM images one after the other, YUV4MPEG2, or samples of --shape HEIGHTxWIDTH; -o "
        "-.ppm, -.pgm, -.y4m or -.raw has them in another format.",
    .notes =
        "Examples:\n"
        "  halobeat filter cells.png gaussian:2 threshold:otsu fill_holes -o mask.png\n"
        "  halobeat filter ct.nii gaussian:1:dtype=float32 invert -o out.nrrd\n"
        "  halobeat filter 'plates/*.png' gaussian:1.5 -o 'out/{name}.png'\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(filter_options),
    .describe = filter_describe,
    .explain = filter_explain,
    .check = check,
};

/* ---- reading --------------------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    const filter_options *options = run->options;
    use->want = options->grey ? HALO_IMAGE_NATIVE : HALO_IMAGE_PIXELS;
    use->volumes = true;
    use->digest = app_checkpoint_arguments(run)->checkpoint != NULL || app_restores(run);
}

static halo_status resolve(app_run *run)
{
    filter_options *options = run->options;
    filter_job *job = run->job;
    job->chain.separate = options->folder != NULL;
    for (int i = 0; i < options->steps; i++) {
        HALO_TRY(halo_filter_chain_add(&job->chain, options->step[i]));
    }
    HALO_TRY(
        app_image_seconds_open(&job->seconds, &job->chain, &run->image->options, run->domain.axes));
    return halo_filter_chain_resolve_domain(&job->chain, app_image_type(run->image), &run->domain);
}

/* The samples of a pixel. */
static int samples_of(const app_image *image)
{
    return image->info.pixel_bits / image->info.cell_bits;
}

static halo_status check_colours(const app_run *run)
{
    const app_image *image = run->image;
    const halo_image_info *info = &image->info;
    const filter_options *options = run->options;
    const checkpoint_arguments *state = app_checkpoint_arguments(run);
    const char *option = options->folder != NULL     ? "--steps"
                         : state->checkpoint != NULL ? "--checkpoint"
                         : state->restore != NULL    ? "--restore"
                                                     : NULL;
    HALO_FAIL_IF(option != NULL, HALO_ARGUMENT,
                 "%s is for images of one sample a pixel, and those of %s have %d; filter one of "
                 "them, by --channel, or their greys, by --grey",
                 option, image->path, samples_of(image));
    HALO_FAIL_IF(info->axes == HALO_AXES, HALO_FORMAT,
                 "%s: a volume of pixels with %d samples; filter one of them, by --channel, or "
                 "their greys, by --grey",
                 image->path, samples_of(image));
    return HALO_REQUIRE(
        info->nodata.missing == HALO_MISSING_NEVER || info->nodata.count == 0, HALO_FORMAT,
        "%s: colours of some value stand for no data, which this filter cannot leave out; "
        "--fill-missing VALUE gives them another, and --nodata none takes them as "
        "they are",
        image->path);
}

/* Local. The fields that the image is read into. */
static halo_status create_fields(app_run *run)
{
    enum { COLOURS = 3 };
    filter_job *job = run->job;
    int samples = samples_of(run->image);
    halo_sample_type type = app_image_type(run->image);
    if (filter_gaps_apply(run)) {
        return filter_gaps_create(run);
    }
    if (samples == 1) {
        return halo_filter_run_create_field(&job->samples, run->world, &job->chain, 0, type,
                                            &job->strips);
    }
    const filter_colours_layout layout = {.pixels = {type, samples},
                                          .filtered = samples >= COLOURS ? COLOURS : 1,
                                          .alpha = run->image->info.alpha && samples % 2 == 0};
    return halo_filter_colours_create(&job->colours, run->world, &job->chain, &job->strips,
                                      &layout);
}

static halo_status open_chain(app_run *run)
{
    HALO_TRY(samples_of(run->image) > 1 ? check_colours(run) : HALO_OK);
    HALO_TRY(halo_agree(run->world, resolve(run)));
    return halo_agree(run->world, filter_check_restored(run));
}

static halo_status create(app_run *run)
{
    filter_job *job = run->job;
    HALO_TRY(filter_input_choose(run));
    HALO_TRY(halo_agree(run->world,
                        app_image_row_cuts(run->image, job->strips.cuts[0], &job->row_cuts)));
    run->cuts = job->row_cuts;
    HALO_TRY(filter_make_folder(run));
    return job->pulls ? HALO_OK : halo_agree(run->world, create_fields(run));
}

/* The last pass over the rows is made when they are written. */
static halo_status compute(app_run *run)
{
    filter_job *job = run->job;
    const filter_image image = filter_input_image(run);
    const filter_pipeline_options how = {.instructions = run->arguments->common.instructions,
                                         .watch = &job->watch};
    double read = run->clock.seconds[HALO_PHASE_DECODE];
    job->watch.made = filter_take_segment;
    job->watch.made_last = job->chain.separate;
    progress_phase(&run->progress, "filtering");
    job->stretch = halo_clock_begin(run->world);
    halo_status status = job->colours != NULL
                             ? halo_filter_colours_run(job->colours, &how)
                             : halo_filter_run_create(&job->run, run->world, &job->chain,
                                                      &job->strips, &image, &how);
    filter_input_clock(run, job->stretch, read);
    return app_services_end(run, status);
}

/* Rows that are pulled are read while others are computed and written. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const filter_job *job = run->job;
    const int64_t *mine = job->strips.cuts[0] + halo_world_rank(run->world);
    filter_run_bytes bytes = halo_filter_run_needs(&job->chain, mine[0], mine[1], !job->pulls);
    int64_t reading = job->pulls ? app_image_decoding(run->image) : 0;
    int samples = samples_of(run->image);
    needs->reading = job->pulls ? reading : needs->reading;
    needs->computing = (bytes.computing - bytes.image) * samples + reading;
    needs->writing += (bytes.making - bytes.image) * samples + reading;
    needs->remedy = job->pulls ? "smaller filters" : "a smaller image";
}

static void destroy(app_run *run)
{
    filter_job *job = run->job;
    halo_filter_run_destroy(&job->run);
    halo_filter_colours_destroy(&job->colours);
    filter_gaps_destroy(&job->gaps);
    app_image_pull_free(&job->pull);
    halo_field_destroy(&job->samples);
    filter_free_told(job);
    halo_filter_chain_free(&job->chain);
    app_image_seconds_close(&job->seconds);
    halo_partition_free(&job->strips);
    free(job->row_cuts);
}

/* ---- steps as texts -------------------------------------------------------------------------- */

json_t *filter_step_texts(const app_run *run)
{
    const filter_options *options = run->options;
    json_t *steps = json_array();
    for (int i = 0; i < options->steps; i++) {
        json_array_append_new(steps, app_fact_text(options->step[i]));
    }
    return steps;
}

static void say_steps(const app_run *run, json_t *options)
{
    json_object_set_new(options, "steps", filter_step_texts(run));
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const filter_job *job = run->job;
    return report_line_of_strip(run->world, &run->clock, run->domain.axes, &job->strips);
}

const app_command filter_command = {.syntax = &filter_syntax,
                                    .job_bytes = sizeof(filter_job),
                                    .image = true,
                                    .image_use = use_image,
                                    .files = filter_add_files,
                                    .read = filter_input_read,
                                    .open = open_chain,
                                    .create = create,
                                    .needs = find_needs,
                                    .run = compute,
                                    .says = say_steps,
                                    .outputs = filter_outputs,
                                    .lines = filter_lines,
                                    .listings = filter_listings,
                                    .shots = filter_shots,
                                    .own = own_line,
                                    .facts = filter_facts,
                                    .destroy = destroy};
