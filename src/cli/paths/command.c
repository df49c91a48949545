#include "app/frame.h"
#include "app/options/values.h"
#include "app/paths/planes.h"
#include "app/report/facts.h"
#include "app/services/balance.h"
#include "app/services/checkpoint.h"
#include "base/standard.h"
#include "cli/commands.h"
#include "cli/paths/job.h"
#include "io/array/picture.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

halo_status paths_refuse_place(const char *option, const char *text)
{
    return halo_fail(HALO_ARGUMENT,
                     "%s takes a column and a row from 0 on, such as 10,20 (of a volume also a "
                     "plane, such as 10,20,5; of a graph vertices from 1 on, such as 17), or the "
                     "name of a file%s, not \"%.100s\"",
                     option,
                     strcmp(option, "--from") == 0 ? ", such as FILE.csv or FILE.png"
                                                   : " that ends in .csv",
                     text);
}

static halo_status parse_places(const char *text, halo_places *places, bool pictures)
{
    bool file = halo_places_is_list(text) || (pictures && app_is_file_name(text));
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    halo_status status = halo_places_add(places, text, file);
    return status == HALO_FORMAT ? paths_refuse_place(pictures ? "--from" : "--to", text) : status;
}

static halo_status parse_from(const char *text, void *into)
{
    return parse_places(text, into, true);
}

static halo_status parse_to(const char *text, void *into)
{
    return parse_places(text, into, false);
}

/* ---- costs ----------------------------------------------------------------------------------- */

static halo_status parse_barrier(const char *text, void *into)
{
    halo_paths_barriers *barriers = into;
    if (strcmp(text, "nan") == 0) { /* as it always is */
        return HALO_OK;
    }
    if (strcmp(text, "negative") == 0) {
        barriers->negative = true;
        return HALO_OK;
    }
    double value;
    const char *end = text;
    HALO_FAIL_IF(!halo_scan_number(&end, -DBL_MAX, DBL_MAX, &value) || *end != '\0', HALO_ARGUMENT,
                 "--barrier takes a number, nan or negative, not \"%.100s\"", text);
    HALO_FAIL_IF(barriers->count == HALO_PATHS_BARRIERS, HALO_ARGUMENT,
                 "--barrier takes %d values at most; make them one value", HALO_PATHS_BARRIERS);
    barriers->values[barriers->count++] = value;
    return HALO_OK;
}

/* "SIDE", "X,Y" or "X,Y,Z" */
static halo_status parse_cell_size(const char *text, void *into)
{
    static const double least = 1e-9, most = 1e9;
    paths_cell_size *size = into;
    *size = (paths_cell_size){.count = 0};
    bool good, more = true;
    do {
        good = halo_scan_number(&text, least, most, &size->along[HALO_AXES - 1 - size->count]);
        size->count++;
        more = good && *text == ',' && size->count < HALO_AXES;
        text += more;
    } while (more);
    for (int axis = 0; axis < HALO_AXES && size->count == 1; axis++) {
        size->along[axis] = size->along[HALO_AXES - 1];
    }
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

/* ---- rasters and graphs ---------------------------------------------------------------------- */

/* Rasters and graphs have the same options, but for some that only one of them can follow. */

unsigned paths_method_traits(const char *name)
{
    static const struct {
        const char *name;
        unsigned traits;
    } methods[] = {
#define METHOD_TRAITS(name, traits) {#name, traits},
        PATHS_METHOD_LIST(METHOD_TRAITS)
#undef METHOD_TRAITS
    };
    for (size_t i = 0; name != NULL && i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return methods[i].traits;
        }
    }
    return 0;
}

bool paths_is_text(const char *path)
{
    return path != NULL && !halo_array_is_one(path) && !halo_picture_is_one(path) &&
           !app_planes_in_folder(path);
}

bool paths_is_mask(const halo_places *places)
{
    return places->path != NULL && !halo_places_is_list(places->path);
}

typedef struct {
    const char *name;
    size_t offset;           /* of one option; or */
    const halo_option *rows; /* a table of them */
} only_rasters;

static const only_rasters refused[] = {
    {.name = "--neighbours", .offset = offsetof(paths_options, neighbours)},
    {.name = "--barrier", .offset = offsetof(paths_options, barriers)},
    {.name = "--cell-size", .offset = offsetof(paths_options, cell_size)},
    {.name = "--overlay", .offset = offsetof(paths_options, overlay)},
    {.name = "--beats", .offset = offsetof(paths_options, all.beats)},
    {.name = "--checkpoint or --restore", .rows = app_checkpoint_rows},
    {.name = "--decomposition", .rows = app_decomposition_rows},
    {.name = "--exchange", .rows = app_exchange_rows},
    {.name = "--corners or --packing", .rows = app_corner_rows},
    {.name = "--balance with its options", .rows = app_balance_rows}};

static halo_status check_graph(const app_options *given, const paths_options *options)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        bool is_given = refused[i].rows != NULL
                            ? app_any_given(given, refused[i].rows)
                            : app_given(given, (const char *)options + refused[i].offset);
        HALO_FAIL_IF(is_given, HALO_ARGUMENT,
                     "%.200s is a graph, and %s is for rasters; leave it out",
                     options->all.image.first, refused[i].name);
    }
    HALO_FAIL_IF(paths_is_mask(&options->from), HALO_ARGUMENT,
                 "--from %.200s: a picture of sources is for rasters; give vertices of the graph, "
                 "or a CSV file with one on each line",
                 options->from.path);
    HALO_FAIL_IF(options->nearest != NULL && halo_picture_is_one(options->nearest), HALO_ARGUMENT,
                 "--nearest %.200s: a graph has no picture; write .npy, .csv or .txt",
                 options->nearest);
    const char *arrays[] = {options->output, options->nearest};
    const halo_npy_header numbers = {.axes = 1, .width = 1, .type = HALO_SAMPLE_F64};
    for (int i = 0; i < 2; i++) {
        bool one = arrays[i] != NULL && halo_array_is_one(arrays[i]);
        HALO_TRY(one ? halo_array_check(arrays[i], &numbers) : HALO_OK);
    }
    const char *method = options->method;
    HALO_FAIL_IF((paths_method_traits(method) & PATHS_ROUNDS) != 0, HALO_ARGUMENT,
                 "--method %s is for rasters; for graphs use bucket, central, decentral or async",
                 method);
    bool detects = method == NULL || (paths_method_traits(method) & PATHS_DETECTS) != 0;
    return HALO_REQUIRE(detects || options->all.decomposition.detector == NULL, HALO_ARGUMENT,
                        "--detector needs --method async or decentral, not %s", method);
}

static halo_status check_raster(const paths_options *given)
{
    const char *texts[] = {given->output, given->nearest};
    static const char *const options[] = {"--output", "--nearest"};
    for (int i = 0; i < 2; i++) {
        HALO_FAIL_IF(paths_is_text(texts[i]), HALO_ARGUMENT,
                     "%s %.200s: of rasters it is an array; write .npy", options[i], texts[i]);
    }
    return HALO_OK;
}

static halo_status check(const app_options *given, void *into)
{
    const paths_options *options = into;
    const char *name = options->all.image.first;
    return name != NULL && halo_dimacs_is_one(name) ? check_graph(given, options)
                                                    : check_raster(options);
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member)  HALO_OPTION_ROW(paths_options, option, kind, member)
#define METHOD_ENTRY(name, traits) "|" #name

static const halo_option what_rows[] = {
    {APP_FRAME_ROW("COSTS.png|.npy|GRAPH.gr", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .file = offsetof(app_arguments, image.first),
     .flags = APP_ARGUMENT,
     .required = "which costs? Give the name of an image, of a NumPy array or of a graph (.gr)"},
    {.type = HALO_OPTION_SECTION, .help = "From where to where:"},
    {ROW("from", CUSTOM, from), .parse = parse_from, .file = offsetof(paths_options, from.path),
     .flags = APP_REPEATS, .value = "X,Y[,Z]|VERTEX|FILE.csv|IMAGE",
     .required = "where do paths begin? Give --from X,Y or --from FILE",
     .help = "A source: column X of row Y, of a volume in plane Z, from 0 on; of a graph a vertex, "
             "or several, V,W. Or a file of places, x,y or x,y,z on each line; or an "
             "image of the same size, whose pixels are sources where they are not 0. May be "
             "given several times for several places: sources are numbered from 1 on"},
    {ROW("to", CUSTOM, to), .parse = parse_to, .file = offsetof(paths_options, to.path),
     .flags = APP_REPEATS, .value = "X,Y[,Z]|VERTEX|FILE.csv",
     .help = "A target, to which the path from the nearest source is traced; or a file of them. "
             "May be given several times"},
    {.type = HALO_OPTION_SECTION, .help = "What a step costs:"},
    {ROW("neighbours", CHOICE, neighbours), .choices = "4|8|16|6|18|26", .standard = "8",
     .flags = APP_SAVED,
     .help = "Neighbours of a cell: 4 beside it, 8 with the diagonal ones, 16 with a knight's "
             "moves; of a volume 6 at its faces, 18 with those at edges, 26 with those at corners, "
             "as unless it is given. A step costs its length times the mean of the costs of its "
             "cells"},
    {ROW("barrier", CUSTOM, barriers), .parse = parse_barrier, .flags = APP_REPEATS,
     .value = "VALUE|nan|negative",
     .help =
         "Cells that cannot be entered: those of cost VALUE; negative: those of a cost below 0. "
         "Infinite costs, NaN (nan) and cells that are missing (--nodata) are always barriers. "
         "May be given several times"},
    {ROW("cell-size", CUSTOM, cell_size), .parse = parse_cell_size, .value = "SIDE|X,Y[,Z]",
     .takes = "one number from 1e-9 to 1e9, two, or of a volume three", .unless = "1",
     .help = "The side of a cell, or its width, its height and, in a volume, its depth"},
    {ROW("max-distance", REAL, kernel.max_distance), .max = 1e300, .value = "DISTANCE",
     .flags = APP_SAVED, .unless = "0: without limit",
     .help = "Cells farther away than this are not reached"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {APP_BEATS_ROW("beats"), .min = 1, .unless = "until all distances are final",
     .help = "Beats at most, in addition to those before a checkpoint"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(paths_options, HALO_ARRAY_NUMBERS_ENDINGS "|.csv|.txt"), .value = "FILE",
     .flags = APP_NUMBERED,
     .help = "The distance of every cell from the nearest source, infinite where there is no "
             "path, as float64 in an array" HALO_ARRAY_NUMBERS_HELP ". For a graph also as a table "
             "(.csv), or as text with one number a line (.txt)"},
    {ROW("nearest", OUTPUT, nearest), .value = "FILE", .flags = APP_NUMBERED,
     .choices = HALO_ARRAY_NUMBERS_ENDINGS "|.csv|.txt|" HALO_COLOUR_ENDINGS,
     .help = "The number of every cell's nearest source, the smallest if several are as near; 0 "
             "where there is no path: an array, a picture in colours, or, for a graph, a text"},
    {ROW("path", OUTPUT, path), .choices = ".csv", .needs = "to",
     .help = "The cells of the paths from sources to targets, one a line"},
    {ROW("overlay", OUTPUT, overlay), .choices = HALO_COLOUR_ENDINGS,
     .help = "The costs of an image as a picture with sources, targets and the paths between them"},
    {.type = HALO_OPTION_END}};

static const halo_option how_rows[] = {
    APP_HOW_SECTION,
    {ROW("method", CHOICE, method), .choices = PATHS_METHOD_LIST(METHOD_ENTRY),
     .unless = "bucket on one rank, else async",
     .help =
         "async: each rank processes its queue, and sends changes at its boundaries at once, until "
         "a detector finds all queues empty. settle: in rounds, with an exchange after each quota. "
         "bucket: a bucket queue on one rank. For comparison: central: rank 0 hands out cells or "
         "vertices of one queue; decentral: each rank has a first-in, first-out queue"},
    {ROW("quota", INTEGER, kernel.quota), .unit = "cells", .unless = "chosen",
     .help = "Cells that a rank processes before it looks for messages, or in a round (there 16384 "
             "by default); 0: until its queue is empty"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {
    what_rows,         app_choice_rows,        app_raw_rows,      app_place_of_runs,
    how_rows,          app_decomposition_rows, app_exchange_rows, app_corner_rows,
    app_detector_rows, APP_SHARED_TABLES};

static const app_service_use services[] = {
    APP_SHARED_SERVICES, {.service = &app_checkpoint_service, .with = &paths_state}, {0}};

const app_syntax paths_syntax = {
    .name = "paths",
    .summary = "find distances and shortest paths on a raster of costs",
    .beat = "what is done from one exchange of all boundaries to the next: without rounds until "
            "all queues are empty, or a tenth of a second; in rounds a quota of cells",
    .about =
        "Find the distance of every cell of a raster of costs, an image or a volume, from the "
        "nearest source, and the shortest paths to targets; or the same for the vertices of a "
        "graph.\n\n"
        "Costs are the greys of a picture or the numbers of an array; a step costs the "
        "mean of its cells' costs times its length. Distances are those of scikit-image's "
        "MCP_Geometric and of GRASS's r.cost, to the last bit, on any number of ranks.\n\n"
        "Graphs are files in the DIMACS format (.gr, .gr.gz); their weights are 0 or more. "
        "--from and --to are then vertices, from 1 on, and options about cells, boundaries and "
        "beats are refused.",
    .notes =
        "Examples:\n"
        "  halobeat paths cost.png --from 10,20 --to 400,300 --path path.csv --overlay path.png\n"
        "  halobeat paths slope.tif --nodata -1 --from huts.csv --nearest hut.npy -o hours.npy\n"
        "  halobeat paths maze.png --barrier 0 --neighbours 4 --from 1,1 -o steps.npy\n"
        "  halobeat paths roads.gr --from 17 --to 99,1234 -o distances.npy --path path.csv\n"
        "  halobeat paths vessels.tif --from 10,20,0 --to 80,60,31 --path path.csv\n"
        "  halobeat paths huge.npy --from cities.png -o d.npy "
        "--checkpoint d.halo\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(paths_options),
    .describe = app_detectors_describe,
    .check = check,
};

/* ---- the command ----------------------------------------------------------------------------- */

/* No option's value is the name of a graph. */
static int call(halo_world *all, int argc, char **argv)
{
    bool is_graph = false;
    for (int i = 1; i < argc; i++) {
        is_graph = is_graph || (argv[i][0] != '-' && halo_dimacs_is_one(argv[i]));
    }
    return app_main(all, is_graph ? &paths_graph_command : &paths_raster_command, "halobeat paths",
                    NULL, argc, argv);
}

const app_command paths_command = {.syntax = &paths_syntax, .call = call};
