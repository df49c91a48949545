#define _POSIX_C_SOURCE 200809L
#include "app/beats.h"
#include "app/ranks/ranks.h"
#include "app/schedule.h"
#include "app/services/balance.h"
#include "app/services/checkpoint.h"
#include "app/services/movie.h"
#include "base/memory.h"
#include "cli/life/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the grid -------------------------------------------------------------------------------- */

static bool watch(void *run, int64_t generation)
{
    return app_watch(run, generation, -1);
}

halo_status life_create_grid(app_run *run)
{
    life_job *job = run->job;
    const life_source *source = &job->source;
    const app_arguments *arguments = run->arguments;
    halo_life_options options = {.rule = source->rule,
                                 .balancing = app_balancing_of(run),
                                 .box = source->box,
                                 .edges = {source->edges[0], source->edges[1]},
                                 .beats_per_exchange =
                                     (int)arguments->decomposition.beats_per_exchange,
                                 .generations = run->last_beat - run->first_beat,
                                 .thick_strips = !app_ranks_are_given(run),
                                 .stop_when_still = arguments->until.steady,
                                 .vote = arguments->common.vote,
                                 .exchange = arguments->decomposition.exchange,
                                 .instructions = arguments->common.instructions,
                                 .watch = watch,
                                 .context = run};
    const char *parts = arguments->decomposition.parts;
    if (options.balancing != NULL && parts != NULL && strcmp(parts, "auto") == 0) {
        parts = "strips"; /* whose boundaries can move */
    }
    job->census_at = -1;
    HALO_TRY(halo_life_parts_parse(parts, source->edges, &source->box, halo_world_ranks(run->world),
                                   options.parts));
    return halo_life_create(&job->life, run->world, &options);
}

halo_status life_take_census(app_run *run)
{
    life_job *job = run->job;
    int64_t now = halo_life_generation(job->life);
    if (job->census_at != now) {
        HALO_TRY(halo_life_take_census(job->life, &job->census));
        job->census_at = now;
        job->population = job->census.population;
    }
    return HALO_OK;
}

/* ---- generations ----------------------------------------------------------------------------- */

static int64_t count(const app_run *run)
{
    return halo_life_generation(((const life_job *)run->job)->life);
}

static bool has_settled(const app_run *run)
{
    return halo_life_stopped(((const life_job *)run->job)->life) == HALO_LIFE_STOP_STILL;
}

/* The engine's own failure is one; a grid that has outgrown the memory is an end. */
static halo_status survive(app_run *run, halo_status status)
{
    life_job *job = run->job;
    if (status != HALO_MEMORY) {
        return status;
    }
    app_end_beats(run, "stopped: no memory for a larger grid");
    snprintf(job->memory_message, sizeof job->memory_message, "%s", halo_last_message());
    return HALO_OK;
}

/* Births and deaths of `count` generations one after the other, for the table if it `keeps` them.
 */
static halo_status note(app_run *run, const halo_life_change *changes, int64_t count, bool keeps)
{
    life_job *job = run->job;
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < count && status == HALO_OK; i++) {
        job->change = changes[i];
        job->counted = true;
        job->population += changes[i].births - changes[i].deaths;
        const int64_t line[] = {changes[i].generation, job->population, changes[i].births,
                                changes[i].deaths};
        status = keeps ? app_beat_table_add(run, &job->table, line) : HALO_OK;
    }
    return status;
}

static halo_status advance_counted(app_run *run, int64_t generations, bool keeps)
{
    const life_job *job = run->job;
    int64_t done = 0;
    halo_life_change *changes;
    halo_status status = HALO_ALLOCATE(changes, generations, "births and deaths");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    status = halo_life_run_counted(job->life, generations, changes, &done);
    HALO_TRY_OR(done, survive(run, status));
    keeps = keeps && app_is_root(run);
    status = halo_agree(run->world, note(run, changes, done, keeps));
done:
    free(changes);
    return status;
}

/* Lines of the table. */
static schedule_event samples_when(const app_run *run)
{
    /* A generation in the table takes 24 bytes of memory until it is there. */
    enum { MAX_COUNTED = 4096 };
    const life_job *job = run->job;
    bool wanted = job->table.path != NULL && !job->looks_ahead;
    return (schedule_event){.every = wanted ? job->table.every : 0,
                            .begin = SCHEDULE_ALWAYS,
                            .end = true,
                            .batch = MAX_COUNTED};
}

/* The last one is counted if it is to be in the table. */
static halo_status advance(app_run *run, int64_t generations)
{
    life_job *job = run->job;
    const schedule_event samples = samples_when(run);
    int64_t next = count(run) + generations;
    job->counted = false;
    if (schedule_is_noted(&samples)) {
        return advance_counted(run, generations, true);
    }
    bool last = schedule_due(&samples, run->first_beat, next, next == run->last_beat);
    HALO_TRY(survive(run, halo_life_run(job->life, generations - last)));
    bool whole = count(run) == next - last && run->loop->ending == APP_NOT_YET &&
                 halo_life_stopped(job->life) == HALO_LIFE_STOP_DONE;
    return last && whole ? advance_counted(run, 1, false) : HALO_OK;
}

/* ---- what happens at a generation ------------------------------------------------------------ */

schedule_event life_period_when(const app_run *run)
{
    return (schedule_event){.every = run->arguments->until.period};
}

halo_status life_look_for_period(app_run *run)
{
    life_job *job = run->job;
    bool same = false;
    if (job->has_kept) {
        HALO_TRY(halo_life_is_kept(job->life, &same));
    }
    if (same && run->loop->ending == APP_NOT_YET) {
        app_end_beats(run, "all is as a period before");
    }
    job->has_kept = true;
    return same ? HALO_OK : halo_life_keep(job->life);
}

/* Counting every generation has the table's lines already, all but the first one; and a table that
 * goes on has that. */
static halo_status take_sample(app_run *run)
{
    life_job *job = run->job;
    const schedule_event samples = samples_when(run);
    bool begins = count(run) == run->first_beat;
    bool known = begins || job->counted || run->loop->ending == APP_STEADY;
    if (!known || (schedule_is_noted(&samples) && !begins)) {
        return HALO_OK;
    }
    HALO_TRY(life_take_census(run));
    if (begins && job->table.goes_on) {
        return HALO_OK;
    }
    const int64_t line[] = {count(run), job->population, job->counted ? job->change.births : 0,
                            job->counted ? job->change.deaths : 0};
    return halo_agree(run->world,
                      app_is_root(run) ? app_beat_table_add(run, &job->table, line) : HALO_OK);
}

static schedule_event table_when(const app_run *run)
{
    return app_beat_table_when(run, &((const life_job *)run->job)->table);
}

static halo_status write_table(app_run *run)
{
    return app_beat_table_visit(run, &((life_job *)run->job)->table);
}

/* A run that ends for want of memory keeps what it has computed, asked or not. */
static schedule_event rescue_when(const app_run *run)
{
    (void)run;
    return (schedule_event){0};
}

static bool rescue_due(const app_run *run)
{
    return ((const life_job *)run->job)->memory_message[0] != '\0' &&
           app_checkpoint_arguments(run)->checkpoint == NULL &&
           life_options_of(run)->output == NULL;
}

/* A name that no file has: one of an earlier run is not replaced. */
static halo_status name_rescue(app_run *run)
{
    life_job *job = run->job;
    snprintf(job->rescue, sizeof job->rescue, "life-%" PRId64 ".halo", count(run));
    for (int i = 2; app_is_root(run) && access(job->rescue, F_OK) == 0; i++) {
        snprintf(job->rescue, sizeof job->rescue, "life-%" PRId64 "-%d.halo", count(run), i);
    }
    return halo_bcast(run->world, job->rescue, sizeof job->rescue, 0);
}

/* That it cannot be done must not hide why the run ended. */
static halo_status rescue(app_run *run)
{
    life_job *job = run->job;
    HALO_TRY(name_rescue(run));
    if (app_checkpoint_write(run, job->rescue) != HALO_OK) {
        job->rescue[0] = '\0';
    }
    return HALO_OK;
}

/* ---- who watches ----------------------------------------------------------------------------- */

static const app_screen *screen_of(const app_run *run)
{
    return &((const life_job *)run->job)->screen;
}

static bool stops(const app_run *run)
{
    return app_screen_is_free(run, screen_of(run)) && !((const life_job *)run->job)->looks_ahead &&
           app_is_root(run) && app_screen_is_old(run, screen_of(run));
}

static schedule_event show_when(const app_run *run)
{
    return (schedule_event){.every =
                                life_options_of(run)->watch ? app_movie_arguments(run)->every : 0,
                            .begin = SCHEDULE_ALWAYS,
                            .end = true};
}

static bool show_due(const app_run *run)
{
    return app_screen_is_free(run, screen_of(run)) &&
           (run->loop->stop_requested || run->loop->ending != APP_NOT_YET);
}

static const app_event events[] = {{.when = life_period_when, .visit = life_look_for_period},
                                   {.when = app_movie_when, .visit = app_movie_visit},
                                   {.when = samples_when, .visit = take_sample},
                                   {.when = table_when, .visit = write_table},
                                   {.when = app_checkpoint_when, .visit = app_checkpoint_visit},
                                   {.when = rescue_when, .visit = rescue, .due = rescue_due},
                                   {.when = show_when, .visit = life_screen_show, .due = show_due},
                                   {0}};

const app_beats life_beats = {.phase = "computing",
                              .counted = "at generation",
                              .advance = advance,
                              .count = count,
                              .settled = has_settled,
                              .stops = stops,
                              .events = events};
