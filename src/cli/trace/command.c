#include "app/options/values.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/trace/job.h"
#include "core/world/clock.h"
#include "io/array/picture.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(trace_options, option, kind, member)

static halo_status parse_size(const char *text, void *into)
{
    bool good = app_scan_sizes(&text, HALO_TRACE_MAX_SIDE, 2, into) == 2 && *text == '\0';
    return good ? HALO_OK : HALO_ARGUMENT;
}

static const halo_option what_rows[] = {
    {ROW("SCENE.nff", INPUT, scene), .flags = APP_ARGUMENT,
     .required = "which scene? Give the name of a file in NFF"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(trace_options, HALO_COLOUR_ENDINGS), .help = "The picture"},
    {ROW("heat", OUTPUT, heat), .choices = HALO_COLOUR_ENDINGS,
     .help = "What each tile cost, from black, red and yellow to white, the most: nodes and leaves "
             "of the tree of boxes that its rays had to look at"},
    {.type = HALO_OPTION_SECTION, .help = "How the picture is made:"},
    {ROW("size", CUSTOM, size), .parse = parse_size, .value = "WIDTHxHEIGHT",
     .takes = "WIDTHxHEIGHT in pixels, each 1 to 65536, such as 640x480",
     .unless = "as the scene says", .help = "Pixels; the scene's angle is that of the height"},
    {ROW("subpixels", INTEGER, subpixels), .letter = 's', .min = 1, .max = HALO_TRACE_MAX_SUBPIXELS,
     .unit = "subpixels", .value = "N", .standard = "1",
     .help = "A pixel is the mean of N x N rays"},
    {ROW("depth", INTEGER, depth), .letter = 'd', .min = 1, .max = HALO_TRACE_MAX_DEPTH,
     .unit = "rays", .value = "N", .standard = "5",
     .help =
         "Rays one behind the other, reflected or refracted, at most; 1: only those of the eye"},
    {ROW("cutoff", SHARE, cutoff), .max = 1, .value = "SHARE", .standard = "0.4%",
     .help = "Leave out reflected and refracted rays that count for less of a pixel than this"},
    {ROW("ambient", SHARE, ambient), .max = 1, .value = "SHARE", .standard = "10%",
     .help = "Light that comes from everywhere, of which NFF says nothing"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows, app_place_of_runs, APP_SHARED_TABLES};

static const app_tasks_work work;

static const app_service_use services[] = {
    APP_SHARED_SERVICES,
    {.service = &app_tasks_service, .with = &work, .rows = app_replayed_tasks_rows},
    {0}};

static const app_syntax trace_syntax = {
    .name = "trace",
    .summary = "draw a scene of spheres, polygons and cones by ray tracing",
    .about = "Draw a scene by ray tracing: shadows, reflection and refraction. Scenes are in the "
             "Neutral File Format (NFF): v the view, b the background, l lights, f surfaces, s "
             "spheres, c cones and cylinders, p polygons, pp polygons with normals. Tiles of 16 x "
             "16 pixels are tasks, which cost more where there is more to see.",
    .notes = "Examples:\n"
             "  halobeat trace data/scenes/room.nff -o room.png --subpixels 4\n"
             "  halobeat trace data/scenes/five-balls.nff -o balls.png --size 1000x1000 "
             "--heat cost.png --timeline who.png\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(trace_options),
    .describe = app_tasks_describe,
};

/* ---- the job --------------------------------------------------------------------------------- */

static halo_status open_job(app_run *run)
{
    trace_job *job = run->job;
    HALO_TRY(trace_read_scene(run));
    job->tiles = halo_trace_tiles(job->width, job->height);
    run->domain = (halo_domain){.axes = 2, .n = {job->height, job->width, 1}};
    return HALO_OK;
}

static halo_status make_tree(app_run *run)
{
    const trace_options *given = run->options;
    trace_job *job = run->job;
    const halo_trace_options options = {.width = job->width,
                                        .height = job->height,
                                        .subpixels = given->subpixels,
                                        .depth = given->depth,
                                        .cutoff = given->cutoff,
                                        .ambient = given->ambient,
                                        .instructions = given->all.common.instructions};
    double begun = halo_seconds();
    halo_status status = halo_trace_create(&job->trace, job->scene, &options);
    job->tree_seconds = halo_seconds() - begun;
    return status;
}

static halo_status make_room(trace_job *job)
{
    HALO_TRY(HALO_ALLOCATE(job->steps, job->tiles, "what tiles cost"));
    return HALO_ALLOCATE_LARGE(job->pixels, 3 * job->width * job->height,
                               "a picture of %" PRId64 " x %" PRId64 " pixels", job->width,
                               job->height);
}

static halo_status create(app_run *run)
{
    HALO_TRY(halo_agree(run->world, app_is_root(run) ? make_room(run->job) : HALO_OK));
    return halo_agree(run->world, make_tree(run));
}

static void find_needs(const app_run *run, app_needs *needs)
{
    (void)run; /* the picture and the tree are there */
    needs->remedy = "a smaller --size";
}

static void destroy(app_run *run)
{
    trace_job *job = run->job;
    halo_trace_destroy(&job->trace);
    halo_trace_scene_destroy(&job->scene);
    halo_buffer_free(&job->text);
    halo_memory_free(job->pixels);
    free(job->steps);
}

/* ---- tiles as tasks -------------------------------------------------------------------------- */

/* A result: the counts, and the tile's pixels behind them. */
static halo_trace_tile tile_at(const app_run *run, int64_t task)
{
    const trace_job *job = run->job;
    return halo_trace_tile_at(job->width, job->height, task);
}

static int64_t count_tiles(const app_run *run)
{
    return ((const trace_job *)run->job)->tiles;
}

static size_t count_bytes(const app_run *run, int64_t task)
{
    halo_trace_tile tile = tile_at(run, task);
    return sizeof(halo_trace_counts) + (size_t)(3 * tile.width * tile.height);
}

static halo_status draw_tile(app_run *run, const halo_task_range *range, void *found)
{
    const trace_job *job = run->job;
    unsigned char pixels[HALO_TRACE_TILE_BYTES];
    halo_trace_counts counts;
    halo_trace_draw(job->trace, range->task, pixels, &counts);
    memcpy(found, &counts, sizeof counts);
    memcpy((char *)found + sizeof counts, pixels, count_bytes(run, range->task) - sizeof counts);
    return HALO_OK;
}

static void add(halo_trace_counts *sum, const halo_trace_counts *more)
{
    sum->rays += more->rays;
    sum->reflected += more->reflected;
    sum->refracted += more->refracted;
    sum->shadow_rays += more->shadow_rays;
    sum->steps += more->steps;
}

static halo_status take_tile(app_run *run, int64_t task, const void *found)
{
    trace_job *job = run->job;
    halo_trace_tile tile = tile_at(run, task);
    halo_trace_counts counts;
    memcpy(&counts, found, sizeof counts);
    const unsigned char *pixels = (const unsigned char *)found + sizeof counts;
    for (int y = 0; y < tile.height; y++) {
        memcpy(job->pixels + 3 * ((tile.y + y) * job->width + tile.x), pixels + 3 * y * tile.width,
               (size_t)(3 * tile.width));
    }
    job->steps[task] = counts.steps;
    add(&job->counts, &counts);
    return HALO_OK;
}

static double count_flops(const app_run *run, int64_t task, const void *found)
{
    /* Measured at 2.6 GHz: 34 ns with AVX-512, 46 without, at a floating point operation a cycle.
     */
    const double flops_a_step = 100;
    halo_trace_counts counts;
    (void)run;
    (void)task;
    memcpy(&counts, found, sizeof counts);
    return flops_a_step * (double)counts.steps;
}

/* The journal belongs to this scene, whatever its file is called. */
static void say_job(const app_run *run, char *text, size_t size)
{
    const trace_job *job = run->job;
    const trace_options *options = run->options;
    snprintf(text, size,
             "trace, scene %016" PRIx64 ", %" PRId64 " x %" PRId64 " pixels, --subpixels %" PRId64
             " --depth %" PRId64 " --cutoff %.17g --ambient %.17g",
             (uint64_t)XXH3_64bits(job->text.data, job->text.size), job->width, job->height,
             options->subpixels, options->depth, options->cutoff, options->ambient);
}

static const app_tasks_work work = {.phase = "tiles",
                                    .count = count_tiles,
                                    .bytes = count_bytes,
                                    .compute = draw_tile,
                                    .take = take_tile,
                                    .flops = count_flops,
                                    .says = say_job};

/* ---- pictures -------------------------------------------------------------------------------- */

static const void *pixels_at(const app_run *run, int64_t row)
{
    const trace_job *job = run->job;
    return job->pixels + 3 * row * job->width;
}

/* Tiles in a row of them. */
static int64_t tiles_across(const trace_job *job)
{
    return halo_trace_tiles(job->width, 1);
}

/* As metal glows: black, red, yellow, white, each channel after the other. */
static void glow(int64_t steps, int64_t most, unsigned char colour[3])
{
    enum { BRIGHTEST = 255 };
    int64_t heat = steps * 3 * BRIGHTEST / most;
    for (int i = 0; i < 3; i++) {
        colour[i] = (unsigned char)halo_max(0, halo_min(BRIGHTEST, heat - i * BRIGHTEST));
    }
}

static halo_status fill_heat(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const trace_job *job = ((const app_run *)context)->job;
    int64_t most = 1, across = tiles_across(job);
    for (int64_t i = 0; i < job->tiles; i++) {
        most = halo_max(most, job->steps[i]);
    }
    for (int64_t y = first; y < first + rows; y++) {
        unsigned char *row = (unsigned char *)out + (size_t)(y - first) * pitch;
        for (int64_t x = 0; x < job->width; x++) {
            int64_t tile = y / HALO_TRACE_TILE * across + x / HALO_TRACE_TILE;
            glow(job->steps[tile], most, row + 3 * x);
        }
    }
    return HALO_OK;
}

static const app_writer picture_writers[] = {{APP_PICTURES, HALO_PNG_RGB8, .row = pixels_at}, {0}};
static const app_writer heat_writers[] = {{APP_PICTURES, HALO_PNG_RGB8, .fill = fill_heat}, {0}};

static const app_output outputs[] = {
    {.option = offsetof(trace_options, output), .phase = "writing", .writers = picture_writers},
    {.option = offsetof(trace_options, heat), .phase = "writing", .writers = heat_writers},
    APP_TASKS_OUTPUT,
    {0}};

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *cost_facts(const trace_job *job)
{
    int64_t across = tiles_across(job);
    int64_t down = job->tiles / across, most = 0, most_of_row = 0, upper = 0, sum = 0;
    for (int64_t y = 0; y < down; y++) {
        int64_t row = 0;
        for (int64_t x = 0; x < across; x++) {
            row += job->steps[y * across + x];
            most = halo_max(most, job->steps[y * across + x]);
        }
        sum += row;
        most_of_row = halo_max(most_of_row, row);
        upper += 2 * y + 1 < down ? row : 2 * y + 1 == down ? row / 2 : 0;
    }
    double all = sum > 0 ? (double)sum : 1;
    return json_pack("{s:I, s:f, s:I, s:f, s:f, s:f}", "steps", (json_int_t)sum, "tile_mean",
                     (double)sum / (double)job->tiles, "tile_max", (json_int_t)most, "tile_ratio",
                     (double)most * (double)job->tiles / all, "row_ratio",
                     (double)most_of_row * (double)down / all, "upper_half", (double)upper / all);
}

static json_t *scene_facts(const app_run *run)
{
    const trace_options *options = run->options;
    const trace_job *job = run->job;
    halo_trace_scene_facts scene = halo_trace_scene_get_facts(job->scene);
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "file",
                     app_fact_text(options->scene), "spheres", (json_int_t)scene.spheres, "cones",
                     (json_int_t)scene.cones, "polygons", (json_int_t)scene.polygons, "shapes",
                     (json_int_t)scene.shapes, "lights", (json_int_t)scene.lights, "left_out",
                     (json_int_t)scene.empty, "tree_bytes",
                     (json_int_t)halo_trace_tree_bytes(job->trace));
}

static json_t *facts(app_run *run, json_t *texts)
{
    const trace_options *options = run->options;
    const trace_job *job = run->job;
    const halo_trace_counts *counts = &job->counts;
    json_t *tasks = app_tasks_facts(run);
    double seconds = json_real_value(json_object_get(tasks, "seconds"));
    double rays = (double)(counts->rays + counts->shadow_rays);
    json_object_set_new(texts, "secondary", json_integer(counts->reflected + counts->refracted));
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:o, s:f, s:f, s:f, s:o}", "scene",
        scene_facts(run), "width", (json_int_t)job->width, "height", (json_int_t)job->height,
        "subpixels", (json_int_t)options->subpixels, "tiles", (json_int_t)job->tiles, "rays",
        (json_int_t)counts->rays, "reflected", (json_int_t)counts->reflected, "refracted",
        (json_int_t)counts->refracted, "shadow_rays", (json_int_t)counts->shadow_rays, "depth",
        (json_int_t)options->depth, "instructions", halo_trace_instructions(job->trace), "cost",
        cost_facts(job), "read_scene_seconds", job->read_seconds, "tree_seconds", job->tree_seconds,
        "rays_per_second", seconds > 0 && app_tasks_of(run)->before == 0 ? rays / seconds : 0,
        "tasks", tasks);
}

static const app_line lines[] = {
    {.name = "scene",
     .verbose = true,
     .text = "{scene.file}: {scene.spheres} spheres, {scene.polygons} polygons, {scene.cones} "
             "cones, {scene.lights} lights"},
    {.name = "picture", .text = "{width} x {height} pixels of {subpixels} x {subpixels} rays"},
    {.name = "rays",
     .text = "{rays}, of these {reflected} reflected and {refracted} refracted; {shadow_rays} to "
             "lights"},
    {.name = "cost",
     .verbose = true,
     .text = "{cost.steps%.4g} steps through the tree; the most expensive of {tiles} tiles "
             "costs {cost.tile_ratio%.3g} times the mean, the most expensive row of tiles "
             "{cost.row_ratio%.3g} times; the upper half {100*cost.upper_half%.0f} %"},
    APP_TASKS_LINES,
    {.name = "tree",
     .text = "{read_scene_seconds%.3g} s to read, {tree_seconds%.3g} s for the tree",
     .verbose = true},
    {.name = "instructions", .text = "{instructions}", .verbose = true},
    {0}};

static const char speed[] =
    "[{1e-6*rays_per_second%.3g>0} million rays a second, ]{tasks.seconds%.4g} s to trace";

const app_command trace_command = {.syntax = &trace_syntax,
                                   .job_bytes = sizeof(trace_job),
                                   .open = open_job,
                                   .root = true,
                                   .create = create,
                                   .needs = find_needs,
                                   .run = app_tasks_work_run,
                                   .outputs = outputs,
                                   .lines = lines,
                                   .speed = speed,
                                   APP_TASKS_REPORTS,
                                   .facts = facts,
                                   .destroy = destroy};
