#include "cli/life/options.h"

#include "cli/life/values.h"
#include "io/table/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_RULE = 256,
    KEY_TOPOLOGY,
    KEY_SIZE,
    KEY_AT,
    KEY_POPULATION,
    KEY_EVERY,
    KEY_FRAMES,
    KEY_MOVIE,
    KEY_SCALE,
    KEY_STYLE,
    KEY_VIEW,
    KEY_FPS,
    KEY_HALO_DEPTH,
    KEY_STOP_WHEN,
    KEY_CHECKPOINT,
    KEY_CHECKPOINT_EVERY,
    KEY_RESTORE,
    KEY_WATCH
};

static const int64_t MOST_GENERATIONS = INT64_MAX / 4;
enum { MOST_FRAMES_PER_SECOND = 60 };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "The grid:", 1},
    {"rule", KEY_RULE, "B3/S23", 0,
     "Rule of births and survivals, of Life-like or Generations kind, or its name; Golly's bounded "
     "grid may follow (B3/S23:T100,80). Default: the file's, or B3/S23",
     0},
    {"topology", KEY_TOPOLOGY, "plane|dead|torus|cylinder|T100,80", 0,
     "plane: grows as the pattern does. dead: all around it is dead. torus: opposite edges are "
     "neighbours. cylinder: left and right are. T100,80 or P100,80: Golly's torus and dead border, "
     "0 for an axis that grows. Default: the rule's, or else torus for a soup, dead for a picture "
     "or array, plane for any other pattern",
     0},
    {"size", KEY_SIZE, "WxH", 0, "Cells of a bounded grid (default: the pattern's own size)", 0},
    {"at", KEY_AT, "X,Y", 0,
     "Column and row of the pattern's upper left cell in the grid (default: in the middle, or "
     "where "
     "the file says)",
     0},
    {0, 0, 0, 0, "How far:", 2},
    {"generations", 'g', "N", 0,
     "Compute this many generations more than the pattern or checkpoint has behind it (default: "
     "100)",
     0},
    {"stop-when", KEY_STOP_WHEN, "still|period:N", 0,
     "Stop before that when nothing changes any more, or (looked at every N generations) when all "
     "is as N generations before",
     0},
    {0, 0, 0, 0, "Results:", 3},
    {"output", 'o', "FILE.rle|.cells|.png|.npy", 0,
     "The last generation: the live cells as a pattern, or all of a bounded grid as a picture or "
     "NumPy array",
     0},
    {"population", KEY_POPULATION, "FILE.csv|FILE.json", 0,
     "A table of population, births and deaths", 0},
    {"every", KEY_EVERY, "N", 0,
     "Take a line of the table and a frame every N generations (default: 1 for a table, at most "
     "600 frames for pictures)",
     0},
    {"frames", KEY_FRAMES, "DIR", 0, "Pictures DIR/frame-GENERATION.png", 0},
    {"movie", KEY_MOVIE, "FILE.gif|.mp4|.png", 0, "The frames as a movie (needs ffmpeg)", 0},
    {"scale", KEY_SCALE, "N|1/N", 0, "Pixels a cell, or cells a pixel, of all pictures", 0},
    {"style", KEY_STYLE, "trail|plain", 0,
     "trail: cells fade over a few frames after their death (default with a frame every 16 "
     "generations or more often). plain: they do not",
     0},
    {"view", KEY_VIEW, "WxH+X+Y|all", 0,
     "Cells to show in pictures; all: the grid, or what is ever alive of a plane (default: that, "
     "but of a plane no more than 320x180 cells around the pattern)",
     0},
    {"fps", KEY_FPS, "N", 0, "Frames per second of a movie (default: 25)", 0},
    {"watch", KEY_WATCH, 0, 0,
     "Show the grid in the terminal while it lives; with --every, each N-th generation", 0},
    {0, 0, 0, 0, "Interruptions:", 4},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0,
     "Save the state there at the end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and", 0},
    {"checkpoint-every", KEY_CHECKPOINT_EVERY, "N", 0, "every N generations", 0},
    {"restore", KEY_RESTORE, "FILE", 0, "Go on from a checkpoint instead of a PATTERN", 0},
    {"halo-depth", KEY_HALO_DEPTH, "auto|K", 0,
     "Generations between two exchanges with other ranks (default: auto, by measuring)",
     ARGUMENTS_HOW},
    {"decomposition", CUTTING_DECOMPOSITION, "strips|blocks|AxB|auto", 0,
     "How the grid is cut between ranks: into strips of rows (the default), into as many blocks "
     "with "
     "short edges, into A rows of B blocks, or as a model predicts to be fastest",
     ARGUMENTS_HOW},
    {"exchange", CUTTING_EXCHANGE, "p2p|persistent|neighbour|shared", 0,
     "How halos come from other ranks (default: p2p)", ARGUMENTS_HOW},
    {0},
};

static const char documentation[] =
    "Compute generations of Life or another cellular automaton.\n\n"
    "PATTERN is a file (RLE, .cells, Life 1.05 or 1.06, PNG, .npy) or "
    "soup:WIDTHxHEIGHT:DENSITY[:SEED], cells alive at random."
    "\vExamples:\n"
    "  halobeat life soup:4096x4096:35% -g 1000 --population soup.csv --every 10\n"
    "  halobeat life gun.rle -g 300 --movie gun.gif\n"
    "  halobeat life gun.rle -g 300 --watch --every 1\n"
    "  mpiexec -n 16 halobeat life soup:9000x9000:35% -g 9999 --checkpoint c.halo\n"
    "  halobeat life --restore c.halo -g 1000 -o soup.rle\n\n"
    "HALOBEAT_MEMORY=8G in the environment: no more than that for grids on a\n"
    "machine.\n"
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
    "make 0), 2 unusable arguments.";

static const char *const styles[] = {
#define STYLE_ENTRY(code, name, help) #name,
    HALO_PICTURE_STYLE_LIST(STYLE_ENTRY)
#undef STYLE_ENTRY
        NULL};

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    life_arguments *into = parse->into;
    halo_table_format format;
    switch (key) {
    case 'o':
        return life_parse_output(parse, path);
    case KEY_POPULATION:
        into->population = path;
        return halo_table_format_from_path(path, &format) == HALO_OK
                   ? 0
                   : arguments_complain(
                         parse, "--population takes a name ending in .csv or .json, not \"%s\"",
                         path);
    case KEY_FRAMES:
        into->frames = path;
        return *path != '\0' ? 0 : arguments_complain(parse, "--frames takes a folder's name");
    case KEY_MOVIE:
        into->movie = path;
        return 0; /* its ending is checked with everything else about it */
    case KEY_CHECKPOINT:
        into->checkpoint = path;
        return 0;
    case KEY_RESTORE:
        into->restore = path;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    life_arguments *into = parse->into;
    static const char *const from_one = "a number of generations from 1 on";
    switch (key) {
    case 'g':
        return arguments_integer(parse, "generations", "a number of generations from 0 on", text, 0,
                                 MOST_GENERATIONS, &into->generations);
    case KEY_EVERY:
        return arguments_integer(parse, "every", from_one, text, 1, MOST_GENERATIONS, &into->every);
    case KEY_CHECKPOINT_EVERY:
        return arguments_integer(parse, "checkpoint-every", from_one, text, 1, MOST_GENERATIONS,
                                 &into->checkpoint_every);
    case KEY_FPS:
        return arguments_integer(parse, "fps", "1 to 60 frames per second", text, 1,
                                 MOST_FRAMES_PER_SECOND, &into->frames_per_second);
    case KEY_HALO_DEPTH:
        return cutting_parse_depth(parse, "generations", text, &into->cutting.halo_depth);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_value(const arguments_parse *parse, int key, const char *text)
{
    life_arguments *into = parse->into;
    switch (key) {
    case KEY_RULE:
        return life_parse_rule(parse, text);
    case KEY_TOPOLOGY:
        return life_parse_topology(parse, text);
    case KEY_SIZE:
        return life_parse_size(parse, text);
    case KEY_AT:
        return life_parse_at(parse, text);
    case KEY_VIEW:
        return life_parse_view(parse, text);
    case KEY_SCALE:
        return life_parse_scale(parse, text);
    case KEY_STOP_WHEN:
        return life_parse_stop(parse, text);
    case KEY_STYLE: {
        int chosen = arguments_choose(parse, "style", text, styles);
        into->style = (halo_picture_style)chosen;
        into->has_style = true;
        return chosen < 0 ? EINVAL : 0;
    }
    default:
        return cutting_parse(parse, key, text, &into->cutting);
    }
}

/* An option that says nothing without another one. */
typedef struct {
    bool given, has_what_it_needs;
    const char *complaint;
} requirement;

static error_t check_requirements(const arguments_parse *parse)
{
    const life_arguments *into = parse->into;
    bool frames = into->frames != NULL || into->movie != NULL;
    const requirement requirements[] = {
        {into->every != 0, frames || into->population != NULL || into->watch,
         "--every is about --population, --frames, --movie and --watch; name one of them"},
        {into->scale != 0, frames, "--scale is about --frames and --movie; name one of them"},
        {into->has_style, frames, "--style is about --frames and --movie; name one of them"},
        {into->has_view || into->view_all, frames || into->watch,
         "--view is about --frames, --movie and --watch; name one of them"},
        {into->frames_per_second != 0, into->movie != NULL || (into->watch && into->every != 0),
         "--fps is about --movie, or --watch with --every"},
        {into->checkpoint_every != 0, into->checkpoint != NULL,
         "--checkpoint-every needs --checkpoint FILE"},
        {into->stop_when_still, into->period == 0, "--stop-when takes one of still and period:N"},
    };
    for (size_t i = 0; i < sizeof requirements / sizeof requirements[0]; i++) {
        if (requirements[i].given && !requirements[i].has_what_it_needs) {
            return arguments_complain(parse, "%s", requirements[i].complaint);
        }
    }
    return 0;
}

static bool has_size(const life_arguments *into)
{
    return into->size[HALO_LIFE_COLUMNS] != 0;
}

/* What cannot be asked for together. */
static error_t check_together(const arguments_parse *parse)
{
    const life_arguments *into = parse->into;
    if (into->pattern == NULL && into->restore == NULL) {
        return arguments_complain(parse, "which pattern? Give the name of a file, or a soup such "
                                         "as soup:1024x768:35%%");
    }
    if (into->restore != NULL && into->pattern != NULL) {
        return arguments_complain(parse,
                                  "a checkpoint has its own cells: give either --restore %s "
                                  "or the pattern \"%s\"",
                                  into->restore, into->pattern);
    }
    if (into->restore != NULL &&
        (into->rule != NULL || into->has_topology || has_size(into) || into->at)) {
        return arguments_complain(parse, "a checkpoint has its own grid and rule: --restore goes "
                                         "without --rule, --topology, --size and --at");
    }
    if (has_size(into) && into->has_topology &&
        (into->topology.n[0] != 0 || into->topology.n[1] != 0)) {
        return arguments_complain(parse,
                                  "the grid's size is given twice, by --topology and --size");
    }
    return check_requirements(parse);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    life_arguments *into = parse->into;
    switch (key) {
    case KEY_WATCH:
        into->watch = true;
        return 0;
    case ARGP_KEY_ARG:
        return life_parse_pattern(parse, text);
    case ARGP_KEY_END:
        return parse->helped ? 0 : check_together(parse);
    default:
        break;
    }
    static error_t (*const parsers[])(const arguments_parse *, int,
                                      const char *) = {parse_path, parse_number, parse_value};
    error_t found = ARGP_ERR_UNKNOWN;
    for (int i = 0; text != NULL && i < 3 && found == ARGP_ERR_UNKNOWN; i++) {
        found = parsers[i](parse, key, text);
    }
    return found;
}

arguments_verdict life_arguments_parse(int argc, char **argv, bool speaks,
                                       life_arguments *arguments)
{
    *arguments = (life_arguments){.generations = 100};
    const struct argp argp = {
        .options = options, .parser = parse_option, .args_doc = "PATTERN", .doc = documentation};
    arguments_parse parse = {.command = "life",
                             .beat = "a generation",
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
