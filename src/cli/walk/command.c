#include "app/image/filter.h"
#include "app/image/image.h"
#include "app/services/memory.h"
#include "app/services/slowdown.h"
#include "app/services/tasks.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/scan.h"
#include "cli/commands.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "io/array/picture.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- values ---------------------------------------------------------------------------------- */

static halo_status parse_flow(const char *text, void *into)
{
    static const char channel[] = "channel:";
    double *flow = into;
    if (strncmp(text, channel, sizeof channel - 1) != 0) {
        return HALO_ARGUMENT;
    }
    text += sizeof channel - 1;
    return halo_scan_number(&text, -1, 1, flow) && *text == '\0' && fabs(*flow) > 0 ? HALO_OK
                                                                                    : HALO_ARGUMENT;
}

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) HALO_OPTION_ROW(walk_options, option, kind, member)

static const halo_option what_rows[] = {
    {APP_FRAME_ROW("MEDIUM", CUSTOM, image), .parse = app_parse_input,
     .takes = "the name of a file", .file = offsetof(app_arguments, image.first),
     .flags = APP_ARGUMENT, .required = "which medium? Give the name of an image or a volume"},
    {.type = HALO_OPTION_SECTION, .help = "The medium:"},
    {THRESHOLD_ROW(walk_options),
     .help = "A pixel is fluid if its grey is at least this, in the image's own sample range, or, "
             "with nonzero, not 0; the "
             "others are solid, and so are pixels that are missing (--nodata)"},
    {ROW("invert", FLAG, invert), .help = "A pixel is fluid if its grey is below the threshold"},
    {ROW("mask-filter", TEXT, mask_filter), .value = "'STEP ...'",
     .help = "Filter the fluid cells before walkers begin: steps of `halobeat filter` on bits, "
             "with blanks between them, such as 'remove_small_objects:20'"},
    {ROW("edges", CUSTOM, edges), .parse = halo_walk_parse_edges,
     .takes = "periodic, reflecting or mirrored, or one of these for each axis, such as "
              "periodic,reflecting",
     .value = "EDGES[,EDGES...]", .offers = "periodic|reflecting|mirrored", .unless = "periodic",
     .help = "What is beyond the edges, along all axes or along x, y (and z). periodic: the medium "
             "begins again. mirrored: "
             "its mirror image, and then the medium again. reflecting: walls"},
    {APP_SPACING_ROW(walk_options),
     .help =
         "Size of a cell, SIDE along all axes, or the distance from one plane (of a volume), row "
         "and column to the next, with a unit: if these differ, hops along long sides are "
         "rarer, so that walkers diffuse alike in all directions; results then have lengths, too. "
         "pixels: cells are cubes, whatever "
         "the file says"},
    {ROW("conductivity", REAL, walk.conductivity), .max = 1e6, .value = "K", .standard = "0",
     .help = "Of the solid, where that of the fluid is 1: walkers enter the solid, too, and hop "
             "between cells in proportion to the harmonic mean of both. 0: they stay out of it"},
    {ROW("flow", CUSTOM, walk.flow), .parse = parse_flow,
     .takes = "channel:VELOCITY with a mean velocity in cells a step other than 0, such as "
              "channel:0.15",
     .value = "channel:VELOCITY", .unless = "none",
     .help = "A flow along x in rows that are fluid from edge to edge, with the profile of a fluid "
             "between two walls"},
    {.type = HALO_OPTION_SECTION, .help = "The walkers:"},
    {ROW("walkers", INTEGER, walkers), .letter = 'w', .min = 1, .max = 1 << 30, .unit = "walkers",
     .standard = "100000", .help = "They begin anywhere in the fluid, with the same chance"},
    {ROW("steps", INTEGER, steps), .letter = 's', .min = 1, .max = HALO_WALK_MAX_STEPS,
     .unit = "steps", .standard = "8192", .help = "Of each walker"},
    {ROW("every", INTEGER, every), .min = 1, .max = HALO_WALK_MAX_STEPS, .unit = "steps",
     .unless = "a 64th of the steps", .help = "Steps from one record to the next"},
    {ROW("seed", INTEGER, walk.seed), .standard = "1",
     .help = "Of the random numbers: another one gives other walks"},
    {.type = HALO_OPTION_SECTION, .help = "Results:"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".csv|.json",
     .help = "One line a record: mean displacement, mean square, variance, and how fast it grows, "
             "along each axis"},
    {ROW("plot", OUTPUT, plot), .choices = ".png|.svg", .flags = APP_PLOT,
     .help = "The same as curves (needs gnuplot)"},
    {ROW("trajectories", OUTPUT, trajectories), .choices = HALO_COLOUR_ENDINGS,
     .help = "The image with the ways of a few walkers drawn on it"},
    {ROW("shown", INTEGER, shown), .min = 1, .max = 64, .unit = "walkers", .standard = "8",
     .needs = "trajectories", .help = "How many of these"},
    {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows, app_choice_rows, app_raw_rows,
                                            app_place_of_runs, APP_SHARED_TABLES};

static halo_status check(const app_options *given, void *into)
{
    const walk_options *options = into;
    HALO_FAIL_IF(options->every > options->steps, HALO_ARGUMENT,
                 "--every %" PRId64 " is more than the %" PRId64
                 " steps of --steps, so there would be one record; take fewer",
                 options->every, options->steps);
    HALO_FAIL_IF(
        app_slowdown_comes_later(app_options_service(given, &app_slowdown_service)), HALO_ARGUMENT,
        "--slow with @BEAT needs beats, and walkers have none; leave it out, or use --load-trace");
    return HALO_OK;
}

static const app_tasks_work work;
static const halo_option no_rows[] = {{.type = HALO_OPTION_END}};

/* Walkers have no boundaries that could move. */
static const app_service_use services[] = {
    {.service = &app_memory_service},
    {.service = &app_balance_service, .rows = no_rows},
    APP_SHARED_BUT_BALANCE,
    {.service = &app_tasks_service, .with = &work, .rows = app_replayed_tasks_rows},
    {0}};

static const app_syntax walk_syntax = {
    .name = "walk",
    .summary = "random walkers in the pores of an image: diffusion, tortuosity",
    .about =
        "Let random walkers diffuse in a medium of fluid and solid cells: the pixels of an "
        "image, or the voxels of a volume.\n\n"
        "At each step a walker looks at one of the neighbours of its cell, and goes there "
        "unless it is solid. How fast the mean square of the displacements grows in the second "
        "half of the steps gives the diffusivity, and, beside that of a walker in the fluid alone, "
        "the tortuosity; with a flow, how the variance grows gives the dispersion. All results "
        "have the interval that they are in in 95 of 100 cases, and it is said if the steps were "
        "too few for a straight line.",
    .notes = "Examples:\n"
             "  halobeat walk rock.png -o msd.csv --plot msd.png\n"
             "  halobeat walk rock.png --edges mirrored --walkers 1000000 --steps 65536\n"
             "  halobeat walk fracture.png --flow channel:0.15 --trajectories ways.png\n"
             "  halobeat walk volume.npy --threshold 1 --steps 20000\n"
             "  halobeat walk rock.png --schedule guided --timeline who.png\n"
             "  halobeat walk rock.png --walkers 10000000 --journal done.txt\n\n" APP_EXIT_STATUS,
    .tables = tables,
    .services = services,
    .bytes = sizeof(walk_options),
    .describe = app_tasks_describe,
    .check = check,
};

/* ---- tasks ----------------------------------------------------------------------------------- */

static int64_t count_tasks(const app_run *run)
{
    return halo_walk_tasks(((const walk_options *)run->options)->walkers);
}

/* A result is the sums of the task's walkers, for each record. */
static size_t count_bytes(const app_run *run, int64_t task)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    (void)task;
    return (size_t)(halo_walk_records(options->steps, job->every) *
                    halo_walk_sums(job->options.axes)) *
           sizeof(int64_t);
}

static halo_status walk(app_run *run, const halo_task_range *range, void *found)
{
    const walk_job *job = run->job;
    const walk_options *options = run->options;
    halo_walk_run(job->walk, range->task * halo_walk_task_size(options->walkers),
                  halo_walk_task_walkers(options->walkers, range->task), options->steps, job->every,
                  found);
    return HALO_OK;
}

static double count_flops(const app_run *run, int64_t task, const void *found)
{
    const walk_options *options = run->options;
    /* Measured at 2.6 GHz: .52 ns with AVX-512, at a floating point operation a cycle. */
    const double flops_a_step = 1.3;
    (void)found;
    return flops_a_step * halo_walk_task_walkers(options->walkers, task) * (double)options->steps;
}

static const char *digest_of(const app_run *run, int64_t task)
{
    (void)task;
    return ((const walk_job *)run->job)->digest;
}

static const app_tasks_work work = {.phase = "walking",
                                    .count = count_tasks,
                                    .bytes = count_bytes,
                                    .compute = walk,
                                    .flops = count_flops,
                                    .name = digest_of};

/* ---- the medium ------------------------------------------------------------------------------ */

static void use_image(const app_run *run, app_image_options *use)
{
    (void)run;
    use->want = HALO_IMAGE_NATIVE;
    use->volumes = true;
    use->narrow = true;
}

static halo_status check_options(const app_run *run)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    int axes = run->domain.axes;
    HALO_FAIL_IF(options->trajectories != NULL && axes != 2, HALO_ARGUMENT,
                 "--trajectories draws on media of two axes, and this one has three; leave it out");
    HALO_FAIL_IF(options->edges.count > axes, HALO_ARGUMENT,
                 "--edges has %d words, and the medium %d axes; give one for each, or one for all",
                 options->edges.count, axes);
    HALO_FAIL_IF(count_bytes(run, 0) > INT_MAX / 2, HALO_ARGUMENT,
                 "%" PRId64
                 " records are more than a task can send, which is %d bytes; make --every larger",
                 halo_walk_records(options->steps, job->every), INT_MAX / 2);
    return halo_walk_check(&job->options);
}

/* Rank 0 has all rows: they become bits, which all ranks need whole. */
static halo_status make_rows(app_run *run)
{
    const walk_options *options = run->options;
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    job->row_words = (n[0] + 63) / 64;
    HALO_TRY(HALO_ALLOCATE(job->fluid, n[1] * n[2] * job->row_words, "a medium"));
    HALO_TRY(HALO_ALLOCATE(job->missing, job->row_words, "a row of a medium"));
    if (options->mask_filter != NULL && run->image->info.nodata.missing != HALO_MISSING_NEVER) {
        HALO_TRY(HALO_ALLOCATE(job->gaps, n[1] * n[2] * job->row_words, "a medium"));
    }
    job->options.fluid = job->fluid;
    return cli_threshold_keeps(run, &options->threshold)
               ? app_image_create_field(run->image, run->cuts, &run->samples)
               : HALO_OK;
}

static halo_status create(app_run *run)
{
    const walk_options *options = run->options;
    walk_job *job = run->job;
    int axes = run->domain.axes;
    job->every = options->every > 0 ? options->every : halo_walk_default_every(options->steps);
    job->options = options->walk;
    job->options.axes = axes;
    job->options.instructions = options->all.common.instructions;
    job->options.n[HALO_WALK_AXES - 1] = 1;   /* of a medium of two axes */
    for (int axis = 0; axis < axes; axis++) { /* x is the last one of a domain */
        job->options.n[axis] = run->domain.n[axes - 1 - axis];
        job->options.edges[axis] = options->edges.along[axis];
    }
    const app_pixel pixel = app_pixel_of(run->image, &options->spacing);
    for (int axis = 0; axis < axes && pixel.spaced; axis++) {
        job->options.spacing[axis] = pixel.size[HALO_AXES - 1 - axis];
    }
    HALO_TRY(check_options(run));
    HALO_TRY(
        options->mask_filter == NULL
            ? HALO_OK
            : halo_agree(run->world, app_mask_filter_read(&job->mask_filter, options->mask_filter,
                                                          &run->domain)));
    return halo_agree(run->world, make_rows(run));
}

/* Finds the memory of the medium's bits, twice: those that were read, and the places where
 * walkers begin. Rank 0 gives an image back when these are there. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    const int64_t *n = job->options.n, rows = n[1] * n[2];
    int64_t working, kept, bits = rows * job->row_words * (int64_t)sizeof *job->fluid;
    bool first = app_is_root(run);
    int64_t image =
        first && run->samples != NULL ? rows * halo_field_view(run->samples)->stride[0] : 0;
    int64_t found = first ? halo_walk_tasks(options->walkers) * (int64_t)count_bytes(run, 0) : 0;
    int64_t steps = first && options->trajectories != NULL ? options->steps : 0;
    halo_walk_bytes(&job->options, &working, &kept);
    needs->reading += 2 * bits;
    needs->reading += first && options->mask_filter != NULL ? 2 * bits : 0;
    needs->computing = 2 * bits + halo_max(working, kept + found) - image;
    needs->writing += 2 * bits + kept + found - image +
                      steps * (options->shown * (int64_t)sizeof(int32_t[HALO_WALK_AXES]) +
                               (int64_t)sizeof(halo_canvas_point));
    needs->remedy = "a smaller medium, fewer walkers or records";
}

/* Pixels that are missing are solid. */
static void clear_missing(const app_run *run, const void *row, uint64_t *bits)
{
    const walk_job *job = run->job;
    if (run->image->info.nodata.missing == HALO_MISSING_NEVER) {
        return;
    }
    halo_image_find_missing(&run->image->info, row, job->missing);
    for (int64_t i = 0; i < job->row_words; i++) {
        bits[i] &= ~job->missing[i];
    }
}

/* Keeps the missing pixels of a row, which no filter makes fluid. */
static void keep_gaps(const app_run *run, int64_t row)
{
    const walk_job *job = run->job;
    if (job->gaps != NULL) {
        memcpy(job->gaps + row * job->row_words, job->missing,
               (size_t)job->row_words * sizeof *job->gaps);
    }
}

static halo_status binarise_band(void *context, int64_t first, int64_t rows, const void *data,
                                 size_t pitch)
{
    const app_run *run = context;
    walk_job *job = run->job;
    const halo_view from = app_image_band(run->image, data, pitch, rows);
    size_t bytes = halo_image_row_bytes(&run->image->info);
    halo_view to = from;
    to.cell_bits = HALO_BIT;
    to.origin = job->fluid + first * job->row_words;
    to.stride[0] = job->row_words * (ptrdiff_t)sizeof *job->fluid;
    halo_threshold(&from, job->threshold.of.type, &job->threshold.within, &to,
                   run->arguments->common.instructions);
    for (int64_t i = 0; i < rows; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        job->signature = XXH3_64bits_withSeed(row, bytes, job->signature);
        clear_missing(run, row, job->fluid + (first + i) * job->row_words);
        keep_gaps(run, first + i);
    }
    return HALO_OK;
}

/* Collective. */
static halo_status make_fluid(app_run *run)
{
    const walk_options *options = run->options;
    walk_job *job = run->job;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    app_samples samples = {.image = run->image, .cuts = run->cuts, .kept = run->samples};
    HALO_TRY(cli_threshold_find(run, &options->threshold, &samples, "-t 1 takes all but 0 as fluid",
                                &job->threshold));
    job->threshold.within.invert = job->threshold.within.invert != options->invert;
    if (nodata->missing == HALO_MISSING_CELL) {
        job->signature = XXH3_64bits(&nodata->cell, sizeof nodata->cell);
    }
    HALO_TRY(app_samples_each(&samples, binarise_band, run));
    halo_field_destroy(&run->samples);
    return job->mask_filter != NULL ? walk_filter_fluid(run) : HALO_OK;
}

static halo_status read_medium(app_run *run)
{
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    size_t bytes = (size_t)(n[1] * n[2] * job->row_words) * sizeof *job->fluid;
    HALO_TRY(make_fluid(run));
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, job->signature);
    HALO_TRY(halo_bcast(run->world, job->fluid, bytes, 0));
    HALO_TRY(halo_bcast(run->world, job->digest, sizeof job->digest, 0));
    progress_phase(&run->progress, "preparing");
    HALO_TRY(halo_agree(run->world, halo_walk_create(&job->walk, &job->options)));
    job->facts = halo_walk_describe(job->walk);
    return HALO_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void destroy(app_run *run)
{
    walk_job *job = run->job;
    halo_walk_destroy(&job->walk);
    free(job->fluid);
    free(job->missing);
    free(job->gaps);
    halo_filter_chain_destroy(&job->mask_filter);
}

static const char speed[] =
    "{nanoseconds_per_walker_and_step%.4g} ns a walker-step of all ranks together";

const app_command walk_command = {.syntax = &walk_syntax,
                                  .job_bytes = sizeof(walk_job),
                                  .image = true,
                                  .takes_nodata = true,
                                  .image_use = use_image,
                                  .read = read_medium,
                                  .root = true,
                                  .create = create,
                                  .needs = find_needs,
                                  .run = app_tasks_work_run,
                                  .outputs = walk_outputs,
                                  .lines = walk_lines,
                                  .speed = speed,
                                  .own = app_tasks_own,
                                  .listings = walk_listings,
                                  .lists_ranks = true,
                                  .phases = app_tasks_phases,
                                  .facts = walk_facts,
                                  .destroy = destroy};
