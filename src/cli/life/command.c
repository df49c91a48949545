#include "app/beats.h"
#include "app/options/values.h"
#include "app/paths/paths.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "app/services/movie.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/life/job.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* ---- values of options ----------------------------------------------------------------------- */

static const int64_t LONGEST = INT64_C(1) << 40;

/* WxH, moving *text behind it. */
static bool scan_size(const char **text, int64_t n[HALO_LIFE_AXES])
{
    int64_t given[HALO_LIFE_AXES] = {0};
    bool good = app_scan_sizes(text, LONGEST, HALO_LIFE_AXES, given) == HALO_LIFE_AXES;
    n[HALO_LIFE_COLUMNS] = given[0];
    n[HALO_LIFE_ROWS] = given[1];
    return good;
}

static bool scan_soup(const char *text, life_pattern *soup)
{
    int64_t seed = 1;
    bool good =
        scan_size(&text, soup->n) && *text++ == ':' && halo_scan_share(&text, 0, 1, &soup->density);
    if (good && *text == ':') {
        text++;
        good = halo_scan_integer(&text, 0, INT64_MAX, &seed);
    }
    soup->seed = (uint64_t)seed;
    return good && *text == '\0';
}

static halo_status parse_pattern(const char *text, void *into)
{
    life_pattern *pattern = into;
    const size_t prefix = strlen("soup:");
    bool soup = strncmp(text, "soup:", prefix) == 0;
    *pattern = (life_pattern){.text = text, .path = soup ? NULL : text};
    bool good = soup ? scan_soup(text + prefix, pattern) : *text != '\0';
    return good ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_rule(const char *text, void *into)
{
    halo_life_rule rule;
    const char *grid;
    halo_life_topology topology;
    *(const char **)into = text;
    HALO_TRY(halo_life_rule_parse(text, &rule, &grid));
    return grid != NULL ? halo_life_topology_parse(grid, &topology) : HALO_OK;
}

static halo_status parse_topology(const char *text, void *into)
{
    return halo_life_topology_parse(text, into);
}

static halo_status parse_size(const char *text, void *into)
{
    return scan_size(&text, into) && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_at(const char *text, void *into)
{
    int64_t *at = into;
    bool good = halo_scan_integer(&text, -LONGEST, LONGEST, &at[HALO_LIFE_COLUMNS]) &&
                *text++ == ',' && halo_scan_integer(&text, -LONGEST, LONGEST, &at[HALO_LIFE_ROWS]);
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

/* +N or -N or, since X windows are asked for so, +-N. */
static bool scan_place(const char **text, int64_t *out)
{
    if (**text == '+') {
        ++*text;
    } else if (**text != '-') {
        return false;
    }
    return halo_scan_integer(text, -LONGEST, LONGEST, out);
}

static halo_status parse_view(const char *text, void *into)
{
    life_view *view = into;
    int64_t n[HALO_LIFE_AXES] = {0};
    *view = (life_view){.all = strcmp(text, "all") == 0};
    if (view->all) {
        return HALO_OK;
    }
    bool good = scan_size(&text, n);
    if (good && *text != '\0') {
        good = scan_place(&text, &view->window.x) && scan_place(&text, &view->window.y);
    }
    view->window.width = n[HALO_LIFE_COLUMNS];
    view->window.height = n[HALO_LIFE_ROWS];
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

static halo_status parse_scale(const char *text, void *into)
{
    return halo_picture_scale_parse(text, into);
}

static halo_status parse_until(const char *text, void *into)
{
    app_until *until = into;
    const app_until before = *until;
    HALO_FAIL_IF(app_parse_steady_or_cycle(text, until) != HALO_OK, HALO_ARGUMENT,
                 "takes steady, or cycle:N with N from 1 on, not \"%.200s\"", text);
    HALO_FAIL_IF((before.steady && until->period > 0) || (before.period > 0 && until->steady),
                 HALO_ARGUMENT, "takes one of steady and cycle:N, not both");
    return HALO_OK;
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(life_options, option, kind, member)
#define NOT_RESTORED              .excludes = "restore", .why = "a checkpoint has its own grid and rule"

static const halo_option grid_rows[] = {
    {ROW("PATTERN", CUSTOM, pattern), .flags = APP_ARGUMENT,
     .file = offsetof(life_options, pattern.path), .parse = parse_pattern,
     .takes = "the name of a file, or soup:WIDTHxHEIGHT:DENSITY[:SEED] with a density of 0 to 1 or "
              "0% to 100% and a seed from 0 on, such as soup:1024x768:35%:7",
     .required = "which pattern? Give the name of a file, or a soup such as soup:1024x768:35%",
     .instead = "restore", .excludes = "restore", .why = "a checkpoint has its own cells"},
    {.type = HALO_OPTION_SECTION, .help = "The grid:"},
    {ROW("rule", CUSTOM, rule), .parse = parse_rule, .value = "RULE", .offer = halo_life_rule_name,
     NOT_RESTORED,
     .help = "Life-like rule (B3/S23) or Generations rule (345/2/4), or a name such as highlife or "
             "WireWorld. Letters behind a count: Hensel's notation (B2-a/S12). V at the end: four "
             "neighbours; H: six (B2/S34H). Golly's bounded grid may follow (B3/S23:T100,80)",
     .unless = "the file's, or B3/S23"},
    {ROW("topology", CUSTOM, topology), .parse = parse_topology,
     .value = "plane|dead|torus|cylinder|T100,80", NOT_RESTORED,
     .help = "plane: grows as the pattern does. dead: cells beyond the edges are dead. torus: "
             "opposite edges are neighbours. cylinder: left and right edges are neighbours. "
             "T100,80 or P100,80: Golly's torus and dead border, with 0 for an axis that grows",
     .unless = "the rule's, or else torus for a soup, dead for a picture or array, plane for any "
               "other pattern"},
    {ROW("size", CUSTOM, size), .parse = parse_size,
     .takes = "WIDTHxHEIGHT in cells, from 1x1 on, such as 640x480", .value = "WIDTHxHEIGHT",
     NOT_RESTORED, .help = "Cells of a bounded grid", .unless = "the pattern's own size"},
    {ROW("at", CUSTOM, at), .parse = parse_at, .takes = "X,Y, such as 10,20", .value = "X,Y",
     NOT_RESTORED, .help = "Column and row of the pattern's upper left cell in the grid",
     .unless = "in the middle, or where the file says"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {ROW("beats", INTEGER, all.beats), .letter = 'n', .unit = "generations", .standard = "100",
     .help = "Compute N generations, in addition to those before the pattern or checkpoint"},
    {ROW("until", CUSTOM, all.until), .parse = parse_until, .value = "steady|cycle:N",
     .help = "Stop earlier. steady: when nothing changes any more. cycle:N: when the grid equals "
             "that of N generations before, compared every N generations"},
    {.type = HALO_OPTION_END}};

#define STYLE_ENTRY(code, name, help) "|" #name
static const halo_option result_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .value = "FILE",
     .choices = ".rle|.cells|" HALO_GREY_ENDINGS HALO_ARRAY_NUMBERS_ENDINGS,
     .help = "The last generation: the live cells as a pattern (.rle, .cells), or all of a bounded "
             "grid as a picture (.png, .pgm, .pnm, .tif, .tiff), or as states in an "
             "array" HALO_ARRAY_NUMBERS_HELP},
    {ROW("population", OUTPUT, population), .choices = ".csv|.json",
     .help = "A table of population, births and deaths"},
    {ROW("frames", OUTPUT, frames), .flags = APP_CHECKED, .takes = "the name of a folder",
     .value = "DIR", .help = "Pictures DIR/frame-GENERATION.png"},
    {ROW("scale", CUSTOM, scale), .parse = parse_scale, .value = "N|1/N",
     .needs = "frames|movie|output", .help = "Pixels a cell, or cells a pixel, of all pictures",
     .unless = "as suits the size of frames and movies; 1 for -o FILE.png"},
    {ROW("style", INDEX, style), .choices = HALO_PICTURE_STYLE_LIST(STYLE_ENTRY),
     .needs = "frames|movie",
     .help = "trail: cells fade over a few pictures after their death. plain: they do not",
     .unless = "plain if pictures are more than 16 generations apart, or else trail"},
    {ROW("view", CUSTOM, view), .parse = parse_view,
     .takes = "all, or WIDTHxHEIGHT+X+Y in cells, such as 200x100+0-20",
     .value = "WIDTHxHEIGHT+X+Y|all", .needs = "frames|movie|watch",
     .help = "Cells to show in pictures; all: the grid, or what is ever alive of a plane",
     .unless = "all, but of a plane no more than 320x180 cells around the pattern"},
    {ROW("watch", FLAG, watch),
     .help = "Show the grid in the terminal; with --every, each N-th generation"},
    {.type = HALO_OPTION_END}};
#undef STYLE_ENTRY

static const halo_option movie_rows[] = {
    {APP_MOVIE_PATH_ROW, .help = "The pictures as a movie (needs ffmpeg)"},
    {APP_EVERY_ROW("generations"), .needs = "population|frames|movie|watch",
     .help = "Take a line of the table and a picture every N generations",
     .unless = "1 for the table; for pictures, as often as makes at most 600"},
    {APP_FPS_ROW, .help = "Pictures per second of a movie, or of --watch with --every",
     .unless = "25 of a movie, 10 of --watch"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {
    grid_rows,         result_rows,      app_place_of_results,   app_picture_rows,
    app_place_of_runs, app_how_rows,     app_decomposition_rows, app_depth_rows,
    app_exchange_rows, APP_SHARED_TABLES};

static halo_status check_options(const app_options *given, void *context)
{
    const life_options *into = context;
    const int64_t *n = into->topology.n;
    const movie_arguments *movie = app_options_service(given, &app_movie_service);
    const checkpoint_arguments *state = app_options_service(given, &app_checkpoint_service);
    bool paced = into->watch && movie->every > 0;
    HALO_FAIL_IF(app_given(given, &movie->frames_per_second) && movie->path == NULL && !paced,
                 HALO_ARGUMENT, "--fps needs --movie FILE, or --watch with --every N");
    bool pictures = into->frames != NULL || movie->path != NULL ||
                    (into->output != NULL && halo_picture_is_one(into->output));
    HALO_FAIL_IF(into->scale != 0 && !pictures, HALO_ARGUMENT,
                 "--scale needs a picture: -o FILE.png, --frames DIR or --movie FILE");
    HALO_FAIL_IF(into->size[HALO_LIFE_COLUMNS] > 0 && (n[0] > 0 || n[1] > 0), HALO_ARGUMENT,
                 "the grid's size is given twice, by --topology %.100s and --size %.100s; leave "
                 "one of them out",
                 app_given_text(given, &into->topology), app_given_text(given, into->size));
    return HALO_REQUIRE(into->pattern.path != NULL || !app_any_given(given, app_picture_rows),
                        HALO_ARGUMENT,
                        "--channel, --time, --page, --series and --as-stored say how a picture is "
                        "read, and the cells are those of a %s; leave them out",
                        state->restore != NULL ? "checkpoint" : "soup");
}

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_checkpoint_service, .with = &life_state},
    {.service = &app_movie_service, .with = &life_drawing, .rows = movie_rows},
    {0}};

static const app_syntax life_syntax = {
    .name = "life",
    .summary = "compute generations of Life and its relatives",
    .beat = "a generation",
    .about = "Compute generations of Life or another cellular automaton.\n\n"
             "PATTERN is a file (RLE, .cells, Life 1.05 or 1.06, macrocell, an image, .npy) or "
             "soup:WIDTHxHEIGHT:DENSITY[:SEED], cells alive at random.",
    .notes = "Examples:\n"
             "  halobeat life soup:4096x4096:35% -n 1000 --population soup.csv --every 10\n"
             "  halobeat life gun.rle -n 300 --movie gun.gif\n"
             "  halobeat life gun.rle -n 300 --watch --every 1\n"
             "  halobeat life soup:9000x9000:35% -n 9999 --checkpoint c.halo\n"
             "  halobeat life --restore c.halo -n 1000 -o soup.rle\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(life_options),
    .describe = balance_describe,
    .check = check_options,
};

/* ---- from the pattern to the grid ------------------------------------------------------------ */

static halo_status open_inputs(app_run *run)
{
    int64_t generations = run->arguments->beats;
    if (!app_restores(run)) {
        HALO_TRY(life_source_open(run));
    }
    HALO_TRY(life_output_check(run));
    HALO_TRY(app_screen_begin(run, &((life_job *)run->job)->screen, life_options_of(run)->watch));
    return HALO_REQUIRE(run->first_beat <= INT64_MAX - generations, HALO_ARGUMENT,
                        "the pattern is at generation %" PRId64 ", and %" PRId64
                        " more are too many to count; correct the number in the file (Gen=...)",
                        run->first_beat, generations);
}

static halo_status add_files(app_run *run, app_files *files)
{
    return halo_agree(run->world, app_files_add_numbered(files, life_options_of(run)->frames,
                                                         LIFE_FRAME, ".png"));
}

static halo_status create(app_run *run)
{
    const char *frames = life_options_of(run)->frames;
    HALO_TRY(life_create_grid(run));
    return frames != NULL ? paths_make_folder(run->world, frames) : HALO_OK;
}

static const halo_table_column columns[] = {{"generation", HALO_TABLE_INTEGER},
                                            {"population", HALO_TABLE_INTEGER},
                                            {"births", HALO_TABLE_INTEGER},
                                            {"deaths", HALO_TABLE_INTEGER}};

static halo_status begin(app_run *run)
{
    life_job *job = run->job;
    halo_life_set_generation(job->life, run->first_beat);
    job->table = (app_beat_table){.columns = columns,
                                  .column_count = sizeof columns / sizeof columns[0],
                                  .path = life_options_of(run)->population,
                                  .option = "--population",
                                  .every = halo_max(1, app_movie_arguments(run)->every)};
    return app_beat_table_resume(run, &job->table);
}

static void destroy(app_run *run)
{
    life_job *job = run->job;
    halo_cells_reader_close(&job->source.reader);
    halo_life_destroy(&job->life);
    app_beat_table_free(&job->table);
}

/* Finds the memory for pictures and files. Pictures of a bounded grid have all its cells. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const life_job *job = run->job;
    const char *output = life_options_of(run)->output;
    const halo_life_box grid = halo_life_size(job->life);
    bool picture = output != NULL && halo_picture_is_png(output);
    bool bounded = life_count_cells(job) > 0;
    needs->computing = halo_life_later(job->life);
    needs->writing += needs->computing;
    if (picture && bounded) {
        static const double of_noise = .9; /* what compression leaves of it */
        needs->writing += (int64_t)(of_noise * (double)grid.n[0] * (double)grid.n[1] / CHAR_BIT /
                                    halo_world_ranks(run->world));
    }
    needs->remedy = "a smaller grid";
}

/* The files have what there is; that it is not all is a failure even so. */
static halo_status verdict(app_run *run)
{
    const life_job *job = run->job;
    const char *checkpoint = app_checkpoint_arguments(run)->checkpoint;
    const char *output = life_options_of(run)->output;
    const char *saved = checkpoint != NULL ? checkpoint : output != NULL ? output : job->rescue;
    return HALO_REQUIRE(job->memory_message[0] == '\0', HALO_MEMORY,
                        "%.300s; generation %" PRId64 " %s%.100s", job->memory_message,
                        app_beats_done(run),
                        *saved != '\0' ? "is saved in "
                                       : "could not be saved in this folder; use --checkpoint FILE",
                        saved);
}

static const char speed[] =
    "[{giga%.4g>0} G cells/s, ][{generations_per_second%.4g>0} generations/s]";

const app_command life_command = {.syntax = &life_syntax,
                                  .job_bytes = sizeof(life_job),
                                  .files = add_files,
                                  .open = open_inputs,
                                  .create = create,
                                  .needs = find_needs,
                                  .fill = life_fill,
                                  .begin = begin,
                                  .beats = &life_beats,
                                  .end = life_take_census,
                                  .outputs = life_outputs,
                                  .lines = life_lines,
                                  .speed = speed,
                                  .own = life_own,
                                  .facts = life_facts,
                                  .show = life_show_end,
                                  .verdict = verdict,
                                  .destroy = destroy};
