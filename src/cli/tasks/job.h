#ifndef HALOBEAT_CLI_TASKS_JOB_H
#define HALOBEAT_CLI_TASKS_JOB_H

#include "app/run.h"
#include "app/tasks.h"
#include "cli/tasks/list.h"
#include "cli/tasks/log.h"
#include "cli/tasks/shell.h"

typedef enum { HALT_NEVER, HALT_SOON, HALT_NOW } halt_when;

typedef struct {
    app_arguments all;
    const char *jobs, *log, *failed; /* names of files, or NULL */
    bool resume, dry_run, keep_order;
    int64_t retries;
    double timeout;
    int halt; /* halt_when */
} tasks_options;

/* Behind the options: -- WORD... ::: INPUT... */
typedef struct {
    char **words, **inputs;
    int word_count, input_count;
    bool has_inputs;
} tasks_words;

/* What a job has written, while those before it are still running. */
typedef struct {
    bool there;
    halo_buffer text; /* a shell_result, a host's name, and what was written */
} kept_output;

typedef struct {
    const tasks_options *options;
    const tasks_words *words;
    app_run *run;
    atomic_bool stops; /* jobs that are running are to be ended */
    shell_watcher *watcher;

    /* Rank 0. */
    job_list list;
    int64_t *todo; /* [todo_count], places in the list */
    int64_t todo_count;
    char *command; /* given to a rank last */
    job_log log;
    FILE *failed_list;
    kept_output *kept;    /* [todo_count] with --keep-order */
    int64_t shown;        /* how many have been shown */
    int64_t failed, done; /* at the end on all ranks */
    bool halts;           /* nothing more is begun */
    bool unwritten;       /* has output been lost? */
    halo_status status;   /* of what could not be written or done: the first one, with */
    char message[HALO_MESSAGE_SIZE];
} tasks_job;

/* Local, on rank 0. What job `i` of the list is: new memory. */
halo_status tasks_command_of(void *job, int64_t i, char **out);

/* The functions of halo_tasks_options. */
halo_status tasks_run_one(void *context, halo_task_range *range);
halo_status tasks_collect(void *context, int64_t task, const void *data, size_t bytes);
const void *tasks_data(void *context, int64_t task, size_t *bytes);
void tasks_interrupt(void *context);

/* Local, on rank 0. Opens the files of a run, whose jobs are `todo`; closes them. HALO_FILE. */
halo_status tasks_open_files(tasks_job *job);
halo_status tasks_close_files(tasks_job *job);

#endif
