#include "cli/life/loop.h"

#include "app/signals.h"
#include "cli/life/checkpoint.h"
#include "cli/life/dots.h"
#include "core/world/collect.h"
#include "kernels/life/life_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool life_course_watch(void *context, int64_t generation)
{
    cli_life_job *job = context;
    bool watched = job->arguments->watch && !job->looks_ahead;
    bool shows = watched && job->arguments->movie.every == 0;
    if (!watched) {
        progress_update(&job->progress, generation - job->begin, job->end - job->begin);
    }
    return halo_signals_pending() != 0 ||
           (shows && halo_world_rank(job->world) == 0 && life_screen_is_old(&job->screen));
}

/* ---- from one thing to the next ---------------------------------------------------------------
 */

/* The engine's own failure is one; a grid that has outgrown the memory is an end. */
static halo_status survive(cli_life_job *job, halo_status status)
{
    if (status != HALO_MEMORY) {
        return status;
    }
    job->ending = LIFE_ENDING_MEMORY;
    snprintf(job->memory_message, sizeof job->memory_message, "%s", halo_last_message());
    return HALO_OK;
}

/* Births and deaths of `count` generations one after the other. */
static halo_status note(cli_life_job *job, const halo_life_change *changes, int64_t count,
                        bool keep)
{
    bool keeps = keep && halo_world_rank(job->world) == 0;
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < count && status == HALO_OK; i++) {
        job->change = changes[i];
        job->counted = true;
        job->census.population += changes[i].births - changes[i].deaths;
        life_sample sample = {.generation = changes[i].generation,
                              .population = job->census.population,
                              .births = changes[i].births,
                              .deaths = changes[i].deaths};
        status = keeps ? life_table_add(&job->table, &sample) : HALO_OK;
    }
    return halo_agree(job->world, status);
}

static halo_status run_counted(cli_life_job *job, int64_t generations, bool keep)
{
    int64_t count = 0;
    halo_life_change *changes = calloc((size_t)generations, sizeof *changes);
    halo_status status = HALO_OK;
    if (changes == NULL) {
        halo_fail(HALO_MEMORY, "out of memory: births and deaths");
        status = HALO_MEMORY;
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    status = halo_life_run_counted(job->life, generations, changes, &count);
    HALO_TRY_OR(done, survive(job, status));
    status = note(job, changes, count, keep);
done:
    free(changes);
    return status;
}

/* Up to generation `next`, the last one counted if it is to be in the table. */
static halo_status run_generations(cli_life_job *job, int64_t next)
{
    int64_t generations = next - halo_life_generation(job->life);
    job->counted = false;
    if (job->looks_ahead) {
        return survive(job, halo_life_run(job->life, generations));
    }
    if (schedule_is_noted(&job->events[LIFE_SAMPLE])) {
        return run_counted(job, generations, true);
    }
    bool samples = schedule_due(&job->events[LIFE_SAMPLE], job->begin, next, next == job->end);
    HALO_TRY(survive(job, halo_life_run(job->life, generations - samples)));
    if (samples && halo_life_generation(job->life) == next - 1 &&
        halo_life_stopped(job->life) == HALO_LIFE_STOP_DONE && job->ending == LIFE_ENDING_NOT_YET) {
        return run_counted(job, 1, false);
    }
    return HALO_OK;
}

/* Has anything ended the course? The same on all ranks. */
static halo_status judge(cli_life_job *job)
{
    bool is_first = halo_world_rank(job->world) == 0;
    int64_t wishes[] = {halo_signals_pending(),
                        is_first && job->arguments->watch && life_screen_is_old(&job->screen)};
    HALO_TRY(halo_allreduce_max(job->world, wishes, 2));
    job->show_is_old = wishes[1] != 0;
    if (job->ending != LIFE_ENDING_NOT_YET) {
        return HALO_OK;
    }
    if (halo_life_stopped(job->life) == HALO_LIFE_STOP_STILL) {
        job->ending = LIFE_ENDING_STILL;
    } else if (halo_life_generation(job->life) >= job->end) {
        job->ending = LIFE_ENDING_DONE;
    } else if (wishes[0] != 0) {
        job->ending = LIFE_ENDING_SIGNAL;
    }
    return HALO_OK;
}

static halo_status advance(cli_life_job *job)
{
    int64_t before = halo_life_generation(job->life);
    double begun = halo_seconds();
    HALO_TRY(run_generations(job, schedule_next_of(job->events, LIFE_EVENTS, before, job->end)));
    if (!job->looks_ahead) {
        job->run_seconds += halo_seconds() - begun;
        job->generations += halo_life_generation(job->life) - before;
    }
    return judge(job);
}

/* ---- what happens at a generation -------------------------------------------------------------
 */

static bool is_due(cli_life_job *job, life_event event)
{
    int64_t generation = halo_life_generation(job->life);
    bool ends = job->ending != LIFE_ENDING_NOT_YET;
    if (job->visited[event] == generation ||
        !schedule_due(&job->events[event], job->begin, generation, ends)) {
        return false;
    }
    job->visited[event] = generation;
    return true;
}

static halo_status look_for_period(cli_life_job *job)
{
    if (!is_due(job, LIFE_PERIOD)) {
        return HALO_OK;
    }
    bool same = false;
    if (job->has_kept) {
        HALO_TRY(halo_life_is_kept(job->life, &same));
    }
    if (same && job->ending == LIFE_ENDING_NOT_YET) {
        job->ending = LIFE_ENDING_PERIOD;
    }
    job->has_kept = true;
    return same ? HALO_OK : halo_life_keep(job->life);
}

/* Counting every generation has the table's lines already, all but the first one. */
static halo_status take_sample(cli_life_job *job)
{
    bool begins = halo_life_generation(job->life) == job->begin;
    bool still = job->ending == LIFE_ENDING_STILL;
    if (!is_due(job, LIFE_SAMPLE) || (schedule_is_noted(&job->events[LIFE_SAMPLE]) && !begins) ||
        !(begins || job->counted || still)) {
        return HALO_OK;
    }
    life_sample sample = {.generation = halo_life_generation(job->life),
                          .population = job->census.population};
    if (job->counted) {
        sample.births = job->change.births;
        sample.deaths = job->change.deaths;
    }
    return halo_agree(job->world, halo_world_rank(job->world) == 0
                                      ? life_table_add(&job->table, &sample)
                                      : HALO_OK);
}

static halo_status take_frame(cli_life_job *job)
{
    if (!is_due(job, LIFE_FRAME)) {
        return HALO_OK;
    }
    if (job->looks_ahead) {
        job->seen = halo_life_box_join(&job->seen, &job->census.live);
        return HALO_OK;
    }
    HALO_TRY(halo_life_stage(job->life));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = life_film_frame(&job->film, job->life);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

static halo_status save(cli_life_job *job)
{
    if (!is_due(job, LIFE_CHECKPOINT)) {
        return HALO_OK;
    }
    HALO_TRY(halo_life_stage(job->life));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status =
        life_checkpoint_write(job->world, job->arguments->saving.checkpoint, job->life,
                              &job->source.rule, job->source.edges, &job->census.live);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

/* A run that ends for want of memory keeps what it has computed, asked or not. That this cannot be
 * done either must not hide why it ended. */
static void rescue(cli_life_job *job)
{
    const life_arguments *arguments = job->arguments;
    if (job->ending != LIFE_ENDING_MEMORY || arguments->saving.checkpoint != NULL ||
        arguments->output != NULL) {
        return;
    }
    snprintf(job->rescue, sizeof job->rescue, "life-%" PRId64 ".halo",
             halo_life_generation(job->life));
    if (halo_life_stage(job->life) != HALO_OK ||
        life_checkpoint_write(job->world, job->rescue, job->life, &job->source.rule,
                              job->source.edges, &job->census.live) != HALO_OK) {
        job->rescue[0] = '\0';
    }
}

static halo_status show(cli_life_job *job)
{
    if (!job->arguments->watch) {
        return HALO_OK;
    }
    bool paced = job->arguments->movie.every != 0;
    bool ends = job->ending != LIFE_ENDING_NOT_YET;
    if (paced ? !is_due(job, LIFE_SHOW) : !job->show_is_old && !ends) {
        return HALO_OK;
    }
    return life_screen_show(&job->screen, job->life, &job->census, paced);
}

/* Does this event want to know population and place of the grid? */
static bool counts_cells(const cli_life_job *job, life_event event)
{
    switch (event) {
    case LIFE_FRAME:
        return job->looks_ahead;
    case LIFE_SAMPLE: /* where every generation is counted, samples know their populations */
        return !job->looks_ahead && !schedule_is_noted(&job->events[LIFE_SAMPLE]);
    case LIFE_SHOW:
    case LIFE_CHECKPOINT:
        return !job->looks_ahead;
    case LIFE_PERIOD:
    case LIFE_EVENTS:
        break;
    }
    return false;
}

static bool needs_census(const cli_life_job *job)
{
    int64_t generation = halo_life_generation(job->life);
    bool ends = job->ending != LIFE_ENDING_NOT_YET;
    bool needed = ends || generation == job->begin || job->show_is_old;
    for (int e = 0; e < LIFE_EVENTS; e++) {
        needed = needed || (counts_cells(job, (life_event)e) &&
                            schedule_due(&job->events[e], job->begin, generation, ends));
    }
    return needed;
}

static halo_status visit(cli_life_job *job)
{
    HALO_TRY(look_for_period(job));
    if (needs_census(job)) {
        HALO_TRY(halo_life_take_census(job->life, &job->census));
    }
    HALO_TRY(take_frame(job));
    if (job->looks_ahead) {
        return HALO_OK;
    }
    HALO_TRY(take_sample(job));
    HALO_TRY(save(job));
    rescue(job);
    return show(job);
}

halo_status life_course_run(cli_life_job *job)
{
    job->ending = LIFE_ENDING_NOT_YET;
    job->has_kept = false;
    for (int e = 0; e < LIFE_EVENTS; e++) {
        job->visited[e] = -1;
    }
    if (job->balance->balancing != NULL) {
        halo_balancing_set_left(job->balance->balancing,
                                job->end - halo_life_generation(job->life));
    }
    HALO_TRY(judge(job));
    HALO_TRY(visit(job));
    while (job->ending == LIFE_ENDING_NOT_YET) {
        HALO_TRY(advance(job));
        HALO_TRY(visit(job));
    }
    return HALO_OK;
}
