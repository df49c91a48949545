#include "app/options/values.h"
#include "app/report/facts.h"
#include "app/services/memory.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/trace/job.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) APP_ROW(trace_options, option, kind, member)

static halo_status parse_size(const char *text, void *into)
{
    bool good = app_scan_sizes(&text, HALO_TRACE_MAX_SIDE, 2, into) == 2 && *text == '\0';
    return good ? HALO_OK : HALO_ARGUMENT;
}

static const app_option what_rows[] = {
    {ROW("SCENE.nff", INPUT, scene), .flags = APP_ARGUMENT,
     .required = "which scene? Give the name of a file in NFF"},
    {.type = APP_SECTION, .help = "Results:"},
    {APP_OUTPUT_ROW(trace_options, HALO_COLOUR_ENDINGS), .help = "The picture"},
    {ROW("heat", OUTPUT, heat), .choices = HALO_COLOUR_ENDINGS,
     .help = "What each tile cost, from black, red and yellow to white, the most: nodes and leaves "
             "of the tree of boxes that its rays had to look at"},
    {.type = APP_SECTION, .help = "How the picture is made:"},
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
    {.type = APP_END}};

static const app_option *const tables[] = {what_rows, app_tasks_rows, app_replay_rows,
                                           APP_SHARED_TABLES};

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
    .bytes = sizeof(trace_options),
    .describe = app_tasks_describe,
};

/* ---- the job --------------------------------------------------------------------------------- */

static halo_status open_job(app_run *run)
{
    trace_job *job = run->job;
    job->run = run;
    HALO_TRY(trace_read_scene(run));
    job->tiles = halo_trace_tiles(job->width, job->height);
    run->domain = (halo_domain){.axes = 2, .n = {job->height, job->width, 1}};
    return app_tasks_check(run);
}

static halo_status make_tree(trace_job *job)
{
    const trace_options *asked = job->run->options;
    const halo_trace_options options = {.width = job->width,
                                        .height = job->height,
                                        .subpixels = asked->subpixels,
                                        .depth = asked->depth,
                                        .cutoff = asked->cutoff,
                                        .ambient = asked->ambient,
                                        .instructions = asked->all.common.instructions};
    double begun = halo_seconds();
    halo_status status = halo_trace_create(&job->trace, job->scene, &options);
    job->tree_seconds = halo_seconds() - begun;
    return status;
}

static halo_status make_room(trace_job *job, const halo_world *world)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(job->cuts, ranks + 1, "who has what rows"));
    for (int r = 1; r <= ranks; r++) {
        job->cuts[r] = job->height;
    }
    if (HALO_SIMULATED) {
        HALO_TRY(HALO_ALLOCATE(job->own_steps, job->tiles, "what tiles cost"));
    }
    if (halo_world_rank(world) != 0) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(job->steps, job->tiles, "what tiles cost"));
    return HALO_ALLOCATE_LARGE(job->pixels, 3 * job->width * job->height,
                               "a picture of %" PRId64 " x %" PRId64 " pixels", job->width,
                               job->height);
}

/* The journal belongs to this scene, whatever its file is called. */
static halo_status open_journal(app_run *run)
{
    enum { SAYS = 256 };
    const trace_job *job = run->job;
    const trace_options *asked = run->options;
    char says[SAYS];
    snprintf(says, sizeof says,
             "trace, scene %016" PRIx64 ", %" PRId64 " x %" PRId64 " pixels, --subpixels %" PRId64
             " --depth %" PRId64 " --cutoff %.17g --ambient %.17g",
             (uint64_t)XXH3_64bits(job->text.data, job->text.size), job->width, job->height,
             asked->subpixels, asked->depth, asked->cutoff, asked->ambient);
    return app_tasks_open_journal(run, run->world,
                                  &(app_journal_job){.says = says, .tasks = job->tiles});
}

static halo_status create(app_run *run)
{
    trace_job *job = run->job;
    HALO_TRY(halo_agree(run->world, make_room(job, run->world)));
    run->cuts = job->cuts;
    return halo_agree(run->world, make_tree(job));
}

static void find_needs(const app_run *run, app_needs *needs)
{
    (void)run; /* the picture and the tree are there */
    needs->remedy = "a smaller --size";
}

static halo_status run_job(app_run *run)
{
    trace_job *job = run->job;
    const halo_tasks_options options = {.count = job->tiles,
                                        .context = job,
                                        .run = trace_run_tiles,
                                        .collect = trace_collect,
                                        .flops = HALO_SIMULATED ? trace_flops : NULL};
    progress_phase(&run->progress, "tiles");
    return app_tasks_run(run, run->world, &options);
}

static void destroy(app_run *run)
{
    trace_job *job = run->job;
    halo_trace_destroy(&job->trace);
    halo_trace_scene_destroy(&job->scene);
    halo_buffer_free(&job->text);
    halo_memory_free(job->pixels);
    free(job->steps);
    free(job->own_steps);
    free(job->cuts);
}

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *scene_facts(const trace_job *job)
{
    const trace_options *asked = job->run->options;
    halo_trace_scene_facts scene = halo_trace_scene_get_facts(job->scene);
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "file",
                     app_fact_text(asked->scene), "spheres", (json_int_t)scene.spheres, "cones",
                     (json_int_t)scene.cones, "polygons", (json_int_t)scene.polygons, "shapes",
                     (json_int_t)scene.shapes, "lights", (json_int_t)scene.lights, "left_out",
                     (json_int_t)scene.empty, "tree_bytes",
                     (json_int_t)halo_trace_tree_bytes(job->trace));
}

static json_t *facts(app_run *run, json_t *texts)
{
    const trace_options *asked = run->options;
    const trace_job *job = run->job;
    const halo_trace_counts *counts = &job->counts;
    json_t *tasks = app_tasks_facts(run);
    double seconds = json_real_value(json_object_get(tasks, "seconds"));
    double rays = (double)(counts->rays + counts->shadow_rays);
    json_object_set_new(texts, "secondary", json_integer(counts->reflected + counts->refracted));
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:o, s:f, s:f, s:f, s:o}", "scene",
        scene_facts(job), "width", (json_int_t)job->width, "height", (json_int_t)job->height,
        "subpixels", (json_int_t)asked->subpixels, "tiles", (json_int_t)job->tiles, "rays",
        (json_int_t)counts->rays, "reflected", (json_int_t)counts->reflected, "refracted",
        (json_int_t)counts->refracted, "shadow_rays", (json_int_t)counts->shadow_rays, "depth",
        (json_int_t)asked->depth, "instructions", halo_trace_instructions(job->trace), "cost",
        trace_cost_facts(job), "read_scene_seconds", job->read_seconds, "tree_seconds",
        job->tree_seconds, "rays_per_second",
        seconds > 0 && app_tasks_of(run)->before == 0 ? rays / seconds : 0, "tasks", tasks);
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

static const app_service_use services[] = {{&app_tasks_service, NULL}, {0}};

const app_command trace_command = {.syntax = &trace_syntax,
                                   .job_bytes = sizeof(trace_job),
                                   .services = services,
                                   .open = open_job,
                                   .create = create,
                                   .needs = find_needs,
                                   .begin = open_journal,
                                   .run = run_job,
                                   .outputs = trace_outputs,
                                   .lines = lines,
                                   .speed = speed,
                                   APP_TASKS_REPORTS,
                                   .facts = facts,
                                   .destroy = destroy};
