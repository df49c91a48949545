#ifndef HALOBEAT_APP_SERVICES_TASKS_H
#define HALOBEAT_APP_SERVICES_TASKS_H

#include "app/report/facts.h"
#include "app/run.h"
#include "app/services/journal.h"
#include "core/tasks/tasks.h"

/* Common parts of commands that assign tasks to ranks, and the options of their service. */
typedef struct {
    const char *schedule; /* NULL: the default */
    const char *timeline; /* a plot or table of the ranks' work over time; or NULL */
    const char *journal;  /* file that records finished tasks; or NULL */
    const char *replay;   /* on simulated machines: a journal to take results from; or NULL */
    bool once, gives_back, master_rests;
} tasks_arguments;

/* Tables of their rows: most of them, which is what commands have that say no other; with --replay,
 * for commands that use app_tasks_recall; of commands whose tasks are images. */
extern const halo_option app_tasks_rows[];
extern const halo_option app_replayed_tasks_rows[];
extern const halo_option app_image_tasks_rows[];

/* Beginnings of rows, for tables of a command's own. */
#define APP_TASKS_ROW(option, kind, member) HALO_OPTION_ROW(tasks_arguments, option, kind, member)
#define APP_SCHEDULE_ROW                                                                       \
    APP_TASKS_ROW("schedule", CUSTOM, schedule),                                               \
        .parse = app_parse_schedule, .value = "NAME[:PARAMETER]", .offer = app_offer_schedule, \
        .help = "How many tasks a rank gets when "                                             \
                "it asks, as below"
#define APP_MASTER_ROW                                 \
    APP_TASKS_ROW("master-rests", FLAG, master_rests), \
        .help = "Rank 0 only hands out tasks, and computes none"
#define APP_TIMELINE_ROW                                \
    APP_TASKS_ROW("timeline", OUTPUT, timeline),        \
        .choices = ".png|.svg|.csv", .flags = APP_PLOT, \
        .help = "Which rank did which tasks, and when, as a picture (needs gnuplot) or a table"
#define APP_JOURNAL_ROW                                                               \
    APP_TASKS_ROW("journal", TEXT, journal),                                          \
        .value = "FILE",                                                              \
        .help = "Append a line for each finished task; the same command, run again, " \
                "skips these"
halo_option_parse app_parse_schedule;
const char *app_offer_schedule(int i); /* local: name i, or NULL */

/* The service of commands that hand out tasks, and its state. */
extern const app_service app_tasks_service;

typedef struct {
    halo_tasks *tasks;
    app_journal *journal; /* of --journal, or NULL */
    app_journal *replay;  /* of --replay, or NULL */
    int64_t count;        /* tasks in all */
    int64_t before;       /* tasks that the journal had when the run began */
    /* On rank 0: tasks that have ended by now, `before` included. Handlers of signals read it. */
    _Atomic int64_t ended;
    const char *log; /* the file from which --resume goes on with them, or NULL */
    uint64_t inputs; /* on rank 0, with a journal: hash of other files than images */
    void *results;   /* of all tasks, on rank 0, of an app_tasks_work without `take`; else NULL */
    double *flops; /* [count] on simulated machines, of an app_tasks_work: what tasks cost that ran
                    * on this rank; else NULL */
} tasks_state;

/* Local. The options of a run's tasks. */
const tasks_arguments *app_tasks_arguments(const app_run *run);

/* Local. The tasks of a run; NULL if its command has none. */
const tasks_state *app_tasks_of(const app_run *run);

/* Collective in `world`, that of app_tasks_run, before it. With --journal: opens the journal of
 * this job; functions then get tasks by their numbers in `job`, and `collect` must pass what it got
 * to app_tasks_done at its end. With --replay: each rank reads that journal. Tasks without results
 * are never in a journal. job->says may be NULL: then it is the command, its inputs and all options
 * except those that never change a result (how ranks wait, what is reported, how tasks are
 * assigned, ...). Errors as of app_journal_open. */
halo_status app_tasks_open_journal(app_run *run, halo_world *world, const app_journal_job *job);

/* Local, on rank 0. A task has ended: for the progress line. */
void app_tasks_count(app_run *run);

/* Local, on rank 0. A task has ended and was collected: for the progress line and the journal.
 * HALO_FILE. */
halo_status app_tasks_done(app_run *run, int64_t task, const void *data, size_t bytes);

/* Local, in a function that runs tasks. With --replay, copies the result of `task` in that journal
 * to `found`, if it is `bytes` long. False: it must be computed. */
bool app_tasks_recall(const app_run *run, int64_t task, void *found, size_t bytes);

/* Collective in `world`. Creates the tasks with `options`, completed by the user's options, and
 * runs them. With a journal it first collects the results of finished tasks, and runs only the
 * others. With options->numbers these are tasks that have become known: it is called again for the
 * next ones, and leaves those of the journal to app_tasks_replay. */
halo_status app_tasks_run(app_run *run, halo_world *world, const halo_tasks_options *options);

/* Local, on rank 0. Passes the results of the journal's finished tasks to `collect`. */
halo_status app_tasks_replay(app_run *run, void *context,
                             halo_status (*collect)(void *context, int64_t task, const void *data,
                                                    size_t bytes));

/* Tasks that each have a result of a size that is known before: what a command with such tasks
 * tells the service (app_service_use.with), which then checks the options, and all else is done by
 * app_tasks_work_run, the command's `run`. */
typedef struct {
    const char *phase; /* of the progress line */

    /* Local, the same on all ranks: the number of tasks, and the bytes of a task's result. */
    int64_t (*count)(const app_run *run);
    size_t (*bytes)(const app_run *run, int64_t task);
    /* Local, and without messages. Computes range->task into `found`, zeroes of that size, unless
     * --replay knows the result. */
    halo_status (*compute)(app_run *run, const halo_task_range *range, void *found);
    /* Local, on rank 0, one task at a time in any order. `found` has no alignment. NULL: results,
     * all of one size, are kept in the order of tasks, at app_tasks_of(run)->results. */
    halo_status (*take)(app_run *run, int64_t task, const void *found);

    /* For simulated machines: what a task costs that found this, and what a request does (NULL: as
     * in halo_tasks_options). */
    double (*flops)(const app_run *run, int64_t task, const void *found);
    double (*request_flops)(const app_run *run);

    /* As halo_tasks_options.data, if `sends`. NULL: nothing is sent along. */
    const void *(*data)(app_run *run, int64_t task, size_t *bytes);
    bool (*sends)(const app_run *run);

    /* Local. The text that tells this journal's job from others. NULL: as app_tasks_open_journal
     * finds it. And the name of a task's input; NULL: there are none. */
    void (*says)(const app_run *run, char *text, size_t size);
    const char *(*name)(const app_run *run, int64_t task);
} app_tasks_work;

/* Collective. Opens the journal, and runs the tasks of the command's app_tasks_work. Errors as of
 * app_tasks_open_journal and halo_tasks_run. */
halo_status app_tasks_work_run(app_run *run);

/* Collective. Ends the tasks before the world in which they ran. */
void app_tasks_end(app_run *run);

/* Local. Says which file --resume goes on with, for what a signal interrupts; `log` must stay. */
void app_tasks_set_log(app_run *run, const char *log);

/* Local, on rank 0. Says what the other input files of a job with a journal are: their hash. */
void app_tasks_set_inputs(app_run *run, uint64_t hash);

/* The timeline, for a command's outputs. */
#define APP_TASKS_OUTPUT                                                              \
    {                                                                                 \
        .service = &app_tasks_service, .option = offsetof(tasks_arguments, timeline), \
        .phase = "writing", .write = app_timeline_write                               \
    }
halo_status app_timeline_write(app_run *run, const char *path);

/* Local, on rank 0. The report of tasks, for the key "tasks" of a command's facts; NULL if there is
 * no memory. */
json_t *app_tasks_facts(const app_run *run);

/* The lines and the table of that report; a command with these lists its ranks. */
#define APP_TASKS_LINES                                                                          \
    {.name = "tasks",                                                                            \
     .verbose = true,                                                                            \
     .text = "{tasks.finished} finished[, {tasks.failed>0} failed]; schedule {tasks.schedule}, " \
             "{tasks.chunks} chunks[, {tasks.repeated>0} done again by idle ranks]"},            \
        {.name = "journal",                                                                      \
         .text = "{tasks.before>0} task{s:tasks.before} of an earlier run were in it"},          \
        {.name = "balance",                                                                      \
         .verbose = true,                                                                        \
         .text = "index of load imbalance (IDC) {100*tasks.imbalance%.1f} %; efficiency "        \
                 "{100*tasks.efficiency%.1f} %"},                                                \
    {                                                                                            \
        "master",                                                                                \
            "{tasks.requests} requests, {tasks.requests_per_second%.4g} a second, "              \
            "{1e6*tasks.service_seconds%.3g} us each; they wait "                                \
            "{1e3*tasks.wait_median_seconds%.3g} ms (median), {1e3*tasks.wait_99_seconds%.3g} "  \
            "ms (99 %), {1e3*tasks.longest_gap_seconds%.3g} ms at most until they are seen",     \
            true                                                                                 \
    }
extern const app_listing app_tasks_listings[];
extern const app_column app_tasks_columns[]; /* of the table, for commands with other listings */

/* For the rest of a command's report: no rows, and no phases. */
report_line app_tasks_own(const app_run *run);
extern const app_phase app_tasks_phases[];

/* The members of a command's table for these reports. */
#define APP_TASKS_REPORTS                                                      \
    .own = app_tasks_own, .listings = app_tasks_listings, .lists_ranks = true, \
    .phases = app_tasks_phases

/* Local. Help: the schedules there are. */
void app_tasks_describe(const app_syntax *syntax, char *out, size_t size);

#endif
