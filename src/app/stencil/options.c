#define _GNU_SOURCE /* asprintf */
#include "app/services/checkpoint.h"
#include "app/services/field_pictures.h"
#include "app/services/movie.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"

#include "app/beats.h"
#include "app/options/values.h"
#include "base/filename_pattern.h"
#include "base/names.h"
#include "io/array/array_write.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* WIDTHxHEIGHTxDEPTH: the last axis, which lies along rows, comes first. */
static halo_status parse_size(const char *text, void *into)
{
    stencil_size *size = into;
    int64_t given[HALO_AXES] = {1, 1, 1};
    int axes = app_scan_sizes(&text, INT32_MAX, HALO_AXES, given);
    *size = (stencil_size){.axes = axes, .n = {1, 1, 1}};
    for (int a = 0; a < axes; a++) {
        size->n[axes - 1 - a] = given[a];
    }
    return axes > 0 && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

void stencil_size_print(const int64_t *n, int axes, const char *between,
                        char text[STENCIL_SIZE_TEXT])
{
    text[0] = '\0';
    for (int a = axes - 1; a >= 0; a--) {
        size_t used = strlen(text);
        snprintf(text + used, STENCIL_SIZE_TEXT - used, "%s%" PRId64, used > 0 ? between : "",
                 n[a]);
    }
}

/* As app_scan_axes; "none" names no axis. */
static int scan_periodic(const char *text)
{
    return strcmp(text, "none") == 0 ? 0 : app_scan_axes(text);
}

static halo_status parse_periodic(const char *text, void *into)
{
    *(const char **)into = text;
    return strcmp(text, "all") == 0 || scan_periodic(text) >= 0 ? HALO_OK : HALO_ARGUMENT;
}

halo_status stencil_set_periodic(const char *text, halo_domain *domain)
{
    const int axes = domain->axes;
    bool all = text != NULL && strcmp(text, "all") == 0;
    int named = text == NULL || all ? 0 : scan_periodic(text);
    for (int name = 0; name < HALO_AXES; name++) {
        int axis = axes - 1 - name;
        bool periodic = (named >> name & 1) != 0;
        HALO_FAIL_IF(periodic && axis < 0, HALO_ARGUMENT,
                     "--periodic %s: there is no axis %c; a grid of %d %s has %s", text,
                     "xyz"[name], axes, axes == 1 ? "axis" : "axes", axes == 1 ? "x" : "y and x");
        if (axis >= 0) {
            domain->periodic[axis] = periodic || all;
        }
    }
    return HALO_OK;
}

bool stencil_output_is_picture(const stencil_options *options)
{
    static const char *const endings[] = {".png", ".ppm", ".pnm"};
    for (size_t i = 0; options->output != NULL && i < sizeof endings / sizeof *endings; i++) {
        if (halo_name_ends(options->output, endings[i])) {
            return true;
        }
    }
    return false;
}

bool stencil_output_is_numbered(const stencil_options *options)
{
    filename_pattern name;
    return options->output != NULL && strchr(options->output, '%') != NULL &&
           halo_filename_parse(&name, options->output) == HALO_OK && name.numbered;
}

static halo_status parse_range(const char *text, void *into)
{
    stencil_range *range = into;
    range->given = halo_scan_number(&text, -DBL_MAX, DBL_MAX, &range->lo) && *text++ == ',' &&
                   halo_scan_number(&text, -DBL_MAX, DBL_MAX, &range->hi) && *text == '\0' &&
                   range->lo < range->hi;
    return range->given ? HALO_OK : HALO_ARGUMENT;
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(stencil_options, option, kind, member)

static const halo_option kernel_rows[] = {
    {ROW("KERNEL", TEXT, kernel), .flags = APP_ARGUMENT,
     .required =
         "which kernel? Give a built-in's name or a shared object's, such as ./mykernel.so"},
    {.type = HALO_OPTION_END}};

#define PACKING_ENTRY(code, name) "|" #name
#define COLOURS_ENTRY(name, help) "|" #name

static const halo_option what_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What is computed:"},
    {ROW("size", CUSTOM, size), .parse = parse_size,
     .takes = "cells along 1 to 3 axes, each from 1 to 2147483647, such as 1000x800 or 64x64x64",
     .value = "WIDTH[xHEIGHT[xDEPTH]]",
     .help = "Cells of a line, columns x rows of a plane, or columns x rows x planes",
     .unless = "1000000, 1000x1000 or 100x100x100, as the kernel has 1, 2 or 3 axes"},
    {ROW("periodic", CUSTOM, periodic), .parse = parse_periodic,
     .takes = "none, all, or axes of x, y and z, such as x or y,x", .value = "none|all|y,x,...",
     .help = "Axes whose opposite edges are neighbours: x along rows, y from row to row, z from "
             "plane to plane",
     .unless = "none; beyond the edges all cells are 0"},
    {ROW("input", INPUT, input), .value = "FILE", .excludes = "restore",
     .why = "a checkpoint has its own cells",
     .help = "Begin with the samples of this array, image or volume, of any format; it also sets "
             "the size",
     .unless = "as the kernel begins"},
    APP_AS_STORED_ROW,
    APP_FOLLOW_LINKS_ROW,
    APP_NODATA_ROW,
    APP_FILL_ROW,
    {ROW("check", FLAG, check), .excludes = "input|output|beats|until|movie|log|checkpoint|restore",
     .why = "it computes a small grid of its own, in place of a run",
     .help =
         "Check the kernel, in place of a run: does it read no farther than its depth says, and "
         "diagonally only if its table says so, and are results the same in all "
         "decompositions and on threads? It names the first cell and neighbour that are not as "
         "they should be"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {APP_BEATS_ROW("beats"), .min = 1, .standard = "100",
     .help = "Update all cells N times, in addition to the beats before a checkpoint"},
    {APP_UNTIL_ROW(app_parse_steady), .takes = "steady", .value = "steady",
     .help = "Continue until nothing changes any more; -n limits the number of beats"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(stencil_options, HALO_ARRAY_ENDINGS "|.png|.ppm|.pnm"), .value = "FILE",
     .flags = APP_BEATS,
     .help = "The cells after the last beat: a picture (.png, .ppm or .pnm), or an "
             "array" HALO_ARRAY_ENDINGS_HELP
             ". A name with a number, such as out-%04d.npy, and --every N: a file every N beats"},
    {ROW("compress", INDEX, packing), .choices = HALO_ARRAY_PACKING_LIST(PACKING_ENTRY),
     .standard = "none", .needs = "output",
     .help = "Compress the cells. deflate (zlib): for -o FILE.tif, .zarr, .mha and .nrrd; lz4 (in "
             "blosc): "
             "for FILE.zarr"},
    {ROW("field", INTEGER, field), .max = HALO_KERNEL_FIELDS - 1, .needs = "output|movie|log",
     .standard = "0", .help = "The kernel's field to write and to show"},
    {ROW("plane", INTEGER, plane), .value = "Z",
     .help = "The plane of a volume that pictures show, from 0", .unless = "the one in the middle"},
    {ROW("range", CUSTOM, range), .parse = parse_range, .value = "LO,HI",
     .takes = "two numbers, the first one below the second, such as 0,1 or 273.15,300",
     .help = "Values shown in the first and in the last colour of pictures; values outside are "
             "shown in these two",
     .unless = "the kernel's own where no --input is given and the cells lie between them; "
               "otherwise the least and the greatest finite number of the first picture in which "
               "cells differ"},
    {ROW("colours", INDEX, colours), .choices = HALO_COLOUR_MAP_LIST(COLOURS_ENTRY),
     .standard = "grey",
     .help = "The colour map of pictures. NaN is red with grey, and grey with the others"},
    {ROW("log", OUTPUT, log), .choices = ".csv",
     .help = "A table with a line every N beats (--every): minimum, maximum and mean of the cells, "
             "the largest change of a cell in that beat, and the number of cells that are not "
             "finite. A run that continues from a checkpoint appends to the log"},
    {.type = HALO_OPTION_END}};

static const halo_option movie_rows[] = {
    {APP_MOVIE_PATH_ROW, .help = "The beats as a movie (needs ffmpeg)"},
    {APP_EVERY_ROW("beats"), .needs = "movie|output|log",
     .help = "Take a picture, add a line to the log, and write an output with a number in its "
             "name, every N beats",
     .unless = "as often as makes at most 600 pictures or lines"},
    {APP_FPS_ROW, .needs = "movie", .help = "Pictures per second of the movie", .unless = "25"},
    {.type = HALO_OPTION_END}};

const app_service_use stencil_services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_checkpoint_service, .with = &stencil_state},
    {.service = &app_field_pictures_service},
    {.service = &app_movie_service, .with = &app_field_drawing, .rows = movie_rows},
    {0}};

/* `halobeat run` names its kernel; a program of one kernel has it, and leaves the first table out.
 */
const halo_option *const stencil_tables[] = {kernel_rows,
                                             what_rows,
                                             app_place_of_results,
                                             app_place_of_runs,
                                             app_how_rows,
                                             app_decomposition_rows,
                                             app_depth_rows,
                                             app_exchange_rows,
                                             app_corner_rows,
                                             app_ranks_rows,
                                             APP_SHARED_TABLES_BUT_ISA};

_Static_assert(sizeof stencil_tables / sizeof stencil_tables[0] < STENCIL_TABLES,
               "STENCIL_TABLES leaves no place for the kernel's options");

/* Options of pictures, and of files of several beats. */
static halo_status check_shown(const app_options *given, const stencil_options *options)
{
    const movie_arguments *shown = app_options_service(given, &app_movie_service);
    bool movie = shown->path != NULL, numbered = stencil_output_is_numbered(options);
    bool pictures = movie || stencil_output_is_picture(options);
    const struct {
        const void *field;
        const char *name;
    } only[] = {
        {&options->plane, "plane"}, {&options->range, "range"}, {&options->colours, "colours"}};
    for (size_t i = 0; !pictures && i < sizeof only / sizeof *only; i++) {
        HALO_FAIL_IF(app_given(given, only[i].field), HALO_ARGUMENT,
                     "--%s needs --movie FILE or -o FILE.png, .ppm or .pnm", only[i].name);
    }
    HALO_FAIL_IF(numbered && shown->every == 0, HALO_ARGUMENT,
                 "-o %s needs --every N: a file for every N beats; or name one file",
                 options->output);
    HALO_FAIL_IF(shown->every > 0 && !movie && !numbered && options->log == NULL, HALO_ARGUMENT,
                 "--every needs --movie FILE, --log FILE, or an output with a place for the number "
                 "of a beat, such as -o out-%%04d.npy");
    return HALO_OK;
}

halo_status stencil_check(const app_options *given, void *context)
{
    stencil_options *into = context;
    filename_pattern name;
    HALO_TRY(app_movie_check_endless(given, context));
    if (into->output != NULL) {
        HALO_TRY(halo_array_check_packing(into->output, (halo_array_packing)into->packing));
        HALO_TRY(halo_filename_parse(&name, into->output));
    }
    HALO_TRY(check_shown(given, into));
    into->plane = app_given(given, &into->plane) ? into->plane : -1;
    return HALO_OK;
}

/* ---- documentation --------------------------------------------------------------------------- */

static bool document(stencil_documentation *text, const stencil_program *program)
{
    static const char *const sizes[] = {"3000x2000", "1000000", "3000x2000", "200x200x200"};
    const halo_kernel *kernel = program->kernel;
    const char *size = sizes[kernel->axes >= 0 && kernel->axes <= HALO_AXES ? kernel->axes : 0];
    return asprintf(&text->about,
                    "%s: %s.\n\n"
                    "A grid of cells is updated again and again, in beats, by any number of ranks "
                    "(threads, or processes that mpiexec starts) that each own a part of it and "
                    "exchange the cells beside their own. The result does not depend on how many "
                    "there are, nor "
                    "on how the grid is cut.",
                    kernel->name, kernel->help) >= 0 &&
           asprintf(&text->notes,
                    "Examples:\n"
                    "  %s --size %s --beats 500 -o out.npy\n"
                    "  %s --ranks 4 --decomposition blocks --balance chain\n"
                    "  %s --beats 100000 --checkpoint state.halo\n"
                    "  %s --restore state.halo --beats 100 --movie out.gif\n\n" APP_EXIT_STATUS,
                    program->name, size, program->name, program->name, program->name) >= 0;
}

halo_status stencil_program_syntax(app_syntax *out, const stencil_program *program,
                                   stencil_documentation *text)
{
    if (!document(text, program)) {
        *text = (stencil_documentation){NULL, NULL};
        return halo_fail(HALO_MEMORY, "out of memory: the help of a kernel");
    }
    *out = (app_syntax){.name = program->name,
                        .about = text->about,
                        .notes = text->notes,
                        .beat = "one update of all cells",
                        .tables = stencil_tables + 1,
                        .services = stencil_services,
                        .bytes = sizeof(stencil_options),
                        .describe = balance_describe,
                        .check = stencil_check};
    return HALO_OK;
}
