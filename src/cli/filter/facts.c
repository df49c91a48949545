#include "app/report/facts.h"
#include "app/image/samples.h"
#include "app/report/report.h"
#include "base/minmax.h"
#include "cli/filter/job.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This file finds what is reported of each step. Times and extremes are found while the rows pass,
 * and only if somebody asks for them. */

enum { PICTURE = 320 }; /* dots along the longer side */

/* The run that the user gave options to. */
static const common_arguments *common_of(const app_run *run)
{
    return &(run->whole != NULL ? run->whole : run)->arguments->common;
}

/* The type of what a step makes; -1: of the image. */
static halo_sample_type type_of(const app_run *run, int step)
{
    const filter_job *job = run->job;
    return step < 0 ? app_image_type(run->image) : job->chain.step[step].out;
}

/* ---- while steps are computed ---------------------------------------------------------------- */

static void take_rows(void *context, int step, int64_t first, int64_t count, void *const *rows)
{
    const app_run *run = context;
    filter_job *job = run->job;
    halo_filter_survey_add(job->told.survey[step + 1], first, count, rows);
}

static halo_status create_told(app_run *run)
{
    filter_job *job = run->job;
    filter_told *told = &job->told;
    const int64_t *cuts = job->strips.cuts[0] + halo_world_rank(run->world);
    bool shows = common_of(run)->report != NULL && !app_is_one_of_many(run);
    HALO_TRY(HALO_ALLOCATE(told->seconds, job->chain.parts, "times of steps"));
    HALO_TRY(HALO_ALLOCATE(told->time, job->chain.count, "times of steps"));
    HALO_TRY(HALO_ALLOCATE(told->survey, job->chain.count + 1, "what is reported of steps"));
    for (int i = -1; i < job->chain.count; i++) {
        HALO_TRY(halo_filter_survey_create(&told->survey[i + 1], type_of(run, i), &run->domain,
                                           cuts[0], cuts[1], shows ? PICTURE : 0));
    }
    job->watch.seconds = told->seconds;
    job->watch.take = take_rows;
    return HALO_OK;
}

static void tell_field(const app_run *run, const halo_field *field)
{
    const filter_job *job = run->job;
    const halo_view *view = halo_field_view(field);
    int64_t unit = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    for (int64_t i = 0; i < halo_view_rows(view); i += unit) {
        filter_survey *survey = job->told.survey[0];
        for (int64_t y = 0; y < unit; y++) {
            void *row = halo_view_row(view, i + y);
            halo_filter_survey_add_row(survey, survey->lo + i / unit, y, row);
        }
    }
}

/* All colours count as samples, and the picture is their mean. */
static void tell_image(const app_run *run)
{
    const filter_job *job = run->job;
    const halo_field *field;
    if (job->colours == NULL) {
        tell_field(run, job->samples);
        return;
    }
    for (int k = 0; (field = halo_filter_colours_field(job->colours, k)) != NULL; k++) {
        tell_field(run, field);
    }
}

halo_status filter_begin_told(app_run *run)
{
    filter_job *job = run->job;
    const common_arguments *common = common_of(run);
    job->watch.context = run;
    if (common->json == NULL && common->report == NULL && !common->verbose) {
        return HALO_OK;
    }
    HALO_TRY(halo_agree(run->world, create_told(run)));
    if (!job->pulls) {
        tell_image(run);
    }
    return HALO_OK;
}

/* ---- once they are --------------------------------------------------------------------------- */

/* Collective. The times of a rank's parts become those of steps, on rank 0. */
static halo_status gather_times(app_run *run, double *all)
{
    filter_job *job = run->job;
    const filter_chain *chain = &job->chain;
    size_t bytes = (size_t)chain->parts * sizeof *all;
    HALO_TRY(halo_gather(run->world, job->told.seconds, bytes, all));
    for (int r = 0; app_is_root(run) && r < halo_world_ranks(run->world); r++) {
        double of[FILTER_MOST_STEPS] = {0};
        for (int i = 0; i < chain->parts; i++) {
            of[chain->part[i]->step->number - 1] += all[r * chain->parts + i];
        }
        for (int i = 0; i < chain->count; i++) {
            job->told.time[i].most = fmax(job->told.time[i].most, of[i]);
            job->told.time[i].sum += of[i];
        }
    }
    return HALO_OK;
}

halo_status filter_end_told(app_run *run)
{
    filter_job *job = run->job;
    double *all;
    if (job->told.seconds == NULL) {
        return HALO_OK;
    }
    HALO_TRY(
        halo_agree(run->world, HALO_ALLOCATE(all, halo_world_ranks(run->world) * job->chain.parts,
                                             "times of steps")));
    halo_status status = halo_agree(run->world, gather_times(run, all));
    free(all);
    for (int i = 0; i <= job->chain.count && status == HALO_OK; i++) {
        status = halo_filter_survey_join(job->told.survey[i], run->world);
    }
    job->told.complete = status == HALO_OK;
    return status;
}

void filter_free_told(filter_job *job)
{
    for (int i = 0; job->told.survey != NULL && i <= job->chain.count; i++) {
        halo_filter_survey_destroy(&job->told.survey[i]);
    }
    filter_free_shots(&job->told, job->chain.count);
    free(job->told.survey);
    free(job->told.seconds);
    free(job->told.time);
}

/* ---- facts ----------------------------------------------------------------------------------- */

static json_t *key_json(const filter_survey *survey, int64_t key)
{
    const halo_number number = halo_sample_number(survey->type, key);
    return app_fact_number(&number);
}

/* Adds the range of an image: null where it has no numbers. */
static void add_range(json_t *to, const filter_survey *survey)
{
    json_object_set_new(to, "min", survey->known ? key_json(survey, survey->min) : json_null());
    json_object_set_new(to, "max", survey->known ? key_json(survey, survey->max) : json_null());
    if (survey->detailed) {
        json_object_set_new(to, "mean", app_fact_real(survey->mean, survey->numbers > 0));
    }
}

int64_t filter_depth_of(const filter_step *step)
{
    int64_t depth = 0;
    for (int i = 0; i < step->parts; i++) {
        depth += step->part[i].depth[filter_layer_axis(step->axes)];
    }
    return depth;
}

double filter_nanoseconds(const app_run *run, int step)
{
    const filter_job *job = run->job;
    double pixels = 1;
    for (int axis = 0; axis < run->domain.axes; axis++) {
        pixels *= (double)run->domain.n[axis];
    }
    return 1e9 * job->told.time[step].sum / fmax(pixels, 1);
}

static json_t *step_json(const app_run *run, int i)
{
    const filter_options *options = run->options;
    const filter_job *job = run->job;
    const filter_step *step = &job->chain.step[i];
    json_t *json =
        json_pack("{s:o, s:s, s:s, s:I, s:i, s:i}", "step", app_fact_text(options->step[i]), "name",
                  step->filter->name, "type", halo_sample_types[step->out].name, "depth",
                  (json_int_t)filter_depth_of(step), "pass",
                  halo_filter_chain_first_segment(&job->chain, i) + 1, "last_pass",
                  halo_filter_chain_last_segment(&job->chain, i) + 1);
    if (job->told.complete && halo_filter_chain_first_segment(&job->chain, i) >= job->start) {
        json_object_set_new(json, "seconds", json_real(job->told.time[i].most));
        json_object_set_new(json, "ns_per_pixel", json_real(filter_nanoseconds(run, i)));
        add_range(json, job->told.survey[i + 1]);
    }
    return json;
}

static json_t *steps_json(const app_run *run)
{
    const filter_options *options = run->options;
    json_t *steps = json_array();
    for (int i = 0; i < options->steps; i++) {
        json_array_append_new(steps, step_json(run, i));
    }
    return steps;
}

/* Does a part of a segment go through the image before it is computed? */
static bool looks_before(const filter_part *part)
{
    return part->reduction != NULL && part->field == NULL;
}

static void print_look(const filter_part *part, char why[FILTER_WHY_SIZE])
{
    snprintf(why, FILTER_WHY_SIZE, "%s looks at all samples before", part->step->filter->name);
}

static json_t *cut_json(json_t *pass, const filter_part *part, const char *why)
{
    return json_pack("{s:o, s:i, s:s}", "pass", pass, "step", part->step->number, "why", why);
}

/* Says where the chain was cut into passes, and why; and, without a pass, which steps of one go
 * through the image before it. */
static json_t *cuts_json(const filter_chain *chain)
{
    char why[FILTER_WHY_SIZE];
    json_t *cuts = json_array();
    for (int s = 1; s < chain->segments; s++) {
        halo_filter_chain_why(chain, s, why);
        json_array_append_new(
            cuts, cut_json(json_integer(s + 1), chain->part[chain->segment[s].first], why));
    }
    for (int i = 0; i < chain->parts; i++) {
        if (looks_before(chain->part[i])) {
            print_look(chain->part[i], why);
            json_array_append_new(cuts, cut_json(json_null(), chain->part[i], why));
        }
    }
    return cuts;
}

/* The reasons of all cuts, each once: the pass behind a step that needs the whole image is cut off
 * for the same reason as that step. NULL: there are none. */
static json_t *reasons_text(const json_t *cuts)
{
    enum { ROOM = 512 };
    char text[ROOM] = "";
    size_t i;
    json_t *cut;
    json_array_foreach((json_t *)cuts, i, cut)
    {
        const char *why = json_string_value(json_object_get(cut, "why"));
        size_t used = strlen(text);
        if (strstr(text, why) == NULL && used < ROOM) {
            snprintf(text + used, ROOM - used, "%s%s", used > 0 ? "; " : "", why);
        }
    }
    return text[0] != '\0' ? json_string(text) : json_null();
}

static halo_sample_type type_of_result(const filter_job *job)
{
    return job->gaps != NULL ? filter_gaps_type(job->gaps) : halo_filter_chain_type(&job->chain);
}

json_t *filter_facts(app_run *run, json_t *texts)
{
    const filter_job *job = run->job;
    json_t *cuts = cuts_json(&job->chain);
    json_object_set_new(texts, "reasons", reasons_text(cuts));
    json_object_set_new(texts, "manner", app_fact_text(filter_input_manner(run)));
    json_object_set_new(texts, "again", filter_input_again(job));
    json_t *facts = json_pack("{s:o, s:s, s:I, s:i, s:o, s:i, s:b}", "steps", steps_json(run),
                              "type", halo_sample_types[type_of_result(job)].name, "depth",
                              (json_int_t)halo_filter_chain_depth(&job->chain, 0), "passes",
                              filter_input_passes(job), "cuts", cuts, "readings",
                              filter_input_readings(job), "streamed", (int)job->pulls);
    if (facts != NULL && job->start > 0) {
        json_object_set_new(facts, "passes_before", json_integer(job->start));
    }
    if (facts != NULL && job->told.complete) {
        json_t *range = json_object();
        add_range(range, job->told.survey[0]);
        json_object_set_new(facts, "input", range);
    }
    return facts;
}

const app_line filter_lines[] = {
    {.name = "result",
     .text = "samples of {type}; {passes} time{s:passes} through the image[: {reasons}]"},
    {.name = "rows", .text = "{manner}[; read {again} times]"},
    {.name = "restored", .text = "after pass {passes_before} of {passes}"},
    {0}};

static const app_column columns[] = {{"step", "{step}", -20},
                                     {"type", "{type}", -8},
                                     {"depth", "{depth}", 5},
                                     {"pass", "{pass}", 4},
                                     {"ns a pixel", "{ns_per_pixel%.3g}", 10},
                                     {"minimum", "{min}", 10},
                                     {"maximum", "{max}", 10},
                                     {0}};

const app_listing filter_listings[] = {
    {.rows = "steps",
     .columns = columns,
     .verbose = true,
     .note = "Times are those of all ranks together; depths are rows or planes on each side."},
    {0}};
