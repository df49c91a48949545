#define _POSIX_C_SOURCE 200809L /* gethostname */
#include "base/printable.h"
#include "cli/tasks/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Jobs as tasks: a rank gets the command along with a task, and sends back what became of it. */

enum { HOST = 64 };

halo_status tasks_command_of(void *context, int64_t i, char **out)
{
    const tasks_job *job = context;
    return job_command(out, job->words->words, job->words->word_count, job_list_at(&job->list, i),
                       i + 1);
}

/* The first one is said at the end; the jobs go on. */
static void keep_failure(tasks_job *job, halo_status status)
{
    if (status != HALO_OK && job->status == HALO_OK) {
        job->status = status;
        snprintf(job->message, sizeof job->message, "%s", halo_last_message());
    }
}

/* Without a command, once the run is to end, there is nothing to do. */
const void *tasks_data(void *context, int64_t task, size_t *bytes)
{
    tasks_job *job = context;
    free(job->command);
    job->command = NULL;
    if (!job->halts) {
        halo_status status = tasks_command_of(job, job->todo[task], &job->command);
        keep_failure(job, status);
        job->halts = status != HALO_OK;
    }
    *bytes = job->command != NULL ? strlen(job->command) + 1 : 0;
    return job->command;
}

void tasks_interrupt(void *context)
{
    atomic_store(&((tasks_job *)context)->stops, true);
}

/* ---- on the rank that runs it ---------------------------------------------------------------- */

static halo_status run_job(tasks_job *job, halo_task_range *range, const char *command)
{
    char host[HOST] = "";
    shell_result result = {0};
    halo_buffer found = {0};
    halo_status status = HALO_OK;
    gethostname(host, sizeof host - 1);
    for (int64_t attempt = 0; attempt <= job->options->retries; attempt++) {
        found.size = 0;
        status = halo_buffer_reserve(&found, sizeof result + sizeof host);
        if (status == HALO_OK) {
            found.size = sizeof result + sizeof host;
            status = shell_run(command, job->options->timeout, &job->stops, job->watcher, &result,
                               &found);
        }
        if (status != HALO_OK || !shell_failed(&result) || atomic_load(&job->stops)) {
            break;
        }
    }
    /* A job that cannot be run has failed; the others go on. */
    if (status != HALO_OK && status != HALO_MEMORY) {
        found.size = sizeof result + sizeof host;
        result.exit = 127;
        result.out_bytes = 0;
        const char *why = halo_last_message();
        status = halo_buffer_append(&found, why, strlen(why));
        status = halo_status_first(status, halo_buffer_append(&found, "\n", 1));
    }
    /* A job that this run has ended is none that failed: --resume does it again. */
    range->ended_early = status == HALO_OK && atomic_load(&job->stops) && shell_failed(&result);
    if (status == HALO_OK && !range->ended_early) {
        memcpy(found.data, &result, sizeof result);
        memcpy(found.data + sizeof result, host, sizeof host);
        status = halo_task_put(range, found.data, found.size);
    }
    halo_buffer_free(&found);
    return status;
}

halo_status tasks_run_one(void *context, halo_task_range *range)
{
    tasks_job *job = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        size_t bytes;
        const char *command = halo_task_data(range, &bytes);
        range->ended_early = atomic_load(&job->stops);
        if (command != NULL && !range->ended_early) {
            HALO_TRY(run_job(job, range, command));
        }
        if (range->ended_early) {
            break;
        }
    }
    return HALO_OK;
}

/* ---- on rank 0 ------------------------------------------------------------------------------- */

static void show(tasks_job *job, const void *data, size_t bytes)
{
    shell_result result;
    const char *text = (const char *)data + sizeof result + HOST;
    memcpy(&result, data, sizeof result);
    size_t errors = bytes - sizeof result - HOST - result.out_bytes;
    progress_end(&job->run->progress);
    bool written = fwrite(text, 1, result.out_bytes, stdout) == result.out_bytes &&
                   fflush(stdout) == 0 &&
                   fwrite(text + result.out_bytes, 1, errors, stderr) == errors;
    job->unwritten = job->unwritten || !written;
}

/* In the order of the list, as far as all before it are done. */
static halo_status show_in_order(tasks_job *job, int64_t task, const void *data, size_t bytes)
{
    kept_output *kept = &job->kept[task];
    HALO_TRY(halo_buffer_append(&kept->text, data, bytes));
    kept->there = true;
    for (; job->shown < job->todo_count && job->kept[job->shown].there; job->shown++) {
        kept_output *next = &job->kept[job->shown];
        show(job, next->text.data, next->text.size);
        halo_buffer_free(&next->text);
    }
    return HALO_OK;
}

static void say_failed(tasks_job *job, int64_t number, const shell_result *result,
                       const char *command)
{
    enum { WHY = 64 };
    char why[WHY];
    if (result->timed_out) {
        snprintf(why, sizeof why, "took more than %g seconds", job->options->timeout);
    } else if (result->signal != 0) {
        snprintf(why, sizeof why, "was ended by signal %d", (int)result->signal);
    } else {
        snprintf(why, sizeof why, "failed with status %d", (int)result->exit);
    }
    progress_end(&job->run->progress);
    halo_print_message(job->run->program, "job %" PRId64 " %s: %s", number, why, command);
}

/* Into the files; a file that cannot be written is said at the end. */
static halo_status note(tasks_job *job, int64_t number, const char *host,
                        const shell_result *result, size_t written, const char *command)
{
    bool failed = shell_failed(result);
    const char *input = job_list_at(&job->list, number - 1);
    halo_status status = HALO_OK;
    if (job->log.file != NULL) {
        status = job_log_add(&job->log, number, host, result, written, command);
    }
    if (failed && job->failed_list != NULL &&
        (fprintf(job->failed_list, "%s\n", input) < 0 || fflush(job->failed_list) != 0)) {
        status = halo_status_first(status, halo_fail(HALO_FILE, "cannot write \"%s\": %s",
                                                     job->options->failed, strerror(errno)));
    }
    return status;
}

halo_status tasks_collect(void *context, int64_t task, const void *data, size_t bytes)
{
    tasks_job *job = context;
    int64_t i = job->todo[task];
    shell_result result;
    char *command = NULL;
    memcpy(&result, data, sizeof result);
    HALO_TRY(tasks_command_of(job, i, &command));
    bool failed = shell_failed(&result);
    keep_failure(job, note(job, i + 1, (const char *)data + sizeof result, &result,
                           bytes - sizeof result - HOST, command));
    if (failed) {
        job->failed++;
        job->halts = job->halts || job->options->halt != HALT_NEVER;
        say_failed(job, i + 1, &result, command);
    }
    free(command);
    halo_status status = HALO_OK;
    if (job->kept != NULL) {
        status = show_in_order(job, task, data, bytes);
    } else {
        show(job, data, bytes);
    }
    progress_update(&job->run->progress, ++job->done, job->todo_count);
    return status == HALO_OK && failed && job->options->halt == HALT_NOW
               ? halo_fail(HALO_FILE, "job %" PRId64 " failed, and --halt now ends the others",
                           i + 1)
               : status;
}

/* ---- files ----------------------------------------------------------------------------------- */

halo_status tasks_open_files(tasks_job *job)
{
    const tasks_options *options = job->options;
    if (options->log != NULL) {
        HALO_TRY(job_log_begin(&job->log));
    }
    if (options->failed != NULL) {
        job->failed_list = fopen(options->failed, "we");
        if (job->failed_list == NULL) {
            return halo_fail(HALO_FILE, "cannot write \"%s\": %s", options->failed,
                             strerror(errno));
        }
    }
    return options->keep_order ? HALO_ALLOCATE(job->kept, job->todo_count, "what jobs write")
                               : HALO_OK;
}

halo_status tasks_close_files(tasks_job *job)
{
    /* What waited for jobs that were never done. */
    for (; job->kept != NULL && job->shown < job->todo_count; job->shown++) {
        if (job->kept[job->shown].there) {
            show(job, job->kept[job->shown].text.data, job->kept[job->shown].text.size);
        }
        halo_buffer_free(&job->kept[job->shown].text);
    }
    bool closed = job_log_close(&job->log);
    closed = (job->failed_list == NULL || fclose(job->failed_list) == 0) && closed;
    job->failed_list = NULL;
    if (job->status != HALO_OK) {
        return halo_fail(job->status, "%s", job->message);
    }
    return closed && !job->unwritten
               ? HALO_OK
               : halo_fail(HALO_FILE, "what jobs have written could not all be written: %s",
                           strerror(errno));
}
