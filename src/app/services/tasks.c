#include "app/services/tasks.h"

#include "app/batch/batch.h"
#include "app/options/kept.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "app/report/lines.h"
#include "app/report/report.h"
#include "app/services/interruption.h"
#include "base/json_internal.h"
#include "base/memory.h"
#include "core/world/simulated_compute.h"
#include "partition/schedule/schedule.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

/* Made once for trial, a schedule checks its parameter. */
halo_status app_parse_schedule(const char *text, void *into)
{
    halo_schedule *schedule;
    HALO_TRY(
        halo_schedule_create(&schedule, text, &(halo_schedule_options){.tasks = 1, .workers = 1}));
    halo_schedule_destroy(&schedule);
    *(const char **)into = text;
    return HALO_OK;
}

const char *app_offer_schedule(int i)
{
    const halo_schedule_entry *entry = halo_schedule_list(i);
    return entry != NULL ? entry->name : NULL;
}

#define ONCE_ROW                       \
    APP_TASKS_ROW("once", FLAG, once), \
        .help = "Idle ranks do not repeat tasks that others have not finished"

#define ROWS                                                                                       \
    {.type = HALO_OPTION_SECTION,                                                                  \
     .help = "How tasks are handed out; the result is always the same:"},                          \
        {APP_SCHEDULE_ROW, .unless = HALO_TASKS_SCHEDULE}, {ONCE_ROW},                             \
        {APP_TASKS_ROW("give-back", FLAG, gives_back),                                             \
         .help =                                                                                   \
             "Tasks of a chunk that wait behind a long one are given to the next rank that asks"}, \
        {APP_MASTER_ROW}, {APP_TIMELINE_ROW},                                                      \
    {                                                                                              \
        APP_JOURNAL_ROW                                                                            \
    }

const halo_option app_tasks_rows[] = {ROWS, {.type = HALO_OPTION_END}};

const halo_option app_replayed_tasks_rows[] = {
    ROWS,
    {APP_TASKS_ROW("replay", INPUT, replay), .value = "FILE",
     .help =
         "Simulated machines: tasks take the time that they take, and find what this journal of "
         "the same job says, without being computed again"},
    {.type = HALO_OPTION_END}};

const halo_option app_image_tasks_rows[] = {
    {APP_TASKS_ROW("schedule", CUSTOM, schedule), .parse = app_parse_schedule,
     .value = "NAME[:PARAMETER]", .offer = app_offer_schedule, .unless = HALO_TASKS_SCHEDULE,
     .help = "How many images a rank gets when it asks; `halobeat tasks --help` has the list"},
    {ONCE_ROW},
    {APP_MASTER_ROW},
    {APP_TIMELINE_ROW},
    {APP_JOURNAL_ROW},
    {.type = HALO_OPTION_END}};

void app_tasks_describe(const app_syntax *syntax, char *out, size_t size)
{
    enum { NAME = 64, INDENT = 4 };
    (void)syntax;
    const halo_schedule_entry *entry;
    lines_append(out, size, "", 0, "Schedules:");
    for (int i = 0; (entry = halo_schedule_list(i)) != NULL; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "  %s%s: ", entry->name,
                 entry->parameter != NULL ? entry->parameter : "");
        lines_append(out, size, name, INDENT, entry->help);
    }
}

/* ---- the service ----------------------------------------------------------------------------- */

static tasks_state *state_of(const app_run *run)
{
    return app_service_state(run, &app_tasks_service);
}

const tasks_arguments *app_tasks_arguments(const app_run *run)
{
    return app_service_options(run, &app_tasks_service);
}

const tasks_state *app_tasks_of(const app_run *run)
{
    return state_of(run);
}

static void close_tasks(app_run *run)
{
    tasks_state *state = state_of(run);
    halo_tasks_destroy(&state->tasks);
    app_journal_close(&state->journal);
    app_journal_close(&state->replay);
    halo_memory_free(state->results);
    free(state->flops);
}

static halo_status check_replay(app_run *run)
{
    return HALO_REQUIRE(
        HALO_SIMULATED || app_tasks_arguments(run)->replay == NULL, HALO_ARGUMENT,
        "--replay is for simulated machines; to leave out tasks that are done, use --journal");
}

static halo_status add_files(app_run *run, app_files *files)
{
    return app_files_add(files, APP_LOG, app_tasks_arguments(run)->journal);
}

const app_service app_tasks_service = {.bytes = sizeof(tasks_state),
                                       .rows = app_tasks_rows,
                                       .place = app_place_of_runs,
                                       .options_bytes = APP_OPTIONS(tasks_arguments),
                                       .same_result = true,
                                       .files = add_files,
                                       .check = check_replay,
                                       .close = close_tasks};

/* ---- the run --------------------------------------------------------------------------------- */

/* Does the option change what a task finds? Names of outputs do not, unless tasks write them
 * themselves, as those of many images do. */
static bool changes_result(const app_run *run, const app_place *at)
{
    const halo_option *row = at->row;
    if (at->service != NULL) {
        return !at->service->same_result;
    }
    return (row->flags & APP_ARGUMENT) == 0 &&
           (row->type != HALO_OPTION_OUTPUT || app_batch_of(run) != NULL) &&
           !APP_IS_WITHIN(row, common) && !APP_IS_WITHIN(row, decomposition);
}

/* New memory, or NULL. */
static char *say_job(const app_run *run)
{
    json_t *options = app_options_json(run->given);
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        if (!changes_result(run, &at)) {
            json_object_del(options, app_option_key(row));
        }
    }
    if (run->command->says != NULL) {
        run->command->says(run, options);
    }
    uint64_t hash = state_of(run)->inputs;
    char inputs[2 * sizeof hash + 1];
    snprintf(inputs, sizeof inputs, "%016" PRIx64, hash);
    json_t *all = json_pack("{s:s, s:o, s:s*}", "command", run->program, "options", options,
                            "inputs", hash != 0 ? inputs : NULL);
    char *text = halo_json_text(all, JSON_SORT_KEYS);
    json_decref(all);
    return text;
}

static halo_status open_journals(app_run *run, halo_world *world, const app_journal_job *job)
{
    const tasks_arguments *options = app_tasks_arguments(run);
    tasks_state *state = state_of(run);
    if (options->journal != NULL) {
        HALO_TRY(app_journal_open(&state->journal, world, options->journal, job));
    }
    return options->replay != NULL
               ? halo_agree(world, app_journal_load(&state->replay, options->replay, job))
               : HALO_OK;
}

halo_status app_tasks_open_journal(app_run *run, halo_world *world, const app_journal_job *job)
{
    const tasks_arguments *options = app_tasks_arguments(run);
    if (options->journal == NULL && options->replay == NULL) {
        return HALO_OK;
    }
    app_journal_job said = *job;
    char *text = job->says == NULL ? say_job(run) : NULL;
    said.says = job->says != NULL ? job->says : text;
    halo_status status = HALO_REQUIRE(said.says != NULL, HALO_MEMORY, "out of memory: a journal");
    status = halo_agree(world, status);
    HALO_IF_OK(status, open_journals(run, world, &said));
    free(text);
    return status;
}

bool app_tasks_recall(const app_run *run, int64_t task, void *found, size_t bytes)
{
    size_t size = 0;
    const app_journal *replay = state_of(run)->replay;
    const void *from = replay != NULL ? app_journal_found(replay, task, &size) : NULL;
    if (from == NULL || size != bytes) {
        return false;
    }
    memcpy(found, from, bytes);
    return true;
}

void app_tasks_count(app_run *run)
{
    tasks_state *state = state_of(run);
    int64_t ended = atomic_fetch_add(&state->ended, 1) + 1;
    progress_update(&run->progress, ended, state->count);
}

halo_status app_tasks_done(app_run *run, int64_t task, const void *data, size_t bytes)
{
    app_journal *journal = state_of(run)->journal;
    app_tasks_count(run);
    return journal != NULL ? app_journal_add(journal, task, data, bytes) : HALO_OK;
}

/* Collects the tasks of the journal, and leaves them out of those to do. */
static halo_status take_journal(app_journal *journal, halo_world *world,
                                halo_tasks_options *options)
{
    halo_status status = HALO_OK;
    options->count = app_journal_left(journal, &options->numbers);
    if (halo_world_rank(world) == 0 && options->collect != NULL) {
        status = app_journal_replay(journal, options->collect, options->context);
    }
    return halo_agree(world, status);
}

halo_status app_tasks_replay(app_run *run, void *context,
                             halo_status (*collect)(void *context, int64_t task, const void *data,
                                                    size_t bytes))
{
    const app_journal *journal = state_of(run)->journal;
    return journal != NULL ? app_journal_replay(journal, collect, context) : HALO_OK;
}

halo_status app_tasks_run(app_run *run, halo_world *world, const halo_tasks_options *options)
{
    const tasks_arguments *arguments = app_tasks_arguments(run);
    tasks_state *state = state_of(run);
    halo_tasks_options all = *options;
    all.schedule = arguments->schedule;
    all.once = all.once || arguments->once;
    all.gives_back = all.gives_back || arguments->gives_back;
    all.master_rests = arguments->master_rests;
    bool more = options->numbers != NULL; /* of tasks that become known one after the other */
    state->count = options->count + (more ? state->ended : 0);
    if (state->journal != NULL && !more) {
        HALO_TRY(take_journal(state->journal, world, &all));
    }
    state->before = options->count - all.count;
    halo_tasks_destroy(&state->tasks);
    HALO_TRY(halo_tasks_create(&state->tasks, world, &all));
    app_interruption_begin(run);
    halo_status status = halo_tasks_run(state->tasks);
    app_interruption_end(run);
    return status;
}

void app_tasks_set_log(app_run *run, const char *log)
{
    state_of(run)->log = log;
}

void app_tasks_set_inputs(app_run *run, uint64_t hash)
{
    state_of(run)->inputs = hash;
}

void app_tasks_end(app_run *run)
{
    halo_tasks_destroy(&state_of(run)->tasks);
}

/* ---- reports --------------------------------------------------------------------------------- */

static json_t *facts_of_rank(const halo_tasks_rank *rank, int number)
{
    return json_pack("{s:i, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:I}", "rank", number, "tasks",
                     (json_int_t)rank->tasks, "chunks", (json_int_t)rank->chunks, "again",
                     (json_int_t)rank->again, "working_seconds", rank->working, "waiting_seconds",
                     rank->waiting, "last_task_seconds", rank->last, "messages",
                     (json_int_t)rank->messages, "bytes", (json_int_t)rank->bytes);
}

json_t *app_tasks_facts(const app_run *run)
{
    const tasks_arguments *arguments = app_tasks_arguments(run);
    const tasks_state *state = state_of(run);
    const halo_tasks_report all = halo_tasks_get_report(state->tasks), *done = &all;
    const char *schedule = arguments->schedule != NULL ? arguments->schedule : HALO_TASKS_SCHEDULE;
    json_t *ranks = json_array();
    int64_t chunks = 0, again = 0;
    double working = 0, seconds = done->seconds;
    int workers = done->ranks - (arguments->master_rests && done->ranks > 1);
    for (int i = 0; i < done->ranks; i++) {
        chunks += done->by_rank[i].chunks;
        again += done->by_rank[i].again;
        working += done->by_rank[i].working;
        json_array_append_new(ranks, facts_of_rank(&done->by_rank[i], i));
    }
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:i, s:f, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, "
        "s:o}",
        "schedule", schedule, "before", (json_int_t)state->before, "repeated",
        (json_int_t)done->repeated, "finished", (json_int_t)done->finished, "failed",
        (json_int_t)done->failed, "seconds", seconds, "imbalance", done->imbalance, "workers",
        workers, "efficiency", seconds > 0 ? working / (workers * seconds) : 0, "chunks",
        (json_int_t)chunks, "again", (json_int_t)again, "requests", (json_int_t)done->requests,
        "requests_per_second", seconds > 0 ? (double)done->requests / seconds : 0,
        "service_seconds", done->service, "wait_median_seconds", done->wait_median,
        "wait_99_seconds", done->wait_99, "longest_gap_seconds", done->longest_gap, "ranks", ranks);
}

const app_column app_tasks_columns[] = {{"rank", "{rank}", 8},
                                        {"tasks", "{tasks}", 10},
                                        {"chunks", "{chunks}", 10},
                                        {"again", "{again}", 8},
                                        {"working", "{working_seconds%.4f} s", 12},
                                        {"waiting", "{waiting_seconds%.4f} s", 12},
                                        {"last task", "{last_task_seconds%.4f} s", 12},
                                        {"bytes sent", "{bytes}", 12},
                                        {0}};

const app_listing app_tasks_listings[] = {
    {.rows = "tasks.ranks", .columns = app_tasks_columns, .verbose = true}, {0}};

report_line app_tasks_own(const app_run *run)
{
    const halo_beat_report none = {0};
    const int64_t rows[HALO_AXES] = {0, 1, 1};
    return report_line_of(&none, &run->clock, 1, rows, NULL);
}

const app_phase app_tasks_phases[] = {{0}};
