#include "kernels/walk/walk_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"
#include "kernels/walk/walk_internal.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Random walkers in an array in memory. */

enum { WALKERS = 100000, STEPS = 8192, MAX_WALKERS = 1 << 30, WORD = 64 };

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_walk_array_options, option, kind, member)

static const halo_option option_rows[] = {
    {ROW("walkers", INTEGER, walkers), .max = MAX_WALKERS, .unit = "walkers", .unless = "100000",
     .help = "They begin anywhere in the fluid, with the same chance"},
    {ROW("steps", INTEGER, steps), .max = HALO_WALK_MAX_STEPS, .unit = "steps", .unless = "8192",
     .help = "Of each walker"},
    {ROW("every", INTEGER, every), .max = HALO_WALK_MAX_STEPS, .unit = "steps",
     .unless = "a 64th of the steps", .help = "Steps from one record to the next"},
    {ROW("edges", CUSTOM, edges), .parse = halo_walk_parse_edges,
     .takes = "periodic, reflecting or mirrored, or one of these for each axis, such as "
              "periodic,reflecting",
     .value = "EDGES[,EDGES...]", .offers = "periodic|reflecting|mirrored", .unless = "periodic",
     .help = "What is beyond the edges, along all axes or along each, the first one first. "
             "periodic: the medium begins again. mirrored: its mirror image, and then the medium "
             "again. reflecting: walls"},
    {ROW("conductivity", REAL, conductivity), .max = 1e6,
     .help = "Of the solid, where that of the fluid is 1: walkers enter the solid, too. 0: they "
             "stay out of it"},
    {ROW("flow", REAL, flow), .min = -1, .max = 1, .unit = "cells a step",
     .help = "Mean velocity of a flow along the last axis, in rows that are fluid from edge to "
             "edge; 0: there is none"},
    {ROW("seed", INTEGER, seed), .flags = HALO_OPTION_OPTIONAL, .unless = "1",
     .help = "Of the random numbers: another one gives other walks"},
    {0}};

const halo_option *const halo_walk_array_rows = option_rows;

struct halo_walk_result {
    halo_walk_samples samples;
    halo_walk_facts facts;
    bool flows;
    int64_t *sums; /* of the samples */
};

/* The work of a call, which all its ranks share. */
typedef struct {
    halo_array medium;
    halo_walk_options options;
    halo_walk_result *result;
    uint64_t *fluid; /* of the options */
    halo_walk *walk;
    int64_t tasks;
    atomic_llong next, done; /* tasks */
} walk_job;

/* ---- the medium ------------------------------------------------------------------------------ */

/* The place of an axis of the array among x, y and z, of which x is the array's last one; and the
 * reverse. */
static int turned(int axes, int axis)
{
    return axes - 1 - axis;
}

static int64_t row_words(const walk_job *job)
{
    return (job->options.n[0] + WORD - 1) / WORD;
}

/* Local. Sets the bits of this rank's part. */
static halo_status find_fluid(walk_job *job, array_call *call, const halo_world *world)
{
    const halo_array *medium = &job->medium;
    halo_domain domain = array_domain(medium);
    halo_partition strips;
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    halo_view bits = {.axes = medium->axes,
                      .cell_bits = HALO_BIT,
                      .owned = halo_partition_box(&strips, halo_world_rank(world))};
    halo_partition_free(&strips);
    ptrdiff_t row = row_words(job) * (ptrdiff_t)sizeof *job->fluid;
    bits.stride[medium->axes - 2] = row;
    if (medium->axes == HALO_AXES) {
        bits.stride[0] = row * medium->n[1];
    }
    bits.origin = (char *)job->fluid + bits.owned.lo[0] * bits.stride[0];
    return halo_box_cells(&bits.owned) > 0 ? array_nonzero(call, world, medium, &bits) : HALO_OK;
}

/* ---- walking --------------------------------------------------------------------------------- */

/* Walkers of a task that walk without a look at the clock: some milliseconds of a core, as far as
 * walkers that are computed together allow. */
static int walkers_at_once(int64_t steps)
{
    const int64_t most = 1 << 24;
    enum { GROUP = 64 };
    return (int)halo_max(GROUP, halo_min(HALO_WALK_TASK, most / steps / GROUP * GROUP));
}

/* Tasks are taken as they come: their sums have places of their own. */
static halo_status walk_tasks(walk_job *job, array_call *call, const halo_world *world)
{
    const halo_walk_samples *s = &job->result->samples;
    int size = halo_walk_task_size(s->walkers), piece = walkers_at_once(s->steps);
    int64_t width = halo_walk_records(s->steps, s->every) * halo_walk_sums(s->axes);
    for (int64_t task; (task = atomic_fetch_add(&job->next, 1)) < job->tasks;) {
        int walkers = halo_walk_task_walkers(s->walkers, task);
        for (int first = 0; first < walkers; first += piece) {
            if (array_call_watch(call, world, atomic_load(&job->done), job->tasks)) {
                return array_call_stop();
            }
            HALO_TRY(walk_run_watched(world, job->walk, task * size + first,
                                      (int)halo_min(piece, walkers - first), s->steps, s->every,
                                      job->result->sums + task * width));
        }
        atomic_fetch_add(&job->done, 1);
    }
    return HALO_OK;
}

static halo_status create_walk(walk_job *job)
{
    HALO_TRY(halo_walk_create(&job->walk, &job->options));
    job->result->facts = halo_walk_describe(job->walk);
    halo_memory_free(job->fluid);
    job->fluid = NULL;
    return HALO_OK;
}

static halo_status walk_rank(halo_world *world, array_call *call, void *context)
{
    const double reading = .05;
    walk_job *job = context;
    array_call_phase(call, world, reading);
    HALO_TRY(halo_agree(world, find_fluid(job, call, world)));
    HALO_TRY(halo_agree(world, halo_world_rank(world) == 0 ? create_walk(job) : HALO_OK));
    array_call_phase(call, world, 1);
    return halo_agree(world, walk_tasks(job, call, world));
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status check_options(const halo_walk_array_options *options, int axes)
{
    HALO_FAIL_IF(options->walkers < 0 || options->walkers > MAX_WALKERS, HALO_ARGUMENT,
                 "%" PRId64 " walkers are not possible; take 1 to %d", options->walkers,
                 MAX_WALKERS);
    HALO_FAIL_IF(options->steps < 0 || options->steps > HALO_WALK_MAX_STEPS, HALO_ARGUMENT,
                 "%" PRId64 " steps are not possible; take 1 to %d", options->steps,
                 HALO_WALK_MAX_STEPS);
    int64_t steps = options->steps > 0 ? options->steps : STEPS;
    HALO_FAIL_IF(options->every < 0 || options->every > steps, HALO_ARGUMENT,
                 "records every %" PRId64 " of %" PRId64 " steps are not possible; take 1 to all "
                 "of them",
                 options->every, steps);
    HALO_FAIL_IF(options->edges.count > axes, HALO_ARGUMENT,
                 "there are edges for %d axes, and the medium has %d; give one for each, or one "
                 "for all",
                 options->edges.count, axes);
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        int edges = (int)options->edges.along[axis];
        HALO_FAIL_IF(edges < 0 || edges >= HALO_WALK_EDGE_KINDS, HALO_ARGUMENT,
                     "edges of kind %d are not known; take periodic, reflecting or mirrored",
                     edges);
    }
    const double most = 1e6;
    HALO_FAIL_IF(!(options->conductivity >= 0 && options->conductivity <= most), HALO_ARGUMENT,
                 "a conductivity of %g is not possible; take 0 to %g", options->conductivity, most);
    return HALO_REQUIRE(fabs(options->flow) <= 1, HALO_ARGUMENT,
                        "a flow of %g cells a step is not possible; take -1 to 1", options->flow);
}

static halo_walk_edges edges_along(const halo_walk_edge_choice *edges, int axis)
{
    int given = edges->count;
    return given > 0 && axis >= given ? edges->along[given - 1] : edges->along[axis];
}

static halo_status prepare(walk_job *job, const halo_walk_array_options *options)
{
    const halo_array *medium = &job->medium;
    int axes = medium->axes;
    halo_walk_samples *samples = &job->result->samples;
    job->options = (halo_walk_options){
        .axes = axes,
        .n = {1, 1, 1},
        .conductivity = options->conductivity,
        .flow = options->flow,
        .seed = options->seed.given ? (uint64_t)options->seed.value : 1,
        .instructions = job->options.instructions,
    };
    for (int axis = 0; axis < axes; axis++) {
        job->options.n[turned(axes, axis)] = medium->n[axis];
        job->options.edges[turned(axes, axis)] = edges_along(&options->edges, axis);
    }
    HALO_TRY(halo_walk_check(&job->options));
    int64_t steps = options->steps > 0 ? options->steps : STEPS;
    *samples = (halo_walk_samples){.axes = axes,
                                   .walkers = options->walkers > 0 ? options->walkers : WALKERS,
                                   .steps = steps,
                                   .every = options->every > 0 ? options->every
                                                               : halo_walk_default_every(steps)};
    job->result->flows = fabs(options->flow) > 0;
    job->tasks = halo_walk_tasks(samples->walkers);
    double sums = (double)job->tasks * (double)halo_walk_records(steps, samples->every) *
                  halo_walk_sums(axes);
    HALO_FAIL_IF(sums > (double)(INT64_MAX / 16), HALO_MEMORY,
                 "there is no memory for %.3g sums of walkers; take fewer records", sums);
    HALO_TRY(HALO_ALLOCATE_LARGE(job->result->sums, (int64_t)sums, "sums of walkers"));
    samples->sums = job->result->sums;
    HALO_TRY(HALO_ALLOCATE_LARGE(job->fluid, job->options.n[1] * job->options.n[2] * row_words(job),
                                 "a medium"));
    job->options.fluid = job->fluid;
    return HALO_OK;
}

static halo_status walk(halo_context *context, const halo_walk_array_options *options,
                        walk_job *job)
{
    const double cost = .3e-9; /* seconds of a core for a step, at least */
    const halo_walk_samples *samples = &job->result->samples;
    job->options.instructions = array_instructions(context);
    halo_status status = prepare(job, options);
    if (status == HALO_OK) {
        atomic_init(&job->next, 0);
        atomic_init(&job->done, 0);
        status = array_call_run(context, cost * (double)samples->walkers * (double)samples->steps,
                                halo_max(job->tasks, job->medium.n[0]), walk_rank, job);
    }
    halo_walk_destroy(&job->walk);
    halo_memory_free(job->fluid);
    return status;
}

halo_status halo_walk_array_sized(halo_context *context, const halo_array *medium,
                                  const halo_walk_array_options *given, halo_walk_result **out,
                                  size_t given_bytes)
{
    halo_walk_array_options options;
    walk_job job = {.medium = *medium};
    *out = NULL;
    HALO_TRY(
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_walk_array_options"));
    HALO_TRY(array_check(medium, "the medium", 2, HALO_AXES));
    HALO_FAIL_IF(array_cells(medium) == 0, HALO_ARGUMENT,
                 "the medium has no elements, so there is nowhere to walk");
    HALO_TRY(check_options(&options, medium->axes));
    HALO_TRY(HALO_ALLOCATE(job.result, 1, "a result of walkers"));
    halo_status status = walk(context, &options, &job);
    if (status != HALO_OK) {
        halo_walk_result_destroy(&job.result);
    }
    *out = job.result;
    return status;
}

void halo_walk_result_destroy(halo_walk_result **result)
{
    if (*result != NULL) {
        halo_memory_free((*result)->sums);
        free(*result);
        *result = NULL;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* The flow takes walkers along x. */
static bool drifts(const halo_walk_result *result, int axis)
{
    return result->flows && axis == result->samples.axes - 1;
}

static int64_t records_of(const halo_walk_result *result)
{
    return halo_walk_records(result->samples.steps, result->samples.every);
}

void halo_walk_result_get_report_sized(const halo_walk_result *result,
                                       halo_walk_array_report *report, size_t report_bytes)
{
    const halo_walk_samples *s = &result->samples;
    const halo_walk_array_report own = {.axes = s->axes,
                                        .walkers = s->walkers,
                                        .steps = s->steps,
                                        .every = s->every,
                                        .records = records_of(result),
                                        .cells = result->facts.cells,
                                        .fluid = result->facts.fluid,
                                        .free_slope = result->facts.free_slope,
                                        .instructions = result->facts.instructions};
    halo_report_give(report, report_bytes, &own, sizeof own);
}

static bool has_axis(const halo_walk_result *result, int axis)
{
    return axis >= 0 && axis < result->samples.axes;
}

static const halo_walk_number no_number = {NAN, NAN};

void halo_walk_result_get_motion_sized(const halo_walk_result *result, int64_t record, int axis,
                                       halo_walk_motion *motion, size_t motion_bytes)
{
    halo_walk_motion own = {0, no_number, no_number, no_number, no_number, no_number, no_number};
    if (has_axis(result, axis) && record >= 0 && record < records_of(result)) {
        own = halo_walk_estimate(&result->samples, record, turned(result->samples.axes, axis),
                                 drifts(result, axis));
    }
    halo_report_give(motion, motion_bytes, &own, sizeof own);
}

static halo_walk_number times(halo_walk_number number, double factor)
{
    return (halo_walk_number){factor * number.value, factor * number.error};
}

void halo_walk_result_get_axis_sized(const halo_walk_result *result, int axis,
                                     halo_walk_axis_report *report, size_t report_bytes)
{
    const halo_walk_facts *facts = &result->facts;
    const halo_walk_motion motion =
        halo_walk_result_get_motion(result, records_of(result) - 1, axis);
    double share = (double)facts->started / (double)facts->cells;
    const halo_walk_interval none = {NAN, NAN, NAN};
    halo_walk_axis_report own = {no_number, no_number, no_number, none, false, false};
    if (has_axis(result, axis)) {
        own = (halo_walk_axis_report){
            .diffusivity = times(motion.slope, .5),
            .relative = times(motion.slope, 1 / facts->free_slope),
            .effective = times(motion.slope, share / facts->free_slope),
            .tortuosity =
                drifts(result, axis) ? none : halo_walk_tortuosity(&motion, facts->free_slope),
            .linear = !halo_walk_is_curved(&motion),
            .confined = halo_walk_is_confined(&motion)};
    }
    halo_report_give(report, report_bytes, &own, sizeof own);
}

halo_walk_number halo_walk_result_get_tensor(const halo_walk_result *result, int a, int b)
{
    int axes = result->samples.axes;
    if (!has_axis(result, a) || !has_axis(result, b)) {
        return no_number;
    }
    const halo_walk_motion motion =
        halo_walk_estimate_pair(&result->samples, records_of(result) - 1, turned(axes, a),
                                turned(axes, b), drifts(result, a) || drifts(result, b));
    return times(motion.slope, 1 / result->facts.free_slope);
}
