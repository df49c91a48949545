#include "app/batch/batch.h"
#include "app/image/image.h"
#include "app/image/samples.h"
#include "app/paths/planes.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/measure/job.h"
#include "core/world/collect.h"
#include "core/world/memory_ask.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(measure_options, option, kind, member)
#define NAME_ENTRY(code, name)    "|" #name

static const halo_option what_rows[] = {
    {APP_FRAME_ROW("LABELS", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .file = offsetof(app_arguments, image.first),
     .flags = APP_ARGUMENT | APP_REPEATS,
     .required = "which labels? Give the name of an image of labels, as `halobeat label -o` "
                 "writes it",
     .instead = "watch-folder"},
    {.type = HALO_OPTION_SECTION, .help = "What is measured:"},
    {ROW("intensity", CUSTOM, intensity), .letter = 'i', .parse = cli_measured_parse,
     .value = "FILE", .flags = APP_REPEATS,
     .takes = "names of images, 16 at most in all, with commas between",
     .help = "An image of the same shape whose samples are measured in each region. May be given "
             "several times: columns then have the number of the image behind their names, as "
             "intensity_mean-0. With many images of labels {name} and {dir} are those of each"},
    {APP_SPACING_ROW(measure_options), .needs = "regions|polygons|facts",
     .help = "Distance from one plane (of a volume), row and column to the next, such as .325um or "
             "'2,.5,.5 um'; SIDE: the same along all axes. Areas, centroids and lengths are in "
             "these units, boxes in pixels. pixels: pixels are counted, whatever the file says"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("regions", OUTPUT, regions), .choices = ".csv|.json",
     .help = "A table with one line for each label above 0, in ascending order. All pixels of a "
             "label are one region, also where they are in several pieces"},
    {CLI_PROPERTIES_ROW(measure_options), .needs = "regions|polygons",
     .help = "The columns of the table, these only, by the names of scikit-image's regionprops, as "
             "for `halobeat label`, " CLI_PROPERTY_SHORT
             "standard: label, area, bbox, centroid, and with --intensity intensity_mean, "
             "intensity_min and intensity_max; standard,perimeter adds the perimeter to these. "
             "all: all that the labels have"},
    {ROW("names", INDEX, names), .choices = CLI_REGION_NAMES_LIST(NAME_ENTRY),
     .standard = "skimage", .needs = "regions|polygons",
     .help = "Names of the columns. skimage: those of regionprops_table (bbox-0, centroid-0, "
             "intensity_mean). halobeat: those of `halobeat label` (left, x, mean_grey); american: "
             "the same with mean_gray"},
    {ROW("polygons", OUTPUT, polygons), .choices = ".geojson|.zip",
     .help =
         "Regions as polygons along the sides of pixels, of an image of two axes. .geojson: "
         "GeoJSON, in pixels from the corner of the first one on, or on the map of a GeoTIFF file, "
         "with the columns of --properties. .zip: an archive of ImageJ's regions of interest "
         "(RoiSet.zip)"},
    {ROW("outline", OUTPUT, outline), .choices = HALO_COLOUR_ENDINGS, .flags = APP_NUMBERED,
     .help = "The picture with the edges of regions drawn on it: that of the first --intensity, "
             "or the labels as greys; for a "
             "volume o%04d.png, one file a plane, or FOLDER/"},
    CLI_WHOLE_ROWS(measure_options),
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,    app_stack_rows,    app_choice_rows,
                                            app_raw_rows, app_place_of_runs, APP_SHARED_TABLES};

static const app_column batch_columns[] = {
    {"regions", "{regions}", 9}, {"labelled", "{labelled_share%.6f}", 11}, {0}};

static const halo_option no_rows[] = {{.type = HALO_OPTION_END}};

/* Strips of labels do not move. */
static const app_service_use services[] = {
    {.service = &app_memory_service},
    {.service = &app_balance_service, .rows = no_rows},
    APP_SHARED_BUT_BALANCE,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {0}};

static halo_status check(const app_options *given, void *into)
{
    const measure_options *options = into;
    (void)given;
    return cli_measured_check_names(&options->intensity, "intensity");
}

static const app_syntax measure_syntax = {
    .name = "measure",
    .summary = "measure regions of an image of labels, also in other images",
    .about = "Measure the regions of an image of labels: their shapes, and the samples of other "
             "images in them.",
    .notes = "Examples:\n"
             "  halobeat measure labels.tif --regions regions.csv --properties all\n"
             "  halobeat measure labels.tif --intensity red.tif --intensity green.tif "
             "--regions cells.csv\n"
             "  halobeat measure nuclei/*.tif -i raw/{name}.tif --regions all.csv\n\n" APP_MEMORY
             "Exit status: 0 done, 1 failed, 2 unusable arguments, " APP_EXIT_LOST,
    .tables = tables,
    .services = services,
    .bytes = sizeof(measure_options),
    .check = check,
};

/* ---- labels ---------------------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    (void)run;
    use->want = HALO_IMAGE_SAMPLES;
    use->volumes = true;
}

static halo_status check_labels(const app_run *run)
{
    const halo_image_info *info = &run->image->info;
    halo_sample_type type = app_image_type(run->image);
    HALO_FAIL_IF(info->colourful, HALO_ARGUMENT,
                 "%s is a picture in colours, and labels are whole numbers; give the image of "
                 "labels that it was made of, or one of its channels",
                 run->image->path);
    HALO_FAIL_IF(halo_sample_types[type].real, HALO_ARGUMENT,
                 "%s has samples of type %s, and labels are whole numbers; save it as int32",
                 run->image->path, halo_sample_types[type].name);
    return HALO_REQUIRE(type != HALO_SAMPLE_BIT, HALO_ARGUMENT,
                        "%s has pixels of one bit, which are no labels; number its regions first, "
                        "with halobeat label %s -o labels.tif",
                        run->image->path, run->image->path);
}

static halo_status check_spacing(const app_run *run)
{
    const app_spacing *spacing = &((const measure_options *)run->options)->spacing;
    return HALO_REQUIRE(run->domain.axes != HALO_AXES || spacing->count != 2, HALO_ARGUMENT,
                        "%s is a volume, and --spacing %g,%g has no distance between its planes; "
                        "give three numbers: planes, rows, columns",
                        run->image->path, spacing->size[1], spacing->size[2]);
}

static halo_status check_image(const app_run *run)
{
    HALO_TRY(check_labels(run));
    HALO_TRY(check_spacing(run));
    return measure_check_properties(run);
}

static halo_status create(app_run *run)
{
    const measure_options *options = run->options;
    measure_job *job = run->job;
    HALO_TRY(halo_agree(run->world, check_image(run)));
    HALO_TRY(cli_measured_open(&job->intensity, run, &options->intensity, "intensity"));
    HALO_TRY(cli_measured_check(&job->intensity,
                                measure_needs(run, LABEL_BY_MEDIANS | LABEL_BY_QUANTILES)));
    HALO_TRY(halo_agree(run->world, measure_check_outline(run)));
    HALO_TRY(halo_agree(run->world, cli_polygons_check(run, options->polygons)));
    HALO_TRY(app_planes_check_folder(run, options->outline));
    HALO_TRY(halo_agree(run->world, app_image_strips(run->image, 1, &job->strips)));
    run->cuts = job->strips.cuts[0];
    return halo_agree(run->world, app_image_create_field(run->image, run->cuts, &job->labels));
}

/* The number of regions is known when the labels are. Edges are drawn on a copy of the picture;
 * correlations take two bits a pixel. */
static void find_needs(const app_run *run, app_needs *needs)
{
    enum { COLOUR_BYTES = 6, PIXELS = 4 };
    const measure_options *options = run->options;
    const measure_job *job = run->job;
    const halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    int64_t pixels = halo_box_cells(&mine);
    int64_t drawn = options->outline != NULL ? pixels * COLOUR_BYTES + pixels / PIXELS +
                                                   app_png_later(run, HALO_PNG_RGB8)
                                             : 0;
    int64_t pairs = options->correlation != NULL ? pixels / PIXELS : 0;
    needs->writing += halo_max(halo_max(drawn, pairs), measure_region_pixel_bytes(run, &mine));
    needs->remedy = "a smaller image";
}

static halo_status read_labels(app_run *run)
{
    const measure_job *job = run->job;
    return app_read_image(run, run->cuts, halo_field_view(job->labels), NULL, NULL);
}

/* Pixels that are missing are of no region. */
static halo_status clear_missing(app_run *run)
{
    const measure_job *job = run->job;
    const halo_image_info *info = &run->image->info;
    const halo_view *view = halo_field_view(job->labels);
    enum { WORD = 64 };
    uint64_t *missing;
    if (info->nodata.missing != HALO_MISSING_CELL) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(missing, info->width / WORD + 1, "a row of an image"));
    size_t bytes = (size_t)run->image->cell_bits / 8;
    for (int64_t y = 0; y < halo_view_rows(view); y++) {
        char *row = halo_view_row(view, y);
        halo_image_find_missing(info, row, missing);
        for (int64_t x = 0; x < info->width; x++) {
            if ((missing[x / WORD] >> x % WORD & 1) != 0) {
                memset(row + (size_t)x * bytes, 0, bytes);
            }
        }
    }
    halo_memory_free(missing);
    return HALO_OK;
}

/* Collective. Asks for what the table takes, now that the number of regions is known. */
static halo_status ask_memory(app_run *run)
{
    enum { SMALL = 1 << 22 };
    const measure_job *job = run->job;
    int64_t bytes = measure_region_bytes(run);
    const halo_memory_demand demand = {.more = job->found.image.count * bytes,
                                       .held = halo_memory_held(),
                                       .what = "a table of regions",
                                       .remedy = "fewer --properties"};
    return job->found.image.total > SMALL / bytes ? halo_memory_ask(run->world, &demand) : HALO_OK;
}

/* Collective. */
static halo_status find_regions(app_run *run)
{
    measure_job *job = run->job;
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    const label_image_pixels pixels = {
        .type = app_image_type(run->image),
        .view = halo_field_view(job->labels),
        .axes = axes,
        .n = {axes == HALO_AXES ? n[0] : 1, n[axes - 2], n[axes - 1]},
        .cuts = run->cuts};
    HALO_TRY(halo_agree(run->world, clear_missing(run)));
    HALO_TRY(label_image_find(&job->found, run->world, &pixels));
    HALO_FAIL_IF(job->found.lowest < 0, HALO_FORMAT,
                 "%s has labels below 0, the lowest is %" PRId64
                 ", and labels of regions are above 0; use --nodata %" PRId64
                 " if that value stands for no region, or save it with other labels",
                 run->image->path, job->found.lowest, job->found.lowest);
    return ask_memory(run);
}

static halo_status run_measure(app_run *run)
{
    const measure_options *options = run->options;
    measure_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    progress_phase(&run->progress, "finding regions");
    halo_status status = find_regions(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    HALO_TRY(status);
    const halo_region *regions = label_image_regions(&job->found);
    for (int64_t i = 0; i < job->found.image.count; i++) {
        job->labelled_pixels += regions[i].area;
    }
    HALO_TRY(halo_allreduce_sum(run->world, &job->labelled_pixels, 1));
    if (options->facts) {
        const app_pixel pixel = measure_pixel_of(run);
        HALO_TRY(cli_whole_find(&job->whole, run, regions, job->found.image.count,
                                &job->found.image, &pixel));
    }
    if (job->found.image.total == 0 && !app_is_one_of_many(run)) {
        app_warn(run,
                 "%s has no regions: all of its pixels are 0; if they have other values, look at "
                 "--nodata and at the channel or page that was taken",
                 run->image->path);
    }
    return HALO_OK;
}

static halo_status add_files(app_run *run, app_files *files)
{
    const measure_options *options = run->options;
    return halo_agree(run->world, cli_measured_add_files(&options->intensity, files));
}

static void destroy(app_run *run)
{
    measure_job *job = run->job;
    cli_measured_close(&job->intensity);
    label_image_free(&job->found);
    halo_field_destroy(&job->labels);
    halo_partition_free(&job->strips);
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const measure_job *job = run->job;
    return report_line_of_strip(run->world, &run->clock, run->domain.axes, &job->strips);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const measure_options *options = run->options;
    const measure_job *job = run->job;
    const halo_box whole = {.n = {run->domain.n[0], run->domain.n[1], run->domain.n[2]}};
    double pixels = (double)halo_box_cells(&whole);
    json_t *images = json_array();
    for (int i = 0; i < options->intensity.count; i++) {
        json_array_append_new(images, app_image_json(&job->intensity.images[i]));
    }
    if (options->regions != NULL) {
        json_object_set_new(texts, "lengths", app_pixel_note(run->image, &options->spacing));
    }
    const app_pixel pixel = measure_pixel_of(run);
    return json_pack("{s:I, s:I, s:f, s:o, s:o, s:o*}", "regions",
                     (json_int_t)job->found.image.total, "labelled_pixels",
                     (json_int_t)job->labelled_pixels, "labelled_share",
                     (double)job->labelled_pixels / pixels, "intensity", images, "pixel",
                     app_pixel_json(run->image, &options->spacing), "whole",
                     cli_whole_json(&job->whole, run, &pixel));
}

static const app_line lines[] = {
    {.name = "regions", .text = "{regions}, which are {100*labelled_share%.2f} % of the pixels"},
    CLI_WHOLE_LINES,
    {.name = "lengths", .text = "{lengths}"},
    {0}};

static const app_phase phases[] = {{"read", HALO_PHASE_DECODE},
                                   {"distribute", HALO_PHASE_DISTRIBUTE},
                                   {"find", HALO_PHASE_COMPUTE},
                                   {"write", HALO_PHASE_ENCODE},
                                   {0}};

static halo_status write_chords(app_run *run, const char *path)
{
    return cli_whole_write_chords(run, path, &((const measure_job *)run->job)->found.image);
}

static halo_status write_correlation(app_run *run, const char *path)
{
    return cli_whole_write_correlation(run, path, &((const measure_job *)run->job)->found.image);
}

static const app_output outputs[] = {{.option = offsetof(measure_options, regions),
                                      .phase = "writing regions",
                                      .write = measure_write_regions,
                                      .joins = true},
                                     {.option = offsetof(measure_options, polygons),
                                      .phase = "writing polygons",
                                      .write = measure_write_polygons},
                                     {.option = offsetof(measure_options, chords),
                                      .phase = "counting chords",
                                      .write = write_chords,
                                      .joins = true},
                                     {.option = offsetof(measure_options, correlation),
                                      .phase = "counting pairs",
                                      .write = write_correlation,
                                      .joins = true},
                                     {.option = offsetof(measure_options, outline),
                                      .phase = "drawing outlines",
                                      .writers = measure_outline_writers,
                                      .prepare = measure_prepare_outline,
                                      .finish = measure_finish_outline},
                                     {0}};

const app_command measure_command = {.syntax = &measure_syntax,
                                     .job_bytes = sizeof(measure_job),
                                     .image = true,
                                     .takes_nodata = true,
                                     .image_use = use_image,
                                     .read = read_labels,
                                     .create = create,
                                     .needs = find_needs,
                                     .run = run_measure,
                                     .outputs = outputs,
                                     .files = add_files,
                                     .lines = lines,
                                     .unit = "[{pixel.unit}]",
                                     .phases = phases,
                                     .own = own_line,
                                     .facts = facts,
                                     .destroy = destroy};
