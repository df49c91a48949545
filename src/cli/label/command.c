#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "base/scan.h"
#include "cli/commands.h"
#include "cli/label/axes.h"
#include "cli/label/job.h"
#include "core/world/collect.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member)         APP_ROW(label_options, option, kind, member)
#define METHOD_ENTRY(name, merges, help)  "|" #name
#define NUMBERING_ENTRY(code, name, help) "|" #name
#define NAME_ENTRY(code, name)            "|" #name

static const app_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = APP_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".png|" HALO_ARRAY_ENDINGS,
     .flags = APP_NUMBERED,
     .help = "The label of every pixel: 16-bit grey PNG (up to 65535 regions), NumPy array, "
             "BigTIFF, MetaImage (.mha, .mhd), HDF5 for VTK, or NAME.h5:/PATH/IN/IT, raw "
             "samples, PGM, or zarr. Of a volume, a name such as z%04d.png stands for a file a "
             "plane, numbered as those of the input if they are, otherwise from 0"},
    {ROW("out-dtype", INDEX, samples), .choices = LABEL_SAMPLES_LIST(NAME_ENTRY),
     .standard = "auto",
     .help = "Samples of the labels. auto: as scipy has them in .npy (int32, from 2^31 regions on "
             "int64), elsewhere the smallest that hold the last label"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(NAME_ENTRY),
     .standard = "none", .needs = "output",
     .help = "Compress the labels; for -o FILE.zarr. PNG always is, and other files never are"},
    {ROW("colour", OUTPUT, colour), .choices = HALO_COLOUR_ENDINGS, .aliases = "color",
     .flags = APP_NUMBERED,
     .help = "The regions in colours, for looking at; of a volume c%04d.png, a file a plane"},
    {ROW("regions", OUTPUT, regions), .choices = ".csv|.json",
     .help = "One line a region: area, bounding box, centroid, mean, least and largest grey"},
    {ROW("contacts", OUTPUT, contacts), .choices = ".csv|.json", .needs = "values",
     .help = "One line for every two regions that touch: their labels, and over how many faces of "
             "pixels"},
    {ROW("names", INDEX, names), .choices = LABEL_NAMES_LIST(NAME_ENTRY), .standard = "halobeat",
     .needs = "regions",
     .help = "What columns are called: skimage means as regionprops_table has it (bbox-0, "
             "centroid-0, intensity_mean)"},
    {ROW("spacing", CUSTOM, spacing), .parse = label_parse_spacing, .value = "[Z,]Y,X",
     .takes = "two or three numbers above 0: Y,X or Z,Y,X", .needs = "regions|contacts",
     .help = "The size of a pixel along planes, rows and columns: areas (of volumes: volumes) and "
             "centroids, and lengths (areas) of contacts, are in these units"},
    {.type = APP_SECTION, .help = "What is a region:"},
    {THRESHOLD_OF_REGIONS_ROW(label_options),
     .help = "A pixel is foreground if its grey is at least this, in the image's own sample range; "
             "LOW..HIGH: from LOW to HIGH; LOW,HIGH: from LOW on, in regions that reach HIGH "
             "somewhere; local: the mean of the square of RADIUS pixels to each side, less OFFSET, "
             "for images of uneven brightness"},
    {ROW("invert", FLAG, invert), .help = "All other pixels are foreground"},
    {ROW("values", FLAG, values), .excludes = "threshold|invert|fill-holes",
     .help = "Neighbours belong together only if their values are equal, as in label images and "
             "segmentations. Pixels are of any type"},
    {ROW("background", CUSTOM, background), .parse = label_parse_background, .value = "VALUE|none",
     .takes = "a number, or none", .needs = "values", .standard = "0",
     .help = "Pixels of this value belong to no region; NaN never does. Images of clusters have "
             "none"},
    {ROW("delta", REAL, delta), .value = "VALUE", .needs = "values", .max = HUGE_VAL,
     .help = "The same if their values differ by at most this"},
    {ROW("connectivity", CHOICE, connectivity), .letter = 'c', .choices = "4|8|6|18|26",
     .unless = "4, of a volume 6",
     .help = "Neighbours of a pixel: 4 or 8; of a voxel: 6, 18 or 26"},
    {ROW("fill-holes", FLAG, fill_holes),
     .help = "Background that no way leads from to an edge of the image becomes foreground"},
    {ROW("min-area", INTEGER, label.filter.min_area), .unit = "pixels", .value = "PIXELS",
     .aliases = "dust", .help = "Leave out smaller regions and renumber the rest"},
    {ROW("max-area", INTEGER, label.filter.max_area), .unit = "pixels", .value = "PIXELS", .min = 1,
     .help = "Leave out larger regions"},
    {ROW("clear-border", FLAG, label.filter.clear_border),
     .help = "Leave out regions that touch an edge of the image"},
    {ROW("largest", INTEGER, label.filter.largest), .unit = "regions", .value = "REGIONS", .min = 1,
     .help = "Keep so many of those left, the ones of the largest area"},
    {ROW("periodic", FLAG, periodic), .help = "Opposite edges of the image are neighbours"},
    {ROW("periodic-axes", CUSTOM, axes), .parse = label_parse_axes, .value = "AXIS,...",
     .takes = "some of z, y, x with commas between them", .excludes = "periodic",
     .help = "The same only along these: z (planes), y (rows), x (columns)"},
    {ROW("numbering", INDEX, label.numbering),
     .choices = HALO_LABEL_NUMBERING_LIST(NUMBERING_ENTRY), .standard = "scan",
     .help = "scan: 1 to n in raster order of first pixels. seed: the region's largest row-major "
             "pixel index, background pixels -1; needs -o FILE.npy"},
    {.type = APP_END}};

static const app_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("method", CHOICE, label.method), .choices = HALO_LABEL_METHOD_LIST(METHOD_ENTRY),
     .standard = "union",
     .help = "union: label strips, merge along boundaries. settle, sweep: take the largest "
             "neighbouring label until nothing changes. async: the same, without rounds: a message "
             "when borders have changed. --exchange, --corners and --packing are not for union, "
             "which balances strips only"},
    {.type = APP_END}};

static const app_option *const tables[] = {
    what_rows,         app_stack_rows,         app_raw_rows,      app_batch_rows,
    how_rows,          app_decomposition_rows, app_exchange_rows, app_corner_rows,
    app_detector_rows, APP_SHARED_TABLES};

/* Can the file that is asked for hold what is asked of it? */
static halo_status check_output(const label_options *into)
{
    if (into->output == NULL) {
        return HALO_OK;
    }
    if (into->label.numbering == HALO_LABEL_SEED &&
        (!halo_name_ends(into->output, ".npy") || into->samples != LABEL_SAMPLES_AUTO)) {
        return halo_fail(HALO_ARGUMENT,
                         "--numbering seed needs signed samples of 64 bits; use -o FILE.npy "
                         "without --out-dtype");
    }
    if (into->samples > LABEL_SAMPLES_UINT16 &&
        (halo_name_ends(into->output, ".png") || halo_name_ends(into->output, ".pgm"))) {
        return halo_fail(HALO_ARGUMENT, "pictures hold labels of 16 bits; use -o FILE.tif, .npy, "
                                        ".mha or .raw, or leave out --out-dtype");
    }
    if (into->packing != HALO_ARRAY_PACKING_NONE && !halo_array_packs(into->output)) {
        return halo_fail(HALO_ARGUMENT, "--compress is for -o FILE.zarr; leave it out for %s",
                         into->output);
    }
    return HALO_OK;
}

static halo_status check(const app_options *given, void *context)
{
    enum { DECIMAL = 10 };
    label_options *into = context;
    const decomposition_arguments *decomposition = &into->all.decomposition;
    bool merges = halo_label_method_merges(into->label.method);
    (void)given;
    into->label.connectivity =
        into->connectivity != NULL ? (int)strtol(into->connectivity, NULL, DECIMAL) : 0;
    HALO_TRY(check_output(into));
    if (into->contacts != NULL && into->label.numbering == HALO_LABEL_SEED) {
        return halo_fail(HALO_ARGUMENT, "--contacts needs --numbering scan");
    }
    if (into->values && !merges) {
        return halo_fail(HALO_ARGUMENT, "--values needs --method union");
    }
    if (merges && (decomposition->exchange != NULL || decomposition->corners != NULL ||
                   decomposition->packing != NULL)) {
        return halo_fail(HALO_ARGUMENT, "--exchange, --corners and --packing need --method settle, "
                                        "sweep or async; union exchanges no halos");
    }
    if (merges && balance_slows_later(&into->all.common.balance)) {
        return halo_fail(HALO_ARGUMENT, "--slow with @BEAT needs --method settle or sweep; union "
                                        "counts no beats while it labels");
    }
    if (decomposition->detector != NULL && !halo_label_method_is_async(into->label.method)) {
        return halo_fail(HALO_ARGUMENT,
                         "--detector needs --method async; the others end by a vote");
    }
    into->label.async.detector = decomposition->detector;
    return HALO_OK;
}

static const app_syntax label_syntax = {
    .name = "label",
    .summary = "find and number the regions of an image",
    .beat = "a round of exchange between ranks. The method union has nothing to exchange until all "
            "is labelled: boundaries move once, before",
    .about = "Find and number the regions of foreground pixels in an image or a volume.",
    .notes = "Examples:\n"
             "  halobeat label page.png -o labels.png --regions regions.csv\n"
             "  halobeat label cells.png --threshold 40% --min-area 20 --colour colour.png\n"
             "  mpiexec -n 16 halobeat label huge.png -o labels.npy\n\n" APP_MEMORY
             "Exit status: 0 done, 1 failed, 2 unusable arguments, " APP_EXIT_LOST,
    .tables = tables,
    .bytes = sizeof(label_options),
    .describe = balance_describe,
    .check = check,
};

/* ---- from grey to foreground ----------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    const label_options *asked = run->options;
    use->native = true;
    use->samples = asked->values;
    enum { MOST_IN_IMAGES = 8 };
    use->volumes = true;
    use->narrow = asked->label.connectivity == 6 || asked->label.connectivity > MOST_IN_IMAGES;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        use->periodic[axis] = asked->periodic || asked->axes.is[axis];
    }
}

static int64_t grey_levels(const app_run *run)
{
    const label_options *asked = run->options;
    return asked->values ? 1 : INT64_C(1) << run->image.cell_bits;
}

static bool is_array(const label_options *asked)
{
    return asked->output != NULL && !halo_name_ends(asked->output, ".png");
}

/* Blocks side by side, in rows or in planes. */
static bool has_blocks(const label_job *job)
{
    const int *parts = halo_label_partition(job->label)->parts;
    return parts[1] > 1 || parts[2] > 1;
}

static int64_t width_of(const app_run *run)
{
    return run->domain.n[run->domain.axes - 1];
}

/* Bytes of a painted pixel. */
static int64_t pixel_bytes(const label_options *asked)
{
    enum { SEED_BYTES = 8, NUMBER_BYTES = 4, GREY16_BYTES = 2 };
    bool wide = asked->label.numbering == HALO_LABEL_SEED || asked->samples == LABEL_SAMPLES_UINT64;
    return is_array(asked)         ? wide ? SEED_BYTES : NUMBER_BYTES
           : asked->output != NULL ? GREY16_BYTES
                                   : asked->colour != NULL;
}

/* What writing takes on this rank beside labels. */
static int64_t outputs_later(const app_run *run)
{
    const label_options *asked = run->options;
    int64_t labels = asked->output == NULL ? 0
                     : is_array(asked)     ? app_npy_later(run, pixel_bytes(asked) * width_of(run))
                                           : app_png_later(run, HALO_PNG_GREY16);
    int64_t colours = asked->colour != NULL ? app_png_later(run, HALO_PNG_PALETTE) : 0;
    return halo_max(labels, colours);
}

/* One that says how it is cut, and that it is to be balanced, means it. */
static halo_status check_balance(const app_run *run)
{
    const label_job *job = run->job;
    if (run->balance->balancing == NULL || halo_label_can_balance(job->label)) {
        return HALO_OK;
    }
    const int *parts = halo_label_partition(job->label)->parts;
    return halo_fail(
        HALO_ARGUMENT,
        "--balance moves boundaries of strips where --method union labels, and %d x %d x %d "
        "blocks were asked for; use --decomposition strips or another method, or "
        "leave out --balance",
        parts[0], parts[1], parts[2]);
}

/* Left to the program, boundaries that are to move are strips'. */
static const char *choose_parts(const app_run *run)
{
    const label_options *asked = run->options;
    const char *parts = run->arguments->decomposition.parts;
    bool is_auto = parts != NULL && strcmp(parts, "auto") == 0;
    bool balanced =
        run->balance->balancing != NULL && halo_label_method_merges(asked->label.method);
    return is_auto && balanced ? "strips" : parts;
}

static halo_status create_label(app_run *run)
{
    enum { LINE = 64 }; /* bytes of a region in the table's text */
    const label_options *asked = run->options;
    const app_arguments *all = run->arguments;
    label_job *job = run->job;
    halo_label_options options = asked->label;
    options.near = (halo_label_near){label_value_type(run), asked->delta};
    options.measure = asked->regions != NULL;
    options.vote = all->common.vote;
    options.instructions = all->common.instructions;
    options.decomposition = choose_parts(run);
    options.exchange = all->decomposition.exchange;
    options.corner_way = all->decomposition.corners;
    options.packing = all->decomposition.packing;
    options.balancing = run->balance->balancing;
    HALO_TRY(halo_agree(run->world, label_check_image(run)));
    HALO_TRY(halo_agree(run->world, halo_partition_strips(&job->strips, &run->domain,
                                                          halo_world_ranks(run->world))));
    run->cuts = job->strips.cuts[0];
    options.later = outputs_later(run);
    options.later_a_region = asked->regions != NULL ? LINE : 0;
    HALO_TRY(halo_label_create(&job->label, run->world, &run->domain, &job->strips, &options));
    return check_balance(run);
}

/* One that can move where boundaries may. */
static halo_status create_field(const app_run *run, halo_field **out, int cell_bits, int depth)
{
    const label_job *job = run->job;
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    halo_field_options options = {.movable = run->balance->balancing != NULL && !has_blocks(job)};
    return halo_field_create_with(out, &run->domain, &mine, cell_bits, depth, &options);
}

static halo_status create_fields(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    job->streams = label_streams(run);
    if (!job->streams) {
        HALO_TRY(create_field(run, &job->grey, run->image.cell_bits,
                              (int)asked->threshold.local.radius));
    }
    HALO_TRY(create_field(run, &job->foreground, HALO_BIT, 0));
    return HALO_ALLOCATE(job->histogram, grey_levels(run), "a histogram");
}

static halo_status create(app_run *run)
{
    HALO_TRY(create_label(run));
    return halo_agree(run->world, create_fields(run));
}

/* Rows become runs, whose number nobody knows before: the kernel asks again then. Blocks are cut
 * out of strips, a field at a time. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    int64_t rows = bits->owned.n[0];
    int64_t greys = job->streams ? 0 : rows * halo_field_view(job->grey)->stride[0];
    bool stay = asked->regions != NULL || asked->values;
    int64_t kept = stay ? 0 : -greys;
    bool blocks = has_blocks(job);
    int64_t moved = !blocks ? 0 : stay ? greys : rows * bits->stride[0];
    int64_t labels = halo_label_bytes(job->label, &bits->owned) +
                     (asked->fill_holes ? rows * bits->stride[0] : 0);
    needs->computing = kept + halo_max(labels, moved);
    needs->writing += kept + outputs_later(run);
    if (blocks) { /* each is painted, and then strips are made of them */
        int64_t painted = pixel_bytes(asked) * halo_box_cells(&bits->owned);
        needs->writing += 2 * painted + halo_min(painted, APP_ON_THE_WAY);
    }
}

static halo_status label_image(app_run *run)
{
    label_job *job = run->job;
    double begun = halo_seconds();
    progress_phase(&run->progress, "labelling");
    HALO_TRY(halo_label_distribute(job->label, &job->foreground, &job->grey));
    const halo_view *grey = job->grey != NULL ? halo_field_view(job->grey) : NULL;
    halo_status status = halo_label_run(job->label, halo_field_view(job->foreground), grey);
    job->label_seconds = halo_seconds() - begun;
    return status;
}

static void destroy(app_run *run)
{
    label_job *job = run->job;
    halo_label_destroy(&job->label);
    halo_field_destroy(&job->grey);
    halo_field_destroy(&job->foreground);
    halo_partition_free(&job->strips);
    free(job->histogram);
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const label_job *job = run->job;
    const halo_partition *partition = halo_label_partition(job->label);
    halo_box mine = halo_partition_box(partition, halo_world_rank(run->world));
    return report_line_of(halo_label_get_report(job->label), &run->clock, run->domain.axes, mine.n,
                          partition->parts);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    const int *parts = halo_label_partition(job->label)->parts;
    bool local = asked->threshold.kind == THRESHOLD_LOCAL;
    const halo_box whole = {.n = {run->domain.n[0], run->domain.n[1], run->domain.n[2]}};
    double pixels = (double)halo_box_cells(&whole);
    bool solid = run->domain.axes == HALO_AXES, plain = !local && !asked->values;
    int connectivity = asked->label.connectivity > 0 ? asked->label.connectivity : solid ? 6 : 4;
    halo_async_report async = halo_label_get_async_report(job->label);
    if (has_blocks(job)) {
        json_object_set_new(texts, "cut_seconds",
                            json_real(run->report->sum.phases[HALO_PHASE_MIGRATE]));
    }
    return json_pack(
        "{s:{s:o*, s:o*, s:o*, s:o*, s:s, s:b}, s:i, s:b, s:I, s:s, s:s, s:o, s:I, s:I, s:f, s:f, "
        "s:o*, s:s*, s:o*}",
        "threshold", "value", plain ? json_integer(job->greys.min) : NULL, "high",
        job->greys.max < INT64_MAX ? json_integer(job->greys.max) : NULL, "peak",
        job->peak > 0 ? json_integer(job->peak) : NULL, "local",
        local ? json_pack("{s:I, s:f}", "radius", (json_int_t)asked->threshold.local.radius,
                          "offset", asked->threshold.local.offset)
              : NULL,
        "source",
        asked->values ? asked->background.none ? "all values" : "all values but the background"
                      : cli_threshold_source(&asked->threshold),
        "inverted", (int)asked->invert, "connectivity", connectivity, "periodic",
        (int)asked->periodic, "min_area_pixels", (json_int_t)asked->label.filter.min_area,
        "numbering", asked->label.numbering == HALO_LABEL_SEED ? "seed" : "scan", "method",
        asked->label.method, "decomposition", app_fact_parts(run->domain.axes, parts), "regions",
        (json_int_t)halo_label_total(job->label), "lit_pixels", (json_int_t)job->foreground_pixels,
        "lit_share", (double)job->foreground_pixels / pixels, "labelling_seconds",
        job->label_seconds, "async", app_fact_async(&async, asked->label.async.detector), "values",
        asked->values ? halo_image_types[run->image.info.type].name : NULL, "delta",
        asked->values ? json_real(asked->delta) : NULL);
}

static const app_line lines[] = {
    {.name = "threshold",
     .text = "[{threshold.value}][..{threshold.high}][ with {threshold.peak} somewhere][mean of "
             "{threshold.local.radius} pixels to "
             "each side, less {threshold.local.offset}] ({threshold.source})"
             "{threshold.inverted?, inverted}: {100*lit_share%.2f} % of the pixels are foreground"},
    {.name = "regions",
     .text =
         "{regions}, {connectivity}-connected{periodic?, periodic}[, values of type {values} at "
         "most {delta} apart]"},
    {.name = "beats", .text = "{beats} ({method}) in {decomposition}"},
    APP_ASYNC_LINE,
    {0}};

static const app_column batch_columns[] = {{"regions", "{regions}", 9},
                                           {"threshold", "{threshold.value}", 10},
                                           {"foreground", "{lit_share%.6f}", 11},
                                           {0}};

static const app_phase phases[] = {{"read", HALO_PHASE_DECODE},
                                   {"distribute", HALO_PHASE_DISTRIBUTE},
                                   {"label", HALO_PHASE_COMPUTE},
                                   {"exchange", HALO_PHASE_EXCHANGE},
                                   {"vote", HALO_PHASE_VOTE},
                                   {"merge", HALO_PHASE_MERGE},
                                   {"write", HALO_PHASE_ENCODE},
                                   {"cut", HALO_PHASES}, /* of blocks */
                                   {0}};

const app_command label_command = {.syntax = &label_syntax,
                                   .job_bytes = sizeof(label_job),
                                   .image = true,
                                   .image_use = use_image,
                                   .read = label_read_image,
                                   .create = create,
                                   .needs = find_needs,
                                   .fill = label_find_foreground,
                                   .run = label_image,
                                   .outputs = label_outputs,
                                   .lines = lines,
                                   .batch = batch_columns,
                                   .phases = phases,
                                   .own = own_line,
                                   .facts = facts,
                                   .destroy = destroy};
