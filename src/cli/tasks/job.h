#ifndef HALOBEAT_CLI_TASKS_JOB_H
#define HALOBEAT_CLI_TASKS_JOB_H

#include "app/run.h"
#include "app/services/tasks.h"
#include "cli/tasks/inputs.h"
#include "cli/tasks/log.h"
#include "cli/tasks/options.h"
#include "cli/tasks/shell.h"

typedef struct {
    app_arguments all;
    file_values files;
    const char *log, *failed, *results; /* names of files, or NULL */
    const char *colsep, *header, *shell, *tagstring;
    bool null, skip_empty; /* inputs end in zero bytes; empty ones are left out */
    bool resume, dry_run, keep_order, tag, line_buffer, ungroup;
    count_value at_once, load;
    int64_t retries, memory;
    double delay;
    time_value timeout;
    halt_value halt;
} tasks_options;

/* Conditions that a rank waits for before it starts a job. */
typedef struct {
    double load;    /* fewer threads than so many run on this machine; 0: any number */
    int64_t memory; /* at least so many bytes can be allocated */
    const char *program;
    atomic_bool said; /* has it been said that jobs wait? */
} start_gate;

/* Keeps what jobs have written until it is printed: a few megabytes of all of it in memory, and the
 * rest in one file without a name in TMPDIR, which has holes where nothing is needed any more. One
 * thread uses it. */
typedef struct {
    size_t held;  /* bytes in memory */
    int64_t used; /* bytes in the file that are needed, */
    int64_t end;  /* of so many */
    int file;     /* -1: not yet opened */
} output_store;
#define OUTPUT_STORE_EMPTY \
    {                      \
        .file = -1         \
    }

/* A text in the store. Zero-initialise it. */
typedef struct {
    halo_buffer memory;  /* its beginning, or all of it */
    halo_buffer extents; /* of the rest: in the file */
    int64_t bytes;
} stored_text;

/* Output of a job that has not been printed yet. */
typedef struct {
    stored_text text[SHELL_STREAMS];
    bool within_line[SHELL_STREAMS]; /* of what was printed */
    bool there;                      /* the job has ended */
    bool lost;                       /* some of it could not be kept */
    char *tag;                       /* or NULL */
} job_output;

typedef struct tasks_job {
    const tasks_options *options;
    const tasks_words *words;
    app_run *run;
    int slots, first_slot; /* of this rank: how many, and the first one of all ranks' */
    atomic_bool stops;     /* jobs that are running are to be ended */

    /* Members that a process has once. Ranks that are threads use rank 0's. */
    struct tasks_job *process; /* whose */
    int process_slots;         /* of all its ranks together */
    int process_slot;          /* the first one of this rank among these */
    shell_watcher *watcher;
    start_gate gate;

    /* Rank 0. */
    job_inputs inputs;
    int64_t *todo; /* [todo_count], places among the inputs */
    int64_t todo_count;
    halo_buffer order; /* given to a rank last */
    job_log log;
    FILE *failed_list;
    output_store store;
    job_output **outputs; /* [todo_count], NULL: nothing, or not any more */
    int64_t shown;        /* with --keep-order: how many have been shown */
    double next_start;    /* with --delay */
    halo_buffer seconds;  /* double: of jobs that ended well, for a timeout in per cent */
    int64_t failed, done; /* at the end on all ranks */
    bool halts;           /* nothing more is begun; at the end on all ranks: */
    bool ends;            /* and what runs was ended, which is no failure */
    bool succeeds;        /* as many jobs ended well as were wanted, whatever others did */
    bool unwritten;       /* has output been lost? */
    halo_status status;   /* of what could not be written or done: the first one, with */
    char message[HALO_MESSAGE_SIZE];
} tasks_job;

/* ---- jobs (jobs.c), on rank 0: local ----------------------------------------------------------
 */

/* Reads the inputs, and finds those that are to be done. HALO_FILE, HALO_FORMAT, HALO_ARGUMENT,
 * HALO_MEMORY. */
halo_status tasks_read_jobs(tasks_job *job);

/* Makes the command of job `i`, with {%} as it stands: new memory. */
halo_status tasks_command_of(void *job, int64_t i, char **out);

/* Appends `template` for job `i`, without quotes, and '\0'. */
halo_status tasks_expand(const tasks_job *job, int64_t i, const char *template, halo_buffer *out);

/* Prints the commands. */
halo_status tasks_print_commands(tasks_job *job);

/* ---- running them (run.c) ---------------------------------------------------------------------
 */

/* A rank gets this along with a task, `slots` numbers as of template_use, and the command. */
typedef struct {
    int64_t number; /* of the job, from 1 */
    int64_t slots;
} job_order;

/* A job sends this to rank 0 while it runs, and its output behind it. */
typedef enum {
    TELL_OUTPUT, /* it has written; replies below 0 if that cannot be kept */
    TELL_AGAIN,  /* it is done again: what it has written does not count */
    TELL_START,  /* asks for the seconds that it is to wait before it starts */
    TELL_LIMIT   /* asks for the seconds that it may take, 0: any */
} tell_kind;
typedef struct {
    int32_t kind, stream;
} tell_head;

/* A job's result at its end: this, and the output since the last message. */
enum { JOB_HOST = 64 };
typedef struct {
    shell_result result;
    char host[JOB_HOST];
    uint32_t bytes[SHELL_STREAMS];
} job_record;

halo_status tasks_run_one(void *context, halo_task_range *range);
void tasks_interrupt(void *context);

/* Collective (slots.c). How many jobs this rank runs at the same time. HALO_ARGUMENT if there are
 * more ranks than jobs at once. */
halo_status tasks_count_slots(tasks_job *job);

/* Local, from any thread. Waits for `seconds`, and then until the gate is open, or until *stop is
 * true. */
void start_gate_wait(start_gate *gate, double seconds, const atomic_bool *stop);

/* ---- collecting (collect.c, output.c, results.c), on rank 0: local ----------------------------
 */

const void *tasks_data(void *context, int64_t task, size_t *bytes);
halo_status tasks_part(void *context, int64_t task, const void *data, size_t bytes, double *reply);
halo_status tasks_collect(void *context, int64_t task, const void *data, size_t bytes);

/* A failure that does not end the run: the first one is said at its end. */
void tasks_keep_failure(tasks_job *job, halo_status status);

/* Opens the files of a run, whose jobs are `todo`; closes them. HALO_FILE. */
halo_status tasks_open_files(tasks_job *job);
halo_status tasks_close_files(tasks_job *job);

/* Appends to a text in the store (store.c). HALO_FILE if there is no room for it, with what to do;
 * HALO_MEMORY. */
halo_status stored_text_append(output_store *store, stored_text *text, const void *data,
                               size_t bytes);

/* Gives all of it to `take`, piece by piece. HALO_FILE, HALO_MEMORY, and what `take` returns. */
halo_status stored_text_read(output_store *store, const stored_text *text,
                             halo_status (*take)(void *context, const void *data, size_t bytes),
                             void *context);

void stored_text_drop(output_store *store, stored_text *text);
void output_store_close(output_store *store);

/* Takes what task `task` has written, and prints what can be printed. HALO_FILE if there is no
 * room for it, HALO_MEMORY. */
halo_status output_take(tasks_job *job, int64_t task, int stream, const void *data, size_t bytes);

/* Forgets it. */
void output_drop(tasks_job *job, int64_t task);

/* The task has ended: prints what is left of it when it is its turn. */
halo_status output_end(tasks_job *job, int64_t task);

/* Prints what waited for tasks that were never done, and frees everything. */
void output_close(tasks_job *job);

/* HALO_ARGUMENT if two jobs would write the same file of --results, or one that the run or a job
 * reads or that is written otherwise; HALO_MEMORY. */
halo_status results_check(tasks_job *job);

/* Local. Adds the files that jobs and their logs are. HALO_MEMORY. */
halo_status tasks_add_files(const app_run *run, app_files *files);

/* Writes what the task has written into files of --results. HALO_FILE, HALO_MEMORY. */
halo_status results_write(tasks_job *job, int64_t task);

#endif
