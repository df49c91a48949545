#include "app/report/facts.h"
#include "cli/walk/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 256 };

const char *const walk_axis_names[HALO_WALK_AXES] = {"x", "y", "z"};

halo_walk_samples walk_samples(const app_run *run)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    return (halo_walk_samples){.axes = job->options.axes,
                               .walkers = asked->walkers,
                               .steps = asked->steps,
                               .every = job->every,
                               .sums = job->sums};
}

bool walk_drifts(const app_run *run)
{
    return fabs(((const walk_options *)run->options)->flow) > 0;
}

/* ---- one axis -------------------------------------------------------------------------------- */

/* A number, and the ends of its interval, under NAME, NAME_low and NAME_high. */
static void add_number(json_t *object, const char *name, double value, double low, double high,
                       bool known)
{
    char key[TEXT];
    json_object_set_new(object, name, app_fact_real(value, true));
    snprintf(key, sizeof key, "%s_low", name);
    json_object_set_new(object, key, app_fact_real(low, known));
    snprintf(key, sizeof key, "%s_high", name);
    json_object_set_new(object, key, app_fact_real(high, known));
}

static void add_with_error(json_t *object, const char *name, halo_walk_number number, double factor)
{
    double value = factor * number.value, error = factor * number.error;
    add_number(object, name, value, value - error, value + error, error >= 0);
}

/* Adds the tortuosity. Confined walkers have none. */
static void add_tortuosity(json_t *object, const halo_walk_motion *motion, double free_slope)
{
    const halo_walk_number *slope = &motion->slope;
    if (halo_walk_is_confined(motion)) {
        json_object_set_new(object, "tortuosity", json_null());
        json_object_set_new(object, "tortuosity_low", json_null());
        json_object_set_new(object, "tortuosity_high", json_null());
        return;
    }
    add_number(object, "tortuosity", free_slope / slope->value,
               free_slope / (slope->value + slope->error),
               free_slope / (slope->value - slope->error), slope->error >= 0);
}

static json_t *facts_of_axis(const app_run *run, int axis, bool *curved)
{
    const walk_job *job = run->job;
    const halo_walk_samples samples = walk_samples(run);
    bool drifts = axis == 0 && walk_drifts(run);
    int64_t last = halo_walk_records(samples.steps, samples.every) - 1;
    const halo_walk_motion motion = halo_walk_estimate(&samples, last, axis, drifts);
    double free_slope = job->facts.free_slope;
    double shares = (double)job->facts.started / (double)job->facts.cells;
    json_t *found = json_object();
    *curved = halo_walk_is_curved(&motion);
    json_object_set_new(found, "axis", json_string(walk_axis_names[axis]));
    add_with_error(found, "mean", motion.mean, 1);
    add_with_error(found, "mean_square", motion.square, 1);
    add_with_error(found, "variance", motion.variance, 1);
    add_with_error(found, drifts ? "dispersion" : "diffusivity", motion.slope, .5);
    add_with_error(found, "relative", motion.slope, 1 / free_slope);
    add_with_error(found, "effective", motion.slope, shares / free_slope);
    if (!drifts) {
        add_tortuosity(found, &motion, free_slope);
    }
    add_with_error(found, "slope_before", motion.before, 1);
    json_object_set_new(found, "linear", json_boolean(!*curved));
    json_object_set_new(found, "confined", json_boolean(halo_walk_is_confined(&motion)));
    json_object_set_new(found, "remark",
                        *curved                          ? json_string("not yet linear")
                        : halo_walk_is_confined(&motion) ? json_string("confined")
                                                         : json_string("linear"));
    return found;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* One word where all axes have the same. */
static const char *edges_text(const walk_job *job, char text[TEXT])
{
    const char *const *names = halo_walk_edge_names;
    const halo_walk_edges *along = job->options.edges;
    bool same = true;
    size_t used = 0;
    for (int axis = 0; axis < job->options.axes; axis++) {
        same = same && along[axis] == along[0];
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s along %s", axis > 0 ? ", " : "",
                                 names[along[axis]], walk_axis_names[axis]);
    }
    return same ? names[along[0]] : text;
}

static json_t *medium_facts(const app_run *run)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    char edges[TEXT];
    const int64_t *n = job->options.n;
    const halo_key_range *within = &job->threshold.within;
    halo_sample_type type = job->threshold.of.type;
    bool bounded = asked->threshold.kind == THRESHOLD_RANGE;
    json_t *size = json_pack("[I, I, I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
    return json_pack("{s:o, s:I, s:I, s:f, s:o, s:o*, s:s, s:b, s:s, s:f, s:I}", "size", size,
                     "cells", (json_int_t)job->facts.cells, "fluid_cells",
                     (json_int_t)job->facts.fluid, "porosity",
                     (double)job->facts.fluid / (double)job->facts.cells, "threshold",
                     cli_sample_json(type, within->min), "threshold_high",
                     bounded ? cli_sample_json(type, within->max) : NULL, "threshold_source",
                     cli_threshold_source(&asked->threshold), "inverted", (int)asked->invert,
                     "edges", edges_text(job, edges), "conductivity", asked->conductivity,
                     "table_bytes", (json_int_t)job->facts.table_bytes);
}

static json_t *flow_facts(const app_run *run)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    return walk_drifts(run)
               ? json_pack("{s:f, s:f, s:I}", "mean_velocity", asked->flow, "fastest",
                           job->facts.fastest, "rows", (json_int_t)job->facts.flow_rows)
               : json_null();
}

json_t *walk_facts(app_run *run, json_t *texts)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    double steps = (double)asked->walkers * (double)asked->steps;
    json_t *tasks = app_tasks_facts(run);
    double seconds = json_real_value(json_object_get(tasks, "seconds"));
    json_t *axes = json_array();
    char curved_along[TEXT] = "";
    for (int axis = 0; axis < job->options.axes; axis++) {
        bool curved;
        json_array_append_new(axes, facts_of_axis(run, axis, &curved));
        if (curved) {
            size_t used = strlen(curved_along);
            snprintf(curved_along + used, sizeof curved_along - used, "%s%s", used > 0 ? ", " : "",
                     walk_axis_names[axis]);
        }
    }
    json_object_set_new(texts, "curved_along",
                        app_fact_text(curved_along[0] != '\0' ? curved_along : NULL));
    json_object_set_new(texts, "conducting",
                        asked->conductivity > 0 ? json_real(asked->conductivity) : json_null());
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:s, s:o, s:f, s:f, s:o}", "medium",
                     medium_facts(run), "flow", flow_facts(run), "walkers",
                     (json_int_t)asked->walkers, "steps", (json_int_t)asked->steps, "every",
                     (json_int_t)job->every, "seed", (json_int_t)asked->seed, "instructions",
                     job->facts.instructions, "axes", axes, "walk_seconds", seconds,
                     "nanoseconds_per_walker_and_step", 1e9 * seconds / steps, "tasks", tasks);
}

const app_line walk_lines[] = {
    {.name = "medium",
     .text =
         "{medium.fluid_cells} of {medium.cells} cells are fluid ({100*medium.porosity%.2f} "
         "%): threshold {medium.threshold}[..{medium.threshold_high}] ({medium.threshold_source}"
         "{medium.inverted?, inverted}); edges {medium.edges}"
         "[; the solid conducts {conducting%g} times as well as the fluid]"},
    {.name = "flow",
     .text = "{flow.mean_velocity%g} cells a step on average in {flow.rows} rows, {flow.fastest%g} "
             "at most"},
    {.name = "walkers", .text = "{walkers} of {steps} steps, recorded every {every}; seed {seed}"},
    {.name = "warning",
     .text = "not yet linear along {curved_along}: the spread still grows faster or slower than "
             "before; take more --steps"},
    {.name = "instructions", .text = "{instructions}", .verbose = true},
    APP_TASKS_LINES,
    {0}};

static const app_column axis_columns[] = {
    {"axis", "{axis}", -5},
    {"mean", "{mean%.4g}", 9},
    {"mean square", "{mean_square%.6g}", 12},
    {"variance", "{variance%.6g}", 10},
    {"relative diffusivity (95 %)", "{relative%.4f} ({relative_low%.4f} to {relative_high%.4f})",
     28},
    {"tortuosity (95 %)", "{tortuosity%.4f} ({tortuosity_low%.4f} to {tortuosity_high%.4f})", 28},
    {"", "{remark}", 15},
    {0}};

const app_listing walk_listings[] = {
    {.rows = "axes",
     .columns = axis_columns,
     .note = "Diffusivity (with a flow, dispersion) beside that of a walker in the fluid alone."},
    {.rows = "tasks.ranks", .columns = app_tasks_columns, .verbose = true},
    {0}};
