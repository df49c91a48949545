#include "cli/life/options.h"

#include "cli/life/values.h"

#define FIELD(member) .offset = offsetof(life_arguments, member)
#define OWN_GRID      "a checkpoint has its own grid and rule"

static const app_option grid_rows[] = {
    {.name = "PATTERN",
     .type = APP_CUSTOM,
     FIELD(pattern),
     .flags = APP_ARGUMENT,
     .parse = life_parse_pattern,
     .takes = "the name of a file, or soup:WIDTHxHEIGHT:DENSITY[:SEED] with a density of 0 to 1 or "
              "0% to 100% and a seed from 0 on, such as soup:1024x768:35%:7",
     .required = "which pattern? Give the name of a file, or a soup such as soup:1024x768:35%",
     .instead = "restore",
     .excludes = "restore",
     .why = "a checkpoint has its own cells"},
    {.type = APP_SECTION, .help = "The grid:"},
    {.name = "rule",
     .type = APP_CUSTOM,
     FIELD(rule),
     .parse = life_parse_rule,
     .value = "RULE",
     .excludes = "restore",
     .why = OWN_GRID,
     .help = "Rule of births and survivals, of Life-like or Generations kind, or its name; Golly's "
             "bounded grid may follow (B3/S23:T100,80)",
     .unless = "the file's, or B3/S23"},
    {.name = "topology",
     .type = APP_CUSTOM,
     FIELD(topology),
     .parse = life_parse_topology,
     .value = "plane|dead|torus|cylinder|T100,80",
     .excludes = "restore",
     .why = OWN_GRID,
     .help = "plane: grows as the pattern does. dead: cells beyond the edges are dead. torus: "
             "opposite edges are neighbours. cylinder: left and right edges are neighbours. "
             "T100,80 or P100,80: Golly's torus and dead border, with 0 for an axis that grows",
     .unless = "the rule's, or else torus for a soup, dead for a picture or array, plane for any "
               "other pattern"},
    {.name = "size",
     .type = APP_CUSTOM,
     FIELD(size),
     .parse = life_parse_size,
     .takes = "WIDTHxHEIGHT in cells, from 1x1 on, such as 640x480",
     .value = "WIDTHxHEIGHT",
     .excludes = "restore",
     .why = OWN_GRID,
     .help = "Cells of a bounded grid",
     .unless = "the pattern's own size"},
    {.name = "at",
     .type = APP_CUSTOM,
     FIELD(at),
     .parse = life_parse_at,
     .takes = "COLUMN,ROW, such as 10,20",
     .value = "X,Y",
     .excludes = "restore",
     .why = OWN_GRID,
     .help = "Column and row of the pattern's upper left cell in the grid",
     .unless = "in the middle, or where the file says"},
    {.type = APP_SECTION, .help = "How far:"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .unit = "generations",
     .standard = "100",
     .help = "Compute N generations, after those that the pattern or checkpoint has behind it"},
    {.name = "generations",
     .letter = 'g',
     .type = APP_INTEGER,
     FIELD(beats),
     .unit = "generations",
     .flags = APP_HIDDEN,
     .help = "The old spelling of --beats"},
    {.name = "until",
     .type = APP_CUSTOM,
     FIELD(until),
     .parse = life_parse_until,
     .value = "steady|cycle:N",
     .aliases = "stop-when",
     .help = "Stop earlier. steady: when nothing changes any more. cycle:N: when the grid is as it "
             "was N generations before, compared every N generations"},
    {.type = APP_END}};

#define OUTPUT_ENTRY(code, ending)    "|" ending
#define STYLE_ENTRY(code, name, help) "|" #name
static const app_option result_rows[] = {
    {.type = APP_SECTION, .help = "Results:"},
    {.name = "output",
     .letter = 'o',
     .type = APP_OUTPUT,
     FIELD(output),
     .choices = LIFE_OUTPUT_LIST(OUTPUT_ENTRY),
     .help = "The last generation: the live cells as a pattern, or all of a bounded grid as a "
             "picture or NumPy array"},
    {.name = "population",
     .type = APP_OUTPUT,
     FIELD(population),
     .choices = ".csv|.json",
     .help = "A table of population, births and deaths"},
    {.name = "every",
     .type = APP_INTEGER,
     FIELD(movie.every),
     .min = 1,
     .unit = "generations",
     .needs = "population|frames|movie|watch",
     .help = "Take a line of the table and a picture every N generations",
     .unless = "1 for the table; for pictures, as often as makes at most 600"},
    {.name = "frames",
     .type = APP_OUTPUT,
     FIELD(frames),
     .takes = "the name of a folder",
     .value = "DIR",
     .help = "Pictures DIR/frame-GENERATION.png"},
    {.name = "movie",
     .type = APP_OUTPUT,
     FIELD(movie.path),
     .choices = ".gif|.mp4|.png|.apng",
     .help = "The pictures as a movie (needs ffmpeg)"},
    {.name = "scale",
     .type = APP_CUSTOM,
     FIELD(scale),
     .parse = life_parse_scale,
     .value = "N|1/N",
     .needs = "frames|movie",
     .help = "Pixels a cell, or cells a pixel, of all pictures",
     .unless = "as suits their size"},
    {.name = "style",
     .type = APP_INDEX,
     FIELD(style),
     .choices = HALO_PICTURE_STYLE_LIST(STYLE_ENTRY),
     .needs = "frames|movie",
     .help = "trail: cells fade over a few pictures after their death. plain: they do not",
     .unless = "plain if pictures are more than 16 generations apart, or else trail"},
    {.name = "view",
     .type = APP_CUSTOM,
     FIELD(view),
     .parse = life_parse_view,
     .takes = "all, or WIDTHxHEIGHT+COLUMN+ROW in cells, such as 200x100+0-20",
     .value = "WIDTHxHEIGHT+X+Y|all",
     .needs = "frames|movie|watch",
     .help = "Cells to show in pictures; all: the grid, or what is ever alive of a plane",
     .unless = "all, but of a plane no more than 320x180 cells around the pattern"},
    {.name = "fps",
     .type = APP_INTEGER,
     FIELD(movie.frames_per_second),
     .min = 1,
     .max = 60,
     .unit = "pictures per second",
     .help = "Pictures per second of a movie, or of --watch with --every",
     .unless = "25 of a movie, 10 of --watch"},
    {.name = "watch",
     .type = APP_FLAG,
     FIELD(watch),
     .help = "Show the grid in the terminal while it lives; with --every, each N-th generation"},
    {.type = APP_END}};
#undef OUTPUT_ENTRY
#undef STYLE_ENTRY

static const app_option how_rows[] = {APP_HOW_SECTION, {.type = APP_END}};

static const app_table tables[] = {
    {grid_rows, 0, NULL},
    {result_rows, 0, NULL},
    {app_checkpoint_rows, offsetof(life_arguments, saving), NULL},
    {how_rows, 0, NULL},
    {app_decomposition_rows, offsetof(life_arguments, cutting), NULL},
    {app_depth_rows, offsetof(life_arguments, cutting), NULL},
    {app_exchange_rows, offsetof(life_arguments, cutting), NULL},
    APP_COMMON_TABLES(life_arguments),
    {NULL, 0, NULL}};

static halo_status check(const app_options *given, void *context)
{
    const life_arguments *into = context;
    const int64_t *n = into->topology.n;
    bool paced = into->watch && into->movie.every > 0;
    if (app_given(given, &into->movie.frames_per_second) && into->movie.path == NULL && !paced) {
        return halo_fail(HALO_ARGUMENT, "--fps needs --movie FILE, or --watch with --every N");
    }
    if (into->size[HALO_LIFE_COLUMNS] > 0 && (n[0] > 0 || n[1] > 0)) {
        return halo_fail(HALO_ARGUMENT,
                         "the grid's size is given twice, by --topology %.100s and --size %.100s; "
                         "leave one of them out",
                         app_given_text(given, &into->topology), app_given_text(given, into->size));
    }
    return HALO_OK;
}

const app_syntax life_syntax = {
    .name = "life",
    .beat = "a generation",
    .about = "Compute generations of Life or another cellular automaton.\n\n"
             "PATTERN is a file (RLE, .cells, Life 1.05 or 1.06, PNG, .npy) or "
             "soup:WIDTHxHEIGHT:DENSITY[:SEED], cells alive at random.",
    .notes = "Examples:\n"
             "  halobeat life soup:4096x4096:35% -n 1000 --population soup.csv --every 10\n"
             "  halobeat life gun.rle -n 300 --movie gun.gif\n"
             "  halobeat life gun.rle -n 300 --watch --every 1\n"
             "  mpiexec -n 16 halobeat life soup:9000x9000:35% -n 9999 --checkpoint c.halo\n"
             "  halobeat life --restore c.halo -n 1000 -o soup.rle\n\n"
             "HALOBEAT_MEMORY=8G in the environment: no more than that for grids on a "
             "machine.\n" APP_EXIT_STATUS,
    .tables = tables,
    .bytes = sizeof(life_arguments),
    .describe = balance_describe,
    .check = check,
};
