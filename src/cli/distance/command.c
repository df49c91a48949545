#include "app/batch/batch.h"
#include "app/image/samples.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/memory.h"
#include "app/services/slowdown.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/distance/job.h"
#include "io/array/array_write.h"

#include <math.h>
#include <stdlib.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(distance_options, option, kind, member)
#define NAME_ENTRY(code, name)    "|" #name

static const halo_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = HALO_ARRAY_ENDINGS, .value = "FILE",
     .flags = APP_NUMBERED, .required = "where to? Give -o FILE", .instead = "indices|thickness",
     .help = "The distance of every pixel, an array" HALO_ARRAY_ENDINGS_HELP},
    {ROW("indices", OUTPUT, indices), .choices = HALO_ARRAY_ENDINGS, .value = "FILE",
     .flags = APP_NUMBERED, .excludes = "edge", .why = "what is beyond the image has no number",
     .help = "For every pixel the nearest one of the background, by its number in raster order "
             "from 0 on (numpy.unravel_index makes coordinates of it): of several, that with the "
             "least column, of these that with the least row, and then plane"},
    {ROW("thickness", OUTPUT, thickness), .choices = HALO_ARRAY_ENDINGS, .value = "FILE",
     .flags = APP_NUMBERED,
     .help = "The local thickness of every pixel of the foreground: the diameter of the largest "
             "disk, or ball, that has the pixel in it and lies in the foreground"},
    {ROW("squared", FLAG, squared),
     .help = "Squares of distances, which are whole numbers if pixels have no size"},
    {ROW("signed", FLAG, with_sign),
     .help = "Pixels of the background get minus their distance from the foreground, not 0"},
    {ROW("out-dtype", INDEX, samples), .choices = DISTANCE_SAMPLES_LIST(NAME_ENTRY),
     .standard = "auto",
     .help = "Type of the distances. auto: float32; of squares whole numbers of 32 bits, or of 64 "
             "where these are not enough"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(NAME_ENTRY),
     .standard = "none", .help = "Compress the results, where the format can"},
    {.type = HALO_OPTION_SECTION, .help = "What is measured:"},
    {THRESHOLD_ROW(distance_options),
     .help = "A pixel is foreground if its sample is at least VALUE, in units of the samples. "
             "nonzero: if it is not 0. VALUE%: of white for 8 and 16 bits, otherwise of the range "
             "from minimum to maximum. LOW..HIGH: from LOW to HIGH. NaN and pixels that are "
             "missing (--nodata) are background"},
    {ROW("invert", FLAG, invert),
     .help = "Exchange foreground and background; pixels that are missing stay background"},
    {ROW("edge", CHOICE, edge), .choices = "0", .value = "0",
     .help = "0: what is beyond the edges of the image is background. Otherwise nothing is there"},
    {APP_SPACING_ROW(distance_options),
     .help = "Distance from one plane (of a volume), row and column to the next, such as .325um or "
             "'2,.5,.5 um'; SIDE: the same along all axes. Distances are in these units. pixels: "
             "in pixels, whatever the file says"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,    app_place_of_results, app_choice_rows,
                                            app_raw_rows, app_stack_rows,       app_place_of_runs,
                                            app_how_rows, APP_SHARED_TABLES};

static const app_column batch_columns[] = {
    {"foreground", "{100*foreground_share%.2f} %", 10}, {"largest", "{max_distance%.6g}", 9}, {0}};

static const app_service_use services[] = {
    {.service = &app_memory_service},
    APP_SHARED_BUT_BALANCE,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {0}};

static halo_status check(const app_options *given, void *into)
{
    const distance_options *options = into;
    HALO_FAIL_IF(app_slowdown_comes_later(app_options_service(given, &app_slowdown_service)),
                 HALO_ARGUMENT,
                 "--slow with @BEAT needs beats, and distances have none; leave it out, or use "
                 "--load-trace");
    const char *const files[] = {options->output, options->indices, options->thickness};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] != NULL) {
            HALO_TRY(halo_array_check_packing(files[i], (halo_array_packing)options->packing));
        }
    }
    return HALO_OK;
}

static const app_syntax distance_syntax = {
    .name = "distance",
    .summary = "exact distances from the background of images and volumes",
    .beat = "one pass over the image",
    .about = "Find the distance of each pixel of the foreground from the nearest one of the "
             "background, from centre to centre: the exact Euclidean distance transform.\n\n"
             "Results are those of scipy.ndimage.distance_transform_edt, on any number of ranks. "
             "Squares are whole numbers and exact; their roots are rounded once, to float32 unless "
             "--out-dtype says otherwise.",
    .notes = "Examples:\n"
             "  halobeat distance cells.png -t otsu -o distances.tif\n"
             "  halobeat distance ct.nii -t -300 --spacing pixels -o distances.nrrd\n"
             "  halobeat distance in.png --signed --squared -o squares.npy\n"
             "  halobeat distance in.png --indices nearest.npy\n"
             "  halobeat distance pores.tif --invert --thickness widths.tif\n"
             "  halobeat distance 'plates/*.png' -o 'out/{name}.tif'\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(distance_options),
    .check = check,
};

/* ---- from samples to bits -------------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    (void)run;
    use->want = HALO_IMAGE_NATIVE;
    use->volumes = true;
}

/* Pixels that are missing are background, whatever the threshold and --invert say. */
static void binarise(void *context, const halo_view *from, const halo_view *bits)
{
    enum { WORD = 64 };
    const app_run *run = context;
    const distance_job *job = run->job;
    halo_image_info info = run->image->info;
    halo_threshold(from, job->threshold.of.type, &job->threshold.within, bits,
                   run->arguments->common.instructions);
    if (info.nodata.missing == HALO_MISSING_NEVER) {
        return;
    }
    info.width = from->owned.n[1];
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        uint64_t *row = halo_row(bits, y);
        halo_image_find_missing(&info, halo_row(from, y), job->missing);
        for (int64_t i = 0; i < (info.width + WORD - 1) / WORD; i++) {
            row[i] &= ~job->missing[i];
        }
    }
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    app_run *run = context;
    const distance_job *job = run->job;
    app_image_convert(run->image, halo_field_view(job->bits), first, rows, data, pitch, binarise,
                      run);
    return HALO_OK;
}

static halo_status read_image(app_run *run)
{
    const distance_options *options = run->options;
    distance_job *job = run->job;
    app_samples samples = {.image = run->image, .cuts = job->strips.cuts[0], .kept = run->samples};
    HALO_TRY(cli_threshold_find(run, &options->threshold, &samples,
                                "-t 1 takes all but 0 as foreground", &job->threshold));
    job->threshold.within.invert = job->threshold.within.invert != options->invert;
    HALO_TRY(app_samples_each(&samples, take_rows, run));
    halo_field_destroy(&run->samples);
    return HALO_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static halo_status create_field(const app_run *run, halo_field **out, size_t bytes)
{
    enum { BYTE = 8 };
    const distance_job *job = run->job;
    halo_box own = halo_partition_box(&job->strips, halo_world_rank(run->world));
    return halo_field_create(out, &run->domain, &own, bytes == 0 ? HALO_BIT : (int)bytes * BYTE, 0);
}

static halo_status create_thickness(app_run *run)
{
    const distance_options *options = run->options;
    const app_pixel pixel = app_pixel_of(run->image, &options->spacing);
    const double *size = pixel.size + HALO_AXES - run->domain.axes;
    bool even = true;
    for (int axis = 1; axis < run->domain.axes; axis++) {
        even = even && size[axis] >= size[0] && size[axis] <= size[0];
    }
    if (options->thickness == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(pixel.spaced && !even, HALO_ARGUMENT,
                 "--thickness needs pixels that are as large along all axes; use --spacing pixels, "
                 "or resample the image");
    const halo_npy_header header = {.axes = run->domain.axes, .type = HALO_SAMPLE_F32};
    HALO_TRY(halo_array_check(options->thickness, &header));
    return create_field(run, &((distance_job *)run->job)->thickness, sizeof(uint32_t));
}

static halo_status create_fields(app_run *run)
{
    enum { WORD = 64 };
    const distance_options *options = run->options;
    distance_job *job = run->job;
    const halo_domain *domain = &run->domain;
    double pixels = (double)domain->n[0] * (double)domain->n[1] *
                    (domain->axes == HALO_AXES ? (double)domain->n[2] : 1);
    HALO_TRY(app_image_row_cuts(run->image, job->strips.cuts[0], &job->row_cuts));
    run->cuts = job->row_cuts;
    job->type = distance_type(run);
    job->wide = pixels > INT32_MAX;
    HALO_TRY(
        HALO_ALLOCATE(job->missing, domain->n[domain->axes - 1] / WORD + 1, "a row of pixels"));
    HALO_TRY(create_field(run, &job->bits, 0));
    if (options->output != NULL) {
        const halo_npy_header header = {.axes = domain->axes, .type = job->type};
        HALO_TRY(halo_array_check(options->output, &header));
        HALO_TRY(create_field(run, &job->distances, halo_sample_types[job->type].stored));
    }
    if (options->indices != NULL) {
        HALO_TRY(create_field(run, &job->indices, job->wide ? sizeof(int64_t) : sizeof(int32_t)));
    }
    HALO_TRY(create_thickness(run));
    return cli_threshold_keeps(run, &options->threshold)
               ? app_image_create_field(run->image, job->strips.cuts[0], &run->samples)
               : HALO_OK;
}

static halo_status create(app_run *run)
{
    distance_job *job = run->job;
    HALO_TRY(halo_agree(run->world, app_image_strips(run->image, 1, &job->strips)));
    return halo_agree(run->world, create_fields(run));
}

static void find_needs(const app_run *run, app_needs *needs)
{
    const distance_job *job = run->job;
    const halo_distance_options options = {.inverted = true, .indices = job->indices != NULL};
    const halo_box own = halo_partition_box(&job->strips, halo_world_rank(run->world));
    needs->computing = halo_distance_bytes(&run->domain, &own, &options);
    if (job->thickness != NULL) { /* squares once more, and balls for a fourth of all pixels */
        needs->computing += 2 * (int64_t)sizeof(uint32_t) * halo_box_cells(&own);
    }
}

static void destroy(app_run *run)
{
    distance_job *job = run->job;
    halo_field_destroy(&job->bits);
    halo_field_destroy(&job->distances);
    halo_field_destroy(&job->indices);
    halo_field_destroy(&job->thickness);
    halo_partition_free(&job->strips);
    free(job->missing);
    free(job->row_cuts);
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const distance_job *job = run->job;
    return report_line_of_strip(run->world, &run->clock, run->domain.axes, &job->strips);
}

static json_t *threshold_json(const app_run *run)
{
    const distance_options *options = run->options;
    const cli_threshold_range *found = &((const distance_job *)run->job)->threshold;
    bool bounded = options->threshold.kind == THRESHOLD_RANGE;
    halo_sample_type type = found->of.type;
    return json_pack("{s:o, s:o*, s:s, s:b}", "value", cli_sample_json(type, found->within.min),
                     "high", bounded ? cli_sample_json(type, found->within.max) : NULL, "source",
                     threshold_source(&options->threshold), "inverted", (int)options->invert);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const distance_options *options = run->options;
    const distance_job *job = run->job;
    const halo_distance_report *found = &job->report;
    const app_pixel pixel = app_pixel_of(run->image, &options->spacing);
    const char *unit = pixel.unit != HALO_LENGTH_UNKNOWN ? halo_length_name(pixel.unit)
                       : pixel.spaced                    ? ""
                                                         : "pixels";
    json_object_set_new(texts, "unit", json_string(unit));
    bool thick = job->thickness != NULL && !found->infinite;
    double side = pixel.size[HALO_AXES - 1];
    return json_pack("{s:o, s:I, s:I, s:f, s:o, s:b, s:b, s:b, s:b, s:s, s:o, s:o, s:o}",
                     "threshold", threshold_json(run), "pixels", (json_int_t)found->pixels,
                     "foreground_pixels", (json_int_t)found->foreground, "foreground_share",
                     (double)found->foreground / (double)found->pixels, "max_distance",
                     found->infinite ? json_null() : json_real(found->max), "infinite",
                     (int)found->infinite, "squared", (int)options->squared, "signed",
                     (int)options->with_sign, "edge", options->edge != NULL, "type",
                     halo_sample_types[job->type].name, "pixel",
                     app_pixel_json(run->image, &options->spacing), "mean_thickness",
                     thick ? json_real(job->thick.mean * side) : json_null(), "max_thickness",
                     thick ? json_real(job->thick.max * side) : json_null());
}

static const app_line lines[] = {
    {.name = "threshold",
     .text = "{threshold.value}[..{threshold.high}] ({threshold.source}"
             "{threshold.inverted?, inverted}): {100*foreground_share%.2f} % of the pixels are "
             "foreground"},
    {.name = "distances",
     .text =
         "up to {max_distance%.6g} {unit}{signed?, with sign}{edge?, the edges are background}"},
    {.name = "thickness",
     .text = "{mean_thickness%.6g} {unit} in the mean, {max_thickness%.6g} at most"},
    {0}};

const app_command distance_command = {.syntax = &distance_syntax,
                                      .job_bytes = sizeof(distance_job),
                                      .image = true,
                                      .takes_nodata = true,
                                      .image_use = use_image,
                                      .read = read_image,
                                      .create = create,
                                      .needs = find_needs,
                                      .run = distance_compute,
                                      .outputs = distance_outputs,
                                      .lines = lines,
                                      .own = own_line,
                                      .facts = facts,
                                      .destroy = destroy};
