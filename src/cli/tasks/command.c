#include "app/frame.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/tasks/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

#define ROW(option, kind, member) APP_ROW(tasks_options, option, kind, member)

static const app_option what_rows[] = {
    {.type = APP_SECTION, .help = "What is to be done:"},
    {ROW("jobs", TEXT, jobs), .letter = 'a', .value = "FILE",
     .help = "A job for each line of the file, - for standard input: a command for the shell, or "
             "what stands in place of {} in COMMAND",
     .unless = "standard input, without ::: INPUT..."},
    {ROW("dry-run", FLAG, dry_run), .help = "Print the commands without running them"},
    {.type = APP_SECTION, .help = "Failures:"},
    {ROW("retries", INTEGER, retries), .max = 1000, .unit = "times", .value = "N", .standard = "0",
     .help = "Repeat a failed job up to N times"},
    {ROW("timeout", REAL, timeout), .max = 1e9, .unit = "seconds", .value = "SECONDS",
     .unless = "none",
     .help = "End a job that takes longer: SIGTERM, and SIGKILL two seconds later"},
    {ROW("halt", INDEX, halt), .choices = "never|soon|now", .standard = "never",
     .help = "After a failed job: never: continue. soon: start no other job. now: also end the "
             "running ones"},
    {ROW("joblog", TEXT, log), .value = "FILE",
     .help = "Append a line for each finished job, in the columns of GNU parallel"},
    {ROW("resume", FLAG, resume), .needs = "joblog",
     .help = "Skip jobs that the log lists as successful"},
    {ROW("failed", TEXT, failed), .value = "FILE",
     .help = "The lines or inputs of jobs that failed, for --jobs"},
    {.type = APP_END}};

#define SCHEDULE "timed" /* in about the order of the jobs, and --halt leaves out what it can */

static const app_option how_rows[] = {
    {.type = APP_SECTION, .help = "How jobs are handed out:"},
    {APP_SCHEDULE_ROW, .unless = SCHEDULE},
    {APP_MASTER_ROW},
    {APP_TIMELINE_ROW},
    {ROW("keep-order", FLAG, keep_order), .letter = 'k',
     .help = "Print the output of jobs in the order of the jobs, not in that of their ends"},
    {.type = APP_END}};

static const app_option *const tables[] = {what_rows, how_rows, app_wait_rows, app_report_rows,
                                           NULL};

static const app_syntax tasks_syntax = {
    .name = "tasks",
    .summary = "run shell commands, one for each line or file, on all ranks",
    .about = "Run a command of the shell for each line of a file, or for each input, on all ranks "
             "of the job:\n"
             "  halobeat tasks [OPTION...] --jobs FILE\n"
             "  halobeat tasks [OPTION...] -- COMMAND... [::: INPUT...]\n"
             "In COMMAND stand {} for the input, {.} for it without its ending, {/} without its "
             "folder, {/.} without both, {//} for the folder, and {#} for the job's number. "
             "Without any of these the input is put behind COMMAND. What jobs write is kept "
             "apart, and printed when they end.",
    .notes = "Examples:\n"
             "  mpiexec -n 4 halobeat tasks --jobs jobs.txt --joblog log --resume\n"
             "  mpiexec -n 4 halobeat tasks -- convert {} {.}.jpg ::: *.png\n"
             "  ls *.gz | mpiexec -n 2 halobeat tasks --keep-order -- 'zcat {} | wc -l'\n\n"
             "Exit status: 0 done, 1 a job failed, 2 unusable arguments, " APP_EXIT_LOST,
    .tables = tables,
    .bytes = sizeof(tasks_options),
    .describe = app_tasks_describe,
};

/* ---- the jobs -------------------------------------------------------------------------------- */

static halo_status read_jobs(tasks_job *job)
{
    const tasks_words *words = job->words;
    if (words->has_inputs) {
        for (int i = 0; i < words->input_count; i++) {
            HALO_TRY(job_list_add(&job->list, words->inputs[i], strlen(words->inputs[i])));
        }
        return HALO_OK;
    }
    return job_list_read(&job->list, job->options->jobs != NULL ? job->options->jobs : "-");
}

static halo_status find_todo(tasks_job *job)
{
    bool *done;
    int64_t count = job->list.count;
    halo_status status = HALO_ALLOCATE(job->todo, count, "a list of jobs");
    HALO_TRY(status);
    HALO_TRY(HALO_ALLOCATE(done, count, "a list of jobs"));
    if (job->options->resume) {
        status = job_log_read(&job->log, count, tasks_command_of, job, done);
    }
    for (int64_t i = 0; i < count; i++) {
        job->todo[job->todo_count] = i;
        job->todo_count += !done[i];
    }
    free(done);
    return status;
}

static halo_status print_commands(tasks_job *job)
{
    for (int64_t i = 0; i < job->todo_count; i++) {
        char *command;
        HALO_TRY(tasks_command_of(job, job->todo[i], &command));
        if (terminal_shows(STDOUT_FILENO)) { /* else another program may read them */
            halo_make_printable(command);
        }
        puts(command);
        free(command);
    }
    return HALO_OK;
}

static halo_status open_list(tasks_job *job)
{
    const char *log = job->options->log;
    HALO_TRY(read_jobs(job));
    HALO_TRY(log != NULL ? job_log_open(&job->log, log, !job->options->dry_run) : HALO_OK);
    HALO_TRY(find_todo(job));
    return job->options->dry_run ? print_commands(job) : tasks_open_files(job);
}

static halo_status open_job(app_run *run)
{
    tasks_options *options = run->options;
    tasks_job *job = run->job;
    job->options = options;
    job->words = run->context;
    job->run = run;
    options->all.common.quiet = !options->all.common.verbose;
    if (options->all.tasks.schedule == NULL) {
        options->all.tasks.schedule = SCHEDULE;
    }
    int64_t count = 0;
    halo_status status = halo_world_rank(run->world) == 0 ? open_list(job) : HALO_OK;
    HALO_TRY(halo_agree(run->world, status));
    count = options->dry_run ? 0 : job->todo_count;
    HALO_TRY(halo_bcast(run->world, &count, sizeof count, 0));
    job->todo_count = count;
    return app_tasks_check(run);
}

static halo_status add_files(app_run *run, app_files *files)
{
    const tasks_options *options = run->options;
    bool is_file = options->jobs != NULL && strcmp(options->jobs, "-") != 0;
    HALO_TRY(app_files_add(files, APP_READ, is_file ? options->jobs : NULL));
    HALO_TRY(app_files_add(files, APP_LOG, options->log));
    return app_files_add(files, APP_LOG, options->failed);
}

static halo_status run_jobs(app_run *run)
{
    tasks_job *job = run->job;
    halo_tasks_options options = {.count = job->todo_count,
                                  .context = job,
                                  .run = tasks_run_one,
                                  .collect = tasks_collect,
                                  .data = tasks_data,
                                  .interrupt = tasks_interrupt,
                                  .gives_back = true,
                                  .once = true}; /* what is run twice may do harm */
    progress_phase(&run->progress, "jobs");
    HALO_TRY(halo_agree(run->world, shell_watcher_create(&job->watcher)));
    halo_status status = app_tasks_run(run, run->world, &options);
    halo_status closed = halo_world_rank(run->world) == 0 ? tasks_close_files(job) : HALO_OK;
    HALO_TRY(halo_agree(run->world, halo_status_first(status, closed)));
    int64_t counts[] = {job->done, job->failed};
    HALO_TRY(halo_bcast(run->world, counts, sizeof counts, 0));
    job->done = counts[0];
    job->failed = counts[1];
    return HALO_OK;
}

static halo_status verdict(app_run *run)
{
    const tasks_job *job = run->job;
    return job->failed > 0 ? halo_fail(HALO_FILE, "%" PRId64 " of %" PRId64 " jobs failed",
                                       job->failed, job->done)
                           : HALO_OK;
}

static void destroy(app_run *run)
{
    tasks_job *job = run->job;
    shell_watcher_destroy(&job->watcher);
    job_log_close(&job->log);
    job_list_free(&job->list);
    free(job->todo);
    free(job->command);
    free(job->kept);
}

/* ---- reports --------------------------------------------------------------------------------- */

static const app_output outputs[] = {APP_TASKS_OUTPUT, {0}};

static json_t *facts(app_run *run, json_t *texts)
{
    const tasks_job *job = run->job;
    (void)texts;
    return json_pack("{s:I, s:I, s:I, s:o}", "jobs", (json_int_t)job->list.count, "jobs_done",
                     (json_int_t)job->done, "jobs_failed", (json_int_t)job->failed, "tasks",
                     app_tasks_facts(run));
}

static const app_line lines[] = {
    {.name = "jobs", .text = "{jobs}, {jobs_done} done now[, {jobs_failed>0} failed]"},
    APP_TASKS_LINES,
    {0}};

static const app_command inner_command = {.syntax = &tasks_syntax,
                                          .job_bytes = sizeof(tasks_job),
                                          .auto_wait = "sleep", /* jobs need the cores */
                                          .open = open_job,
                                          .files = add_files,
                                          .run = run_jobs,
                                          .outputs = outputs,
                                          .lines = lines,
                                          APP_TASKS_REPORTS,
                                          .facts = facts,
                                          .verdict = verdict,
                                          .destroy = destroy};

/* Words behind -- are the command, those behind ::: inputs. */
static int call(int argc, char **argv)
{
    tasks_words words = {0};
    int options = argc;
    for (int i = 1; i < argc && !words.has_inputs; i++) {
        bool inputs = strcmp(argv[i], ":::") == 0;
        if (options == argc && (inputs || strcmp(argv[i], "--") == 0)) {
            options = i;
            words.words = argv + i + 1;
            words.word_count = inputs ? 0 : argc - i - 1;
        }
        if (inputs) {
            words.has_inputs = true;
            words.inputs = argv + i + 1;
            words.input_count = argc - i - 1;
            words.word_count = words.word_count > 0 ? (int)(argv + i - words.words) : 0;
        }
    }
    return app_main(&inner_command, "halobeat tasks", &words, options, argv);
}

const app_command tasks_command = {.syntax = &tasks_syntax, .call = call};
