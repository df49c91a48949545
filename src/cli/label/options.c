#include "app/batch/batch.h"
#include "app/options/values.h"
#include "app/paths/planes.h"
#include "app/services/slowdown.h"
#include "app/services/tasks.h"
#include "base/names.h"
#include "cli/label/job.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"
#include "io/npy/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The options of `halobeat label`, and checks of them. */

/* ---- values of options ----------------------------------------------------------------------- */

static halo_status parse_axes(const char *text, void *into)
{
    label_axes *axes = into;
    int named = app_scan_axes(text);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        axes->is[axis] = named >= 0 && (named >> (HALO_AXES - 1 - axis) & 1) != 0;
    }
    return named >= 0 ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_background(const char *text, void *into)
{
    enum { WHITE = 100 };
    label_background *background = into;
    bool white = strcmp(text, "white") == 0;
    *background = (label_background){.none = strcmp(text, "none") == 0};
    if (white || strcmp(text, "black") == 0) {
        background->in_name = true;
        background->ground = (halo_image_ground){white ? WHITE : 0, true};
        return HALO_OK;
    }
    if (background->none) {
        return HALO_OK;
    }
    bool good = halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, &background->value);
    background->in_name = good && *text == '%';
    background->ground = (halo_image_ground){background->value.value, background->in_name};
    text += background->in_name;
    bool fits =
        !background->in_name || (background->value.value >= 0 && background->value.value <= WHITE);
    return good && fits && *text == '\0' && isfinite(background->value.value) ? HALO_OK
                                                                              : HALO_ARGUMENT;
}

static halo_status parse_delta(const char *text, void *into)
{
    halo_number *delta = into;
    return halo_scan_exact(&text, 0, HUGE_VAL, delta) && *text == '\0' && isfinite(delta->value)
               ? HALO_OK
               : HALO_ARGUMENT;
}

const halo_sample_type label_sample_types[] = {[LABEL_SAMPLES_UINT16] = HALO_SAMPLE_U16,
                                               [LABEL_SAMPLES_UINT32] = HALO_SAMPLE_U32,
                                               [LABEL_SAMPLES_UINT64] = HALO_SAMPLE_U64};

/* ---- rows ------------------------------------------------------------------------------------ */

#define ROW(option, kind, member)         HALO_OPTION_ROW(label_options, option, kind, member)
#define METHOD_ENTRY(name, merges, help)  "|" #name
#define NUMBERING_ENTRY(code, name, help) "|" #name
#define NAME_ENTRY(code, name)            "|" #name

static const halo_option what_rows[] = {
    APP_IMAGE_OPTION,
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".png" HALO_ARRAY_ENDINGS,
     .value = "FILE", .flags = APP_NUMBERED | APP_LABELS,
     .help =
         "The label of every pixel: .png (16-bit grey, up to 65535 regions)" HALO_ARRAY_ENDINGS_HELP
         ". For a volume, a name such as z%04d.png "
         "means one file a plane, with the numbers of the input files, or from 0; FOLDER/ "
         "means FOLDER/z%04d.png"},
    {ROW("out-dtype", INDEX, samples), .choices = LABEL_SAMPLES_LIST(NAME_ENTRY),
     .standard = "auto", .needs = "output",
     .help = "Type of the labels. auto: in .npy that of scipy (int32, or int64 from 2^31 regions "
             "on), elsewhere the smallest type that holds the largest label"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(NAME_ENTRY),
     .standard = "none", .needs = "output",
     .help =
         "Compress the labels. deflate (zlib): for -o FILE.tif, .zarr, .mha and .nrrd, makes the "
         "smallest files; lz4 (in blosc): for FILE.zarr, is the fastest to read. PNG files are "
         "always compressed"},
    {ROW("colour", OUTPUT, colour), .choices = HALO_COLOUR_ENDINGS, .flags = APP_NUMBERED,
     .help = "A picture with each region in its own colour; for a volume c%04d.png, one file a "
             "plane, or FOLDER/"},
    {ROW("polygons", OUTPUT, polygons), .choices = ".geojson|.zip",
     .help =
         "Regions as polygons along the sides of pixels, of an image of two axes. .geojson: "
         "GeoJSON, in pixels from the corner of the first one on, or on the map of a GeoTIFF file, "
         "with the columns of --properties. .zip: an archive of ImageJ's regions of interest "
         "(RoiSet.zip)"},
    {ROW("outline", OUTPUT, outline), .choices = HALO_COLOUR_ENDINGS, .flags = APP_NUMBERED,
     .help = "The picture with the edges of regions drawn on it; for a "
             "volume o%04d.png, one file a plane, or FOLDER/"},
    {ROW("regions", OUTPUT, regions), .choices = ".csv|.json",
     .help = "A table with one line a region: area, bounding box, centroid, and the mean, minimum "
             "and maximum of its samples"},
    {ROW("contacts", OUTPUT, contacts), .choices = ".csv|.json", .needs = "values|split",
     .help = "A table with one line for every two regions that touch: their labels, and the number "
             "of pixel faces that they share"},
    {ROW("names", INDEX, names), .choices = CLI_REGION_NAMES_LIST(NAME_ENTRY),
     .standard = "halobeat", .needs = "regions|polygons",
     .help = "Names of the columns. american: mean_gray. skimage: those of regionprops_table "
             "(bbox-0, centroid-0, intensity_mean)"},
    {CLI_PROPERTIES_ROW(label_options), .needs = "regions|polygons",
     .help = "The columns of the table, these only, by the names of scikit-image's regionprops, in "
             "this order: " LABEL_PROPERTY_LIST(CLI_PROPERTY_NOTE) CLI_PROPERTY_SHORT
     "standard: label to max_value, where the image has them; standard,perimeter adds the "
     "perimeter to these. all: all that the image has"},
    {ROW("measure", CUSTOM, measured), .parse = cli_measured_parse, .value = "FILE,...",
     .flags = APP_REPEATS, .needs = "regions|polygons",
     .takes = "names of images, 16 at most, with commas between",
     .help = "Measure the samples of these images of the same shape in place of the image's own: a "
             "column for each, such as mean_grey-0 (of a single one mean_grey). With many images "
             "{name} and {dir} are those of each"},
    {APP_SPACING_ROW(label_options), .needs = "regions|polygons|contacts|output|facts",
     .help = "Distance from one plane (of a volume), row and column to the next, such as .325um or "
             "'2,.5,.5 um'; SIDE: the same along all axes. Areas, centroids, lengths and contacts "
             "are in these "
             "units, boxes in pixels; headers of files that have a place for it record it. pixels: "
             "pixels are counted, whatever the file says"},
    CLI_WHOLE_ROWS(label_options),
    {.type = HALO_OPTION_SECTION, .help = "What is a region:"},
    {THRESHOLD_OF_REGIONS_ROW(label_options),
     .help =
         "A pixel is foreground if its sample is at least VALUE, in units of the samples "
         "(-300, 0.5). nonzero: if it is not 0. VALUE%: of white for 8 and 16 bits, otherwise of "
         "the range from "
         "minimum to maximum. LOW..HIGH: from LOW to HIGH. LOW,HIGH (hysteresis): from LOW on, "
         "in regions that reach HIGH somewhere. local: at least the mean of the square (or "
         "cube) of R pixels to each side, minus OFFSET; for grey images of uneven "
         "brightness, of more than R pixels along each axis. NaN and pixels that are missing "
         "(--nodata) are background"},
    APP_RANGE_ROW,
    {ROW("invert", FLAG, invert),
     .help = "Exchange foreground and background; pixels that are missing stay background"},
    {ROW("values", FLAG, values), .excludes = "threshold|invert|fill-holes",
     .help = "Regions are neighbouring pixels of equal value, as in label images and "
             "segmentations. Samples of any type"},
    {ROW("delta", CUSTOM, delta), .parse = parse_delta, .value = "VALUE", .needs = "values",
     .takes = "a number from 0 on",
     .help =
         "With --values: neighbours belong to one region if their values differ by at most VALUE"},
    {ROW("background", CUSTOM, background), .parse = parse_background,
     .value = "VALUE|none|black|white", .takes = "a number, none, black, white, or a percentage",
     .standard = "0",
     .help =
         "With --values: pixels of this value belong to no region, nor do NaN and pixels that are "
         "missing; use none for "
         "images of clusters. Otherwise the grey behind transparent pixels: black, white, a "
         "grey of the image's own range, or a percentage of white"},
    {ROW("connectivity", CHOICE, connectivity), .letter = 'c', .choices = "4|8|6|18|26",
     .unless = "4, of a volume 6",
     .help = "Neighbours of a pixel: 4, or 8 with those at corners; of a voxel: 6 at its faces, 18 "
             "with those at edges, 26 with those at corners"},
    {ROW("mask-filter", TEXT, mask_filter), .value = "'STEP ...'",
     .excludes = "values|periodic|periodic-axes",
     .why = "it filters the foreground of an image with edges",
     .help =
         "Filter the foreground before it is labelled: steps of `halobeat filter` on bits, with "
         "blanks between them, such as 'fill_holes remove_small_objects:20'"},
    {ROW("split", CUSTOM, split), .parse = label_parse_split, .value = "distance|intensity[:H]",
     .offers = "distance|intensity", .excludes = "values|periodic|periodic-axes",
     .why = "it splits objects of the foreground of an image with edges",
     .takes = "distance or intensity, and a height of 0 or more behind a colon",
     .help =
         "Objects that touch become regions of their own: one for each peak that is more than H "
         "above the pass to a higher one. distance: peaks of the distance from the background, "
         "H in pixels, .75 unless it is given. intensity: the brightest pixels (with --invert the "
         "darkest), H in units of the samples, or 0. Regions have 8 or 26 neighbours then, unless "
         "--connectivity says otherwise"},
    {ROW("fill-holes", FLAG, fill_holes),
     .help = "Background that is not connected to an edge of the image becomes foreground"},
    {ROW("min-area", INTEGER, label.filter.min_area), .unit = "pixels", .value = "PIXELS",
     .aliases = "dust",
     .help = "Remove regions smaller than this, and number the others anew; also called --dust"},
    {ROW("max-area", INTEGER, label.filter.max_area), .unit = "pixels", .value = "PIXELS", .min = 1,
     .help = "Remove regions larger than this"},
    {ROW("clear-border", FLAG, label.filter.clear_border),
     .help = "Remove regions that touch an edge of the image, or a face of the volume"},
    {ROW("largest", INTEGER, label.filter.largest), .unit = "regions", .value = "REGIONS", .min = 1,
     .help = "Keep only this many of the remaining regions, the largest ones"},
    {ROW("periodic", FLAG, periodic), .help = "Opposite edges of the image are neighbours"},
    {ROW("periodic-axes", CUSTOM, axes), .parse = parse_axes, .value = "AXIS,...",
     .offers = "z|y|x", .takes = "some of z, y, x with commas between them", .excludes = "periodic",
     .help =
         "Opposite edges are neighbours along these axes only: z (planes), y (rows), x (columns)"},
    {ROW("numbering", INDEX, label.numbering),
     .choices = HALO_LABEL_NUMBERING_LIST(NUMBERING_ENTRY), .standard = "scan",
     .help = "scan: 1 to n, in raster order of the regions' first pixels. seed: the largest "
             "row-major index of the region's pixels, and -1 for background; needs -o FILE.npy"},
    {.type = HALO_OPTION_END}};

static const halo_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("method", CHOICE, label.method), .choices = HALO_LABEL_METHOD_LIST(METHOD_ENTRY),
     .standard = "union",
     .help = "union: label each part, then merge labels along boundaries. settle, sweep: each "
             "pixel takes the largest neighbouring label until nothing changes. async: the same "
             "without rounds; a rank sends a message when its border has changed. union takes none "
             "of --exchange, --corners and --packing, and balances strips only"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {
    what_rows,         app_stack_rows,    app_choice_rows,        app_raw_rows,
    app_place_of_runs, how_rows,          app_decomposition_rows, app_exchange_rows,
    app_corner_rows,   app_detector_rows, APP_SHARED_TABLES};

/* ---- checks of options alone
 * ---------------------------------------------------------------------------------- */

/* Can the file that is asked for hold what is asked of it? */
static halo_status check_output(const label_options *into)
{
    if (into->output == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(
        into->label.numbering == HALO_LABEL_SEED &&
            (halo_array_label_type(into->output, INT64_MAX) != HALO_SAMPLE_I64 ||
             into->samples != LABEL_SAMPLES_AUTO),
        HALO_ARGUMENT,
        "--numbering seed needs signed samples of 64 bits; use -o FILE.npy without --out-dtype");
    HALO_FAIL_IF(into->samples > LABEL_SAMPLES_UINT16 && app_planes_are_png(into->output),
                 HALO_ARGUMENT,
                 "pictures hold labels of 16 bits; use -o FILE.tif, .npy, .mha or .raw, or leave "
                 "out --out-dtype");
    if (into->samples != LABEL_SAMPLES_AUTO && !app_planes_are_png(into->output)) {
        const halo_npy_header header = {.axes = 2, .type = label_sample_types[into->samples]};
        HALO_TRY(halo_array_check(into->output, &header));
    }
    return halo_array_check_packing(into->output, (halo_array_packing)into->packing);
}

/* The background is a value with --values, and a grey otherwise. */
static halo_status check_background(const app_options *given, const label_options *into)
{
    const label_background *background = &into->background;
    HALO_FAIL_IF(!into->values && (background->none || background->value.value < 0), HALO_ARGUMENT,
                 "--background %s needs --values", app_given_text(given, background));
    HALO_FAIL_IF(into->values && background->in_name, HALO_ARGUMENT,
                 "--background %s is a grey; with --values it takes a number, or none",
                 app_given_text(given, background));
    return HALO_OK;
}

static halo_status check_areas(const halo_region_filter *filter)
{
    return HALO_REQUIRE(filter->max_area == 0 || filter->min_area <= filter->max_area,
                        HALO_ARGUMENT,
                        "--min-area %" PRId64 " and --max-area %" PRId64
                        " leave no region; --max-area must not be less than --min-area",
                        filter->min_area, filter->max_area);
}

static halo_status check(const app_options *given, void *context)
{
    enum { DECIMAL = 10 };
    label_options *into = context;
    const decomposition_arguments *decomposition = &into->all.decomposition;
    bool merges = halo_label_method_merges(into->label.method);
    into->label.connectivity =
        into->connectivity != NULL ? (int)strtol(into->connectivity, NULL, DECIMAL) : 0;
    HALO_TRY(check_output(into));
    HALO_TRY(check_areas(&into->label.filter));
    HALO_TRY(cli_measured_check_names(&into->measured, "measure"));
    HALO_FAIL_IF(into->contacts != NULL && into->label.numbering == HALO_LABEL_SEED, HALO_ARGUMENT,
                 "--contacts needs --numbering scan");
    HALO_TRY(check_background(given, into));
    HALO_FAIL_IF(into->all.range.given && into->threshold.kind != THRESHOLD_LOCAL, HALO_ARGUMENT,
                 "--range needs -t local:R; other thresholds are held against samples as they are");
    HALO_FAIL_IF(into->values && !merges, HALO_ARGUMENT, "--values needs --method union");
    HALO_FAIL_IF(into->split.given && !merges, HALO_ARGUMENT, "--split needs --method union");
    HALO_FAIL_IF(merges && (decomposition->exchange != NULL || decomposition->corners != NULL ||
                            decomposition->packing != NULL),
                 HALO_ARGUMENT,
                 "--exchange, --corners and --packing need --method settle, sweep or async; union "
                 "exchanges no halos");
    HALO_FAIL_IF(
        merges && app_slowdown_comes_later(app_options_service(given, &app_slowdown_service)),
        HALO_ARGUMENT,
        "--slow with @BEAT needs --method settle or sweep; union counts no beats while it labels");
    HALO_FAIL_IF(decomposition->detector != NULL && !halo_label_method_is_async(into->label.method),
                 HALO_ARGUMENT, "--detector needs --method async; the others end by a vote");
    into->label.async.detector = decomposition->detector;
    return HALO_OK;
}

/* ---- checks of the image --------------------------------------------------------------------- */

/* --background for an image without transparent pixels is refused as a mistake; among many images
 * some may be transparent. */
static halo_status check_ground(const app_run *run)
{
    const label_options *options = run->options;
    const halo_image_ground *ground = &options->background.ground;
    HALO_FAIL_IF(!run->image->info.alpha && !app_is_one_of_many(run), HALO_ARGUMENT,
                 "%s has no transparent pixels for --background; leave it out, or add --values if "
                 "pixels of that value are to be no region",
                 run->image->path);
    if (ground->percent) {
        return HALO_OK;
    }
    HALO_TRY(cli_threshold_check_share("--background", ground->value, run->image->maximum));
    return HALO_REQUIRE(
        ground->value <= (double)run->image->maximum, HALO_ARGUMENT,
        "--background %g is beyond this image's samples, which go from 0 to %" PRId64,
        ground->value, run->image->maximum);
}

/* Does the image have what --background is for? */
static halo_status check_background_of_image(const app_run *run)
{
    const label_background *requested = &((const label_options *)run->options)->background;
    bool values = ((const label_options *)run->options)->values;
    bool is_zero = !requested->none && requested->value.value >= 0 && requested->value.value <= 0;
    if (!values) {
        return app_was_given(run, requested) ? check_ground(run) : HALO_OK;
    }
    return HALO_REQUIRE(is_zero || label_value_type(run) != HALO_LABEL_NONE, HALO_ARGUMENT,
                        "%s has pixels of one bit, whose background is 0; leave out --background, "
                        "or save them as uint8",
                        run->image->path);
}

static halo_status check_range(const app_run *run)
{
    HALO_FAIL_IF(
        run->arguments->range.given && !label_makes_greys(run), HALO_ARGUMENT,
        "%s has samples of type %s, which -t local compares as they are; leave out --range",
        run->image->path, halo_sample_types[run->image->info.type].name);
    return HALO_OK;
}

/* Formats of arrays have all planes in one file, but those of pictures have not. */
static bool is_flat(const char *path)
{
    return path != NULL && !halo_array_holds(path, HALO_SAMPLE_U8, 3) &&
           !app_planes_are_named(path);
}

static halo_status check_flat(const app_run *run)
{
    const label_options *options = run->options;
    const char *path = run->image->path;
    const char *named = app_planes_are_named(options->output)    ? options->output
                        : app_planes_are_named(options->colour)  ? options->colour
                        : app_planes_are_named(options->outline) ? options->outline
                                                                 : NULL;
    HALO_FAIL_IF(named != NULL, HALO_ARGUMENT,
                 "%s is an image of one plane, and \"%s\" stands for a file a plane; leave out the "
                 "place for a number",
                 path, named);
    HALO_FAIL_IF(options->axes.is[0], HALO_ARGUMENT,
                 "%s is an image without an axis z; --periodic-axes can be y, x, or y,x", path);
    return HALO_OK;
}

static halo_status check_axes(const app_run *run)
{
    const label_options *options = run->options;
    if (run->domain.axes != HALO_AXES) {
        return check_flat(run);
    }
    HALO_FAIL_IF(options->spacing.count == 2, HALO_ARGUMENT,
                 "%s is a volume, and --spacing %g,%g has no distance between its planes; give "
                 "three numbers: planes, rows, columns",
                 run->image->path, options->spacing.size[1], options->spacing.size[2]);
    HALO_FAIL_IF(is_flat(options->output) ||
                     (options->colour != NULL && !app_planes_are_named(options->colour)) ||
                     (options->outline != NULL && !app_planes_are_named(options->outline)),
                 HALO_ARGUMENT,
                 "%s is a volume, whose labels are no picture; use a name such as labels-%%04d.png "
                 "for a file a plane, or -o FILE.tif, .npy, .mha or .raw",
                 run->image->path);
    return HALO_OK;
}

halo_status label_check_image(const app_run *run)
{
    HALO_TRY(check_background_of_image(run));
    HALO_TRY(label_check_properties(run));
    HALO_TRY(check_range(run));
    HALO_TRY(cli_polygons_check(run, ((const label_options *)run->options)->polygons));
    HALO_TRY(((const label_options *)run->options)->outline != NULL ? cli_outline_check(run->image)
                                                                    : HALO_OK);
    return check_axes(run);
}

/* ---------------------------------------------------------------------------------------------- */

static const app_column batch_columns[] = {{"regions", "{regions}", 9},
                                           {"threshold", "{threshold.value}", 10},
                                           {"foreground", "{foreground_share%.6f}", 11},
                                           {0}};

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_batch_service, .with = batch_columns},
    {.service = &app_tasks_service, .rows = app_image_tasks_rows},
    {0}};

const app_syntax label_syntax = {
    .name = "label",
    .summary = "find and number the regions of an image",
    .beat = "a round of exchange between ranks. The method union has nothing to exchange until all "
            "is labelled: boundaries move once, before",
    .about = "Find and number the regions of foreground pixels in an image or a volume.",
    .notes = "Examples:\n"
             "  halobeat label page.png -o labels.png --regions regions.csv\n"
             "  halobeat label cells.png --threshold 40% --min-area 20 --colour colour.png\n"
             "  halobeat label stack.tif -c 26 -o labels.npy --regions regions.csv\n"
             "  halobeat label cells.npy --values --contacts contacts.csv\n"
             "  mpiexec -n 64 halobeat label huge.png -o labels.npy (on a cluster)\n\n" APP_MEMORY
             "Exit status: 0 done, 1 failed, 2 unusable arguments, " APP_EXIT_LOST,
    .tables = tables,
    .services = services,
    .bytes = sizeof(label_options),
    .describe = app_detectors_describe,
    .check = check,
};
