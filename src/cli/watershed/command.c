#include "app/batch/batch.h"
#include "app/options/kept.h"
#include "app/paths/planes.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/watershed/job.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(watershed_options, option, kind, member)
#define PACKING_WORD(code, name)  "|" #name

static const halo_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "What is flooded:"},
    {ROW("markers", CUSTOM, markers), .parse = watershed_parse_markers,
     .file = offsetof(watershed_options, markers.path), .value = "FILE|minima[:H]",
     .takes = "the name of an image, or minima or minima:H with a height H of 0 or more",
     .required = "from where? Give --markers FILE, or --markers minima:H",
     .help = "FILE: an image of the same size with numbers from 1 on in pixels of markers, and 0 "
             "elsewhere, such as that of halobeat label. minima:H: the minima of the image that "
             "are deeper than H, numbered by their first pixels; minima: all of them"},
    {ROW("mask", INPUT, mask), .value = "FILE",
     .help = "An image of the same size that is 0 where pixels do not belong to the image: they "
             "get the label 0, and floods go around them, as around missing pixels"},
    {HALO_OPTION_ROW(watershed_options, "threshold", CUSTOM, threshold), .letter = 't',
     .parse = threshold_parse,
     .takes = "otsu, nonzero, a grey value, 0% to 100%, or a range LOW..HIGH of such values",
     .value = "otsu|nonzero|VALUE|VALUE%|LOW..HIGH", .excludes = "mask", .unless = "no mask",
     .help = "In place of a mask: pixels belong to the image if their sample is at least this, or "
             "in the range"},
    {ROW("invert", FLAG, invert), .needs = "threshold",
     .help = "Pixels belong to the image if the threshold says that they do not"},
    {ROW("connectivity", CHOICE, connectivity), .letter = 'c', .choices = "4|8|6|18|26",
     .unless = "4, of a volume 6",
     .help = "Neighbours of a pixel: 4, or 8 with those at corners; of a voxel: 6 at its faces, 18 "
             "with those at edges, 26 with those at corners"},
    {ROW("line", FLAG, line),
     .help = "Pixels that have a neighbour of a smaller label become 0, so that lines part the "
             "basins"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".png" HALO_ARRAY_ENDINGS,
     .value = "FILE", .flags = APP_NUMBERED | APP_LABELS, .required = "where to? Give -o FILE",
     .help = "The label of every pixel: .png (16-bit grey, labels up to "
             "65535)" HALO_ARRAY_ENDINGS_HELP ". For a volume, a name such as z%04d.png means one "
             "file a plane; FOLDER/ means FOLDER/z%04d.png"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(PACKING_WORD),
     .standard = "none", .help = "Compress the labels, where the format can"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,        app_stack_rows,    app_choice_rows,
                                            app_raw_rows,     app_place_of_runs, app_how_rows,
                                            APP_SHARED_TABLES};

static const app_column batch_columns[] = {
    {"markers", "{marker_pixels}", 8}, {"minima", "{minima}", 7}, {"reached", "{reached}", 9}, {0}};

static const app_service_use services[] = {
    {.service = &app_memory_service},
    APP_SHARED_BUT_BALANCE,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {0}};

static const app_syntax watershed_syntax = {
    .name = "watershed",
    .summary = "divide an image or a volume into basins of markers",
    .beat = "a flood of each rank's strip, and an exchange of borders",
    .about =
        "Divide an image into basins: it is flooded from markers, from low samples to high ones, "
        "and each pixel gets the label of the marker whose water reaches it first.\n\n"
        "The result is that of scikit-image's watershed where neighbours have no equal samples. "
        "Where they have, it does not depend on an order of work: it is the same for any number of "
        "ranks, and for a mirrored image. docs/watershed.md has the definition.",
    .notes =
        "Examples:\n"
        "  halobeat watershed gradient.tif --markers cells.tif -o basins.tif\n"
        "  halobeat watershed relief.tif --markers minima:15 --line -o basins.png\n"
        "  halobeat watershed distance.nrrd --markers peaks.nrrd --mask mask.nrrd -o parts.nrrd\n"
        "  halobeat watershed 'plates/*.png' --markers minima:8 -t otsu -o "
        "'out/{name}.tif'\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(watershed_options),
};

/* ---- making ---------------------------------------------------------------------------------- */

/* 0: the fewest. */
static int connectivity_of(const app_run *run)
{
    const char *text = ((const watershed_options *)run->options)->connectivity;
    return text != NULL ? (int)strtol(text, NULL, 10) : 0;
}

static void use_image(const app_run *run, app_image_options *use)
{
    enum { FACES = 6, EDGES = 18, CORNERS = 26 };
    int connectivity = connectivity_of(run);
    use->want = HALO_IMAGE_NATIVE;
    use->volumes = true;
    use->narrow = connectivity == FACES || connectivity == EDGES || connectivity == CORNERS;
    use->solid = use->solid || use->narrow;
}

static halo_status allocate(app_run *run)
{
    enum { WORD = 64 };
    watershed_job *job = run->job;
    const watershed_options *options = run->options;
    int64_t width = run->domain.n[run->domain.axes - 1];
    HALO_TRY(app_image_row_cuts(run->image, job->strips.cuts[0], &job->row_cuts));
    run->cuts = job->row_cuts;
    HALO_TRY(HALO_ALLOCATE(job->bits, width / WORD + 1, "a row"));
    HALO_TRY(HALO_ALLOCATE(job->bytes, width + WORD, "a row"));
    HALO_TRY(HALO_ALLOCATE(job->labels, width, "a row"));
    bool keeps =
        app_was_given(run, &options->threshold) && cli_threshold_keeps(run, &options->threshold);
    return keeps ? app_image_create_field(run->image, job->strips.cuts[0], &job->kept) : HALO_OK;
}

static halo_status create(app_run *run)
{
    watershed_job *job = run->job;
    const watershed_options *options = run->options;
    const halo_watershed_options how = {.type = app_image_type(run->image),
                                        .connectivity = connectivity_of(run),
                                        .line = options->line,
                                        .minima = options->markers.minima,
                                        .instructions = run->arguments->common.instructions};
    HALO_TRY(halo_agree(run->world, app_image_strips(run->image, 1, &job->strips)));
    HALO_TRY(halo_agree(run->world, allocate(run)));
    return halo_watershed_create(&job->watershed, run->world, &run->domain, &job->strips, &how);
}

static void find_needs(const app_run *run, app_needs *needs)
{
    const watershed_options *options = run->options;
    const watershed_job *job = run->job;
    enum { LABEL_BYTES = 4, BYTE_BITS = 8 };
    needs->writing += options->output == NULL
                          ? 0
                          : app_npy_later(run, run->domain.n[run->domain.axes - 1] * LABEL_BYTES);
    if (run->image->info.nodata.missing != HALO_MISSING_NEVER) {
        const halo_box own = halo_partition_box(&job->strips, halo_world_rank(run->world));
        needs->reading += halo_box_cells(&own) / BYTE_BITS;
    }
    needs->remedy = "a smaller image";
}

/* ---- computing ------------------------------------------------------------------------------- */

static halo_status compute(app_run *run)
{
    const watershed_job *job = run->job;
    const watershed_options *options = run->options;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_watershed_run(job->watershed);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    HALO_TRY(status);
    const halo_watershed_report found = halo_watershed_get_report(job->watershed);
    HALO_FAIL_IF(found.reached + found.unreached == 0, HALO_ARGUMENT,
                 "no pixel is in the mask; use another --mask or -t");
    return HALO_REQUIRE(found.markers > 0, HALO_ARGUMENT,
                        "%s has no marker in the mask: all pixels there are 0; use other markers, "
                        "or --markers minima:H",
                        options->markers.path);
}

static void destroy(app_run *run)
{
    watershed_job *job = run->job;
    halo_watershed_destroy(&job->watershed);
    halo_field_destroy(&job->kept);
    halo_partition_free(&job->strips);
    free(job->row_cuts);
    free(job->bits);
    free(job->bytes);
    free(job->labels);
    free(job->row);
    halo_memory_free(job->missing);
}

/* ---- the labels ------------------------------------------------------------------------------ */

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const watershed_job *job = run->job;
    int64_t width = run->domain.n[run->domain.axes - 1],
            before = job->row_cuts[halo_world_rank(run->world)];
    for (int64_t i = 0; i < rows; i++) {
        halo_watershed_rows(job->watershed, first + i - before, 1, job->labels, 0);
        halo_sample_to_whole(HALO_SAMPLE_I32, job->labels, width, job->type,
                             (char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_status prepare(app_run *run)
{
    const watershed_options *options = run->options;
    watershed_job *job = run->job;
    int64_t largest = halo_watershed_get_report(job->watershed).largest;
    job->type = app_planes_are_png(options->output)
                    ? HALO_SAMPLE_U16
                    : halo_array_label_type(options->output, largest);
    HALO_FAIL_IF(job->type == HALO_SAMPLE_U16 && largest > UINT16_MAX, HALO_FORMAT,
                 "the label %" PRId64 " does not fit in the 16 bits of %s, which hold %d; use -o "
                 "FILE.npy or FILE.tif, or fewer markers",
                 largest, options->output, UINT16_MAX);
    run->writing->about = (halo_array_about){.name = "labels",
                                             .labels = true,
                                             .geometry = run->image->info.geometry,
                                             .geotiff = run->image->info.geotiff,
                                             .packing = (halo_array_packing)options->packing};
    return HALO_OK;
}

static halo_status write_labels(app_run *run, const char *path)
{
    const watershed_job *job = run->job;
    return app_planes_are_png(path) ? app_write_png(run, path, HALO_PNG_GREY16, fill_rows)
                                    : app_write_array(run, path, job->type, fill_rows);
}

static const app_output outputs[] = {{.option = offsetof(watershed_options, output),
                                      .phase = "writing",
                                      .write = write_labels,
                                      .prepare = prepare},
                                     {0}};

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const watershed_job *job = run->job;
    return report_line_of_strip(run->world, &run->clock, run->domain.axes, &job->strips);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const watershed_job *job = run->job;
    const watershed_options *options = run->options;
    const halo_watershed_report found = halo_watershed_get_report(job->watershed);
    json_t *minima = options->markers.path == NULL ? json_integer(found.minima) : json_null();
    (void)texts;
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "markers",
                     app_fact_text(options->markers.path), "minima", minima, "marker_pixels",
                     (json_int_t)found.markers, "largest_label", (json_int_t)found.largest,
                     "reached", (json_int_t)found.reached, "unreached", (json_int_t)found.unreached,
                     "rounds", (json_int_t)found.rounds);
}

static const app_line lines[] = {
    {.name = "markers",
     .text = "[{minima} minima of ][{markers}: ]{marker_pixels} pixel{s:marker_pixels}; the "
             "largest label is {largest_label}"},
    {.name = "basins",
     .text = "{reached} pixel{s:reached}[; {unreached>0} of the mask are not joined to a marker]"},
    {.name = "rounds", .verbose = true, .text = "{rounds} exchanges of borders"},
    {0}};

const app_command watershed_command = {.syntax = &watershed_syntax,
                                       .job_bytes = sizeof(watershed_job),
                                       .image = true,
                                       .takes_nodata = true,
                                       .image_use = use_image,
                                       .read = watershed_read,
                                       .create = create,
                                       .needs = find_needs,
                                       .run = compute,
                                       .outputs = outputs,
                                       .lines = lines,
                                       .own = own_line,
                                       .facts = facts,
                                       .destroy = destroy};
