#include "app/beats.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "app/services/movie.h"
#include "base/names.h"
#include "cli/commands.h"
#include "cli/life/job.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(life_options, option, kind, member)
#define NOT_RESTORED              .excludes = "restore", .why = "a checkpoint has its own grid and rule"

static const halo_option grid_rows[] = {
    {ROW("PATTERN", CUSTOM, pattern), .flags = APP_ARGUMENT,
     .file = offsetof(life_options, pattern.path), .parse = life_parse_pattern,
     .takes = "the name of a file, or soup:WIDTHxHEIGHT:DENSITY[:SEED] with a density of 0 to 1 or "
              "0% to 100% and a seed from 0 on, such as soup:1024x768:35%:7",
     .required = "which pattern? Give the name of a file, or a soup such as soup:1024x768:35%",
     .instead = "restore", .excludes = "restore", .why = "a checkpoint has its own cells"},
    {.type = HALO_OPTION_SECTION, .help = "The grid:"},
    {ROW("rule", CUSTOM, rule), .parse = life_parse_rule, .value = "RULE",
     .offer = halo_life_rule_name, NOT_RESTORED,
     .help = "Life-like rule (B3/S23) or Generations rule (345/2/4), or a name such as highlife or "
             "WireWorld. Letters behind a count: Hensel's notation (B2-a/S12). V at the end: four "
             "neighbours; H: six (B2/S34H). Golly's bounded grid may follow (B3/S23:T100,80)",
     .unless = "the file's, or B3/S23"},
    {ROW("topology", CUSTOM, topology), .parse = life_parse_topology,
     .value = "plane|dead|torus|cylinder|T100,80", NOT_RESTORED,
     .help = "plane: grows as the pattern does. dead: cells beyond the edges are dead. torus: "
             "opposite edges are neighbours. cylinder: left and right edges are neighbours. "
             "T100,80 or P100,80: Golly's torus and dead border, with 0 for an axis that grows",
     .unless = "the rule's, or else torus for a soup, dead for a picture or array, plane for any "
               "other pattern"},
    {ROW("size", CUSTOM, size), .parse = life_parse_size,
     .takes = "WIDTHxHEIGHT in cells, from 1x1 on, such as 640x480", .value = "WIDTHxHEIGHT",
     NOT_RESTORED, .help = "Cells of a bounded grid", .unless = "the pattern's own size"},
    {ROW("at", CUSTOM, at), .parse = life_parse_at, .takes = "X,Y, such as 10,20", .value = "X,Y",
     NOT_RESTORED, .help = "Column and row of the pattern's upper left cell in the grid",
     .unless = "in the middle, or where the file says"},
    {.type = HALO_OPTION_SECTION, .help = "How far:"},
    {ROW("beats", INTEGER, all.beats), .letter = 'n', .unit = "generations", .standard = "100",
     .help = "Compute N generations, in addition to those before the pattern or checkpoint"},
    {ROW("generations", INTEGER, all.beats), .letter = 'g', .unit = "generations",
     .flags = APP_HIDDEN, .help = "The old spelling of --beats"},
    {ROW("until", CUSTOM, all.until), .parse = life_parse_until, .value = "steady|cycle:N",
     .aliases = "stop-when",
     .help = "Stop earlier. steady: when nothing changes any more. cycle:N: when the grid equals "
             "that of N generations before, compared every N generations"},
    {.type = HALO_OPTION_END}};

#define STYLE_ENTRY(code, name, help) "|" #name
static const halo_option result_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".rle|.cells|.npy|" HALO_GREY_ENDINGS,
     .help = "The last generation: the live cells as a pattern, or all of a bounded grid as a "
             "picture or NumPy array"},
    {ROW("population", OUTPUT, population), .choices = ".csv|.json",
     .help = "A table of population, births and deaths"},
    {APP_EVERY_ROW("generations"), .needs = "population|frames|movie|watch",
     .help = "Take a line of the table and a picture every N generations",
     .unless = "1 for the table; for pictures, as often as makes at most 600"},
    {ROW("frames", OUTPUT, frames), .flags = APP_CHECKED, .takes = "the name of a folder",
     .value = "DIR", .help = "Pictures DIR/frame-GENERATION.png"},
    {APP_MOVIE_ROW, .help = "The pictures as a movie (needs ffmpeg)"},
    {ROW("scale", CUSTOM, scale), .parse = life_parse_scale, .value = "N|1/N",
     .needs = "frames|movie|output", .help = "Pixels a cell, or cells a pixel, of all pictures",
     .unless = "as suits the size of frames and movies; 1 for -o FILE.png"},
    {ROW("style", INDEX, style), .choices = HALO_PICTURE_STYLE_LIST(STYLE_ENTRY),
     .needs = "frames|movie",
     .help = "trail: cells fade over a few pictures after their death. plain: they do not",
     .unless = "plain if pictures are more than 16 generations apart, or else trail"},
    {ROW("view", CUSTOM, view), .parse = life_parse_view,
     .takes = "all, or WIDTHxHEIGHT+X+Y in cells, such as 200x100+0-20",
     .value = "WIDTHxHEIGHT+X+Y|all", .needs = "frames|movie|watch",
     .help = "Cells to show in pictures; all: the grid, or what is ever alive of a plane",
     .unless = "all, but of a plane no more than 320x180 cells around the pattern"},
    {APP_FPS_ROW, .help = "Pictures per second of a movie, or of --watch with --every",
     .unless = "25 of a movie, 10 of --watch"},
    {ROW("watch", FLAG, watch),
     .help = "Show the grid in the terminal; with --every, each N-th generation"},
    {.type = HALO_OPTION_END}};
#undef STYLE_ENTRY

static const halo_option *const tables[] = {
    grid_rows,           result_rows,       app_picture_rows,
    app_checkpoint_rows, app_how_rows,      app_decomposition_rows,
    app_depth_rows,      app_exchange_rows, APP_SHARED_TABLES};

static halo_status check_options(const app_options *given, void *context)
{
    const life_options *into = context;
    const int64_t *n = into->topology.n;
    bool paced = into->watch && into->all.movie.every > 0;
    if (app_given(given, &into->all.movie.frames_per_second) && into->all.movie.path == NULL &&
        !paced) {
        return halo_fail(HALO_ARGUMENT, "--fps needs --movie FILE, or --watch with --every N");
    }
    bool pictures = into->frames != NULL || into->all.movie.path != NULL ||
                    (into->output != NULL && halo_picture_is_one(into->output));
    if (into->scale != 0 && !pictures) {
        return halo_fail(HALO_ARGUMENT,
                         "--scale needs a picture: -o FILE.png, --frames DIR or --movie FILE");
    }
    if (into->size[HALO_LIFE_COLUMNS] > 0 && (n[0] > 0 || n[1] > 0)) {
        return halo_fail(HALO_ARGUMENT,
                         "the grid's size is given twice, by --topology %.100s and --size %.100s; "
                         "leave one of them out",
                         app_given_text(given, &into->topology), app_given_text(given, into->size));
    }
    return into->pattern.path != NULL || !app_any_given(given, app_picture_rows)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--channel, --time, --page, --series and --as-stored say how a picture "
                           "is read, and the cells are those of a %s; leave them out",
                           into->all.state.restore != NULL ? "checkpoint" : "soup");
}

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
    HALO_TRY(life_screen_begin(run));
    return run->first_beat <= INT64_MAX - generations
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the pattern is at generation %" PRId64 ", and %" PRId64
                           " more are too many to count; correct the number in the file (Gen=...)",
                           run->first_beat, generations);
}

static halo_status add_files(app_run *run, app_files *files)
{
    return halo_agree(run->world,
                      app_files_add_numbered(files, life_asked(run)->frames, LIFE_FRAME, ".png"));
}

static halo_status create(app_run *run)
{
    const char *frames = life_asked(run)->frames;
    HALO_TRY(life_create_grid(run));
    return frames != NULL ? paths_make_folder(run->world, frames) : HALO_OK;
}

static halo_status begin(app_run *run)
{
    halo_life_set_generation(((life_job *)run->job)->life, run->first_beat);
    return life_resume_table(run);
}

static void destroy(app_run *run)
{
    life_job *job = run->job;
    halo_cells_reader_close(&job->source.reader);
    halo_life_destroy(&job->life);
    free(job->samples);
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own(const app_run *run)
{
    halo_life_report engine = halo_life_get_report(((const life_job *)run->job)->life);
    return report_line_of(&engine.beats, &run->clock, HALO_LIFE_AXES, engine.own.n, engine.parts);
}

static json_t *json_of_pattern(const app_run *run)
{
    const life_source *source = &((const life_job *)run->job)->source;
    const char *restored = run->arguments->state.restore;
    const char *text = life_asked(run)->pattern.text;
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:s?}", "name",
                     app_fact_text(restored != NULL ? restored : text), "kind", source->kind,
                     "width_cells", (json_int_t)source->pattern.n[HALO_LIFE_COLUMNS],
                     "height_cells", (json_int_t)source->pattern.n[HALO_LIFE_ROWS], "generation",
                     (json_int_t)run->first_beat, "earlier_generations", life_earlier(source));
}

static json_t *json_of_grid(const life_job *job, const halo_life_report *engine)
{
    halo_life_box grid = halo_life_size(job->life);
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:[i, i]}", "topology", halo_life_topology_words(job->source.edges),
        "width_cells", (json_int_t)grid.n[HALO_LIFE_COLUMNS], "height_cells",
        (json_int_t)grid.n[HALO_LIFE_ROWS], "enlargements", (json_int_t)engine->enlargements,
        "parts", engine->parts[HALO_LIFE_ROWS], engine->parts[HALO_LIFE_COLUMNS]);
}

static json_t *json_of_state(const app_run *run)
{
    const life_job *job = run->job;
    const halo_life_box *live = &job->census.live, grid = halo_life_size(job->life);
    int64_t lo[HALO_LIFE_AXES]; /* as users count */
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->census.hash);
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        lo[a] = live->lo[a] - halo_life_origin(job->source.edges[a], grid.lo[a]);
    }
    json_t *change = job->counted
                         ? json_pack("{s:I, s:I}", "births", (json_int_t)job->change.births,
                                     "deaths", (json_int_t)job->change.deaths)
                         : json_null();
    return json_pack("{s:I, s:s, s:I, s:s, s:{s:I, s:I, s:I, s:I}, s:o}", "generation",
                     (json_int_t)app_beats_done(run), "ended", app_ending_text(run), "population",
                     (json_int_t)job->census.population, "hash", hash, "live", "width_cells",
                     (json_int_t)live->n[HALO_LIFE_COLUMNS], "height_cells",
                     (json_int_t)live->n[HALO_LIFE_ROWS], "x", (json_int_t)lo[HALO_LIFE_COLUMNS],
                     "y", (json_int_t)lo[HALO_LIFE_ROWS], "last_generation", change);
}

/* Cells of the grid; 0 for one that grows. */
static double count_cells(const life_job *job)
{
    const halo_life_edge *edges = job->source.edges;
    halo_life_box grid = halo_life_size(job->life);
    return edges[0] == HALO_LIFE_GROW || edges[1] == HALO_LIFE_GROW
               ? 0
               : (double)grid.n[0] * (double)grid.n[1];
}

/* Finds the memory for pictures and files. Pictures of a bounded grid have all its cells. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const life_job *job = run->job;
    const char *output = life_asked(run)->output;
    const halo_life_box grid = halo_life_size(job->life);
    bool picture = output != NULL && halo_name_ends(output, ".png");
    bool bounded = count_cells(job) > 0;
    needs->computing = halo_life_later(job->life);
    needs->writing += needs->computing;
    if (picture && bounded) {
        static const double of_noise = .9; /* what compression leaves of it */
        needs->writing += (int64_t)(of_noise * (double)grid.n[0] * (double)grid.n[1] / CHAR_BIT /
                                    halo_world_ranks(run->world));
    }
    needs->remedy = "a smaller grid";
}

static json_t *facts(app_run *run, json_t *texts)
{
    const life_job *job = run->job;
    const halo_life_report engine = halo_life_get_report(job->life);
    int64_t done = app_beats_done(run) - run->first_beat;
    double speed = run->loop->seconds > 0 ? (double)done / run->loop->seconds : 0;
    double cells = speed * count_cells(job);
    char rule[HALO_LIFE_RULE_TEXT];
    halo_life_rule_print(&job->source.rule, rule);
    json_object_set_new(texts, "blocks",
                        engine.parts[HALO_LIFE_COLUMNS] > 1
                            ? app_fact_parts(HALO_LIFE_AXES, engine.parts)
                            : json_null());
    json_object_set_new(texts, "giga", json_real(cells / 1e9));
    return json_pack("{s:o, s:o, s:s, s:o, s:I, s:f, s:f, s:f, s:s, s:s, s:i, s:I}", "pattern",
                     json_of_pattern(run), "grid", json_of_grid(job, &engine), "rule", rule,
                     "state", json_of_state(run), "generations", (json_int_t)done,
                     "generations_seconds", run->loop->seconds, "generations_per_second", speed,
                     "cells_per_second", cells, "engine", engine.engine, "instructions",
                     engine.instructions, "halo_depth", engine.beats_per_exchange, "frames",
                     (json_int_t)app_movie_of(run)->frames);
}

static const app_line lines[] = {
    {.name = "pattern",
     .verbose = true,
     .text = "{pattern.name}: {pattern.width_cells} x {pattern.height_cells}, {pattern.kind}"},
    {.name = "grid",
     .verbose = true,
     .text = "{grid.topology}, {grid.width_cells} x {grid.height_cells}[ in the end, after "
             "{grid.enlargements>0} enlargement{s:grid.enlargements}][, in {blocks}]"},
    {.name = "rule", .text = "{rule}"},
    {.name = "generation",
     .text = "{state.generation}[ after {pattern.earlier_generations}]: {state.ended}"},
    {.name = "population",
     .text = "{state.population}[, within {state.live.width_cells>0} x {state.live.height_cells} "
             "cells from x {state.live.x}, y {state.live.y}]"
             "[; {state.last_generation.births} births and {state.last_generation.deaths} deaths "
             "in the last generation]"},
    {.name = "hash", .text = "{state.hash}"},
    {.name = "engine",
     .text = "{engine}, {instructions}, halo depth {halo_depth}",
     .verbose = true},
    {.name = "frames", .text = "{frames>0}"},
    {0}};

/* The files have what there is; that it is not all is a failure even so. */
static halo_status verdict(app_run *run)
{
    const life_job *job = run->job;
    const char *checkpoint = run->arguments->state.checkpoint;
    const char *output = life_asked(run)->output;
    const char *saved = checkpoint != NULL ? checkpoint : output != NULL ? output : job->rescue;
    return job->memory_message[0] == '\0'
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "%.300s; generation %" PRId64 " %s%.100s",
                           job->memory_message, app_beats_done(run),
                           *saved != '\0'
                               ? "is saved in "
                               : "could not be saved in this folder; use --checkpoint FILE",
                           saved);
}

static const char speed[] =
    "[{giga%.4g>0} G cells/s, ][{generations_per_second%.4g>0} generations/s]";

static const app_service_use services[] = {
    {&app_checkpoint_service, &life_state}, {&app_movie_service, &life_drawing}, {0}};

const app_command life_command = {.syntax = &life_syntax,
                                  .job_bytes = sizeof(life_job),
                                  .services = services,
                                  .files = add_files,
                                  .open = open_inputs,
                                  .create = create,
                                  .needs = find_needs,
                                  .fill = life_fill,
                                  .begin = begin,
                                  .beats = &life_beats,
                                  .end = life_take_census,
                                  .outputs = life_outputs,
                                  .lines = lines,
                                  .speed = speed,
                                  .own = own,
                                  .facts = facts,
                                  .show = life_show_end,
                                  .verdict = verdict,
                                  .destroy = destroy};
