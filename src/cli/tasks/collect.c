#include "cli/tasks/job.h"

#include "base/printable.h"
#include "core/world/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rank 0 hands out jobs, hears what they say while they run, and notes what has become of them. */

void tasks_keep_failure(tasks_job *job, halo_status status)
{
    if (status != HALO_OK && job->status == HALO_OK) {
        job->status = status;
        snprintf(job->message, sizeof job->message, "%s", halo_last_message());
    }
}

/* ---- what a rank gets ------------------------------------------------------------------------ */

static halo_status write_order(tasks_job *job, int64_t i)
{
    const tasks_words *words = job->words;
    halo_buffer command = {0}, slots = {0};
    const template_use use = {.number = i + 1, .quoted = true, .behind = true, .slots = &slots};
    job_input input;
    halo_status status = job_inputs_at(&job->inputs, i, &input);
    HALO_IF_OK(status,
               template_expand(&command, words->command, words->command_count, &input, &use));
    const job_order order = {.number = i + 1, .slots = (int64_t)(slots.size / sizeof(uint32_t))};
    job->order.size = 0;
    if (status == HALO_OK) {
        status = halo_buffer_append(&job->order, &order, sizeof order);
        status = halo_status_first(status, halo_buffer_append(&job->order, slots.data, slots.size));
        status =
            halo_status_first(status, halo_buffer_append(&job->order, command.data, command.size));
    }
    job_input_free(&input);
    halo_buffer_free(&command);
    halo_buffer_free(&slots);
    return status;
}

/* Without an order, once the run is to end, there is nothing to do. */
const void *tasks_data(void *context, int64_t task, size_t *bytes)
{
    tasks_job *job = context;
    halo_status status = job->halts ? HALO_OK : write_order(job, job->todo[task]);
    tasks_keep_failure(job, status);
    job->halts = job->halts || status != HALO_OK;
    *bytes = job->halts ? 0 : job->order.size;
    return job->halts ? NULL : job->order.data;
}

/* ---- what jobs tell while they run ----------------------------------------------------------- */

/* Jobs start at least so many seconds one after the other, on all ranks together. */
static double seconds_to_start(tasks_job *job)
{
    double now = halo_seconds(), start = fmax(now, job->next_start);
    job->next_start = start + job->options->delay;
    return start - now;
}

static int compare_reals(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* A share of the median, once there are enough jobs to have one. */
static double limit_of_median(tasks_job *job)
{
    enum { ENOUGH = 3 };
    double *seconds = (double *)job->seconds.data;
    size_t count = job->seconds.size / sizeof *seconds;
    if (count < ENOUGH) {
        return 0;
    }
    qsort(seconds, count, sizeof *seconds, compare_reals);
    return job->options->timeout.share * seconds[count / 2];
}

halo_status tasks_part(void *context, int64_t task, const void *data, size_t bytes, double *reply)
{
    tasks_job *job = context;
    tell_head head;
    halo_status status = HALO_OK;
    memcpy(&head, data, sizeof head);
    *reply = 0;
    if (head.kind == TELL_OUTPUT) {
        status = output_take(job, task, head.stream, (const char *)data + sizeof head,
                             bytes - sizeof head);
        tasks_keep_failure(job, status);
        *reply = status != HALO_OK || job->outputs[task]->lost ? -1 : 0;
    } else if (head.kind == TELL_AGAIN) {
        output_drop(job, task);
    } else if (head.kind == TELL_START) {
        *reply = seconds_to_start(job);
    } else if (head.kind == TELL_LIMIT) {
        *reply = limit_of_median(job);
    }
    return status == HALO_MEMORY ? status : HALO_OK;
}

/* ---- what has become of them ----------------------------------------------------------------- */

static void say_unstarted(const tasks_job *job, const shell_result *result, const char *command,
                          char *out, size_t size)
{
    const char *shell = job->options->shell != NULL ? job->options->shell : "/bin/sh";
    enum { LONGEST_WORD = 131071 }; /* of Linux: 32 pages, with the zero behind it */
    size_t length = strlen(command);
    if (result->error == E2BIG && length > LONGEST_WORD) {
        snprintf(out, size,
                 "was not started: its command is %zu bytes long, and the system takes %d; put "
                 "what makes it long into a file",
                 length, LONGEST_WORD);
    } else if (result->error == E2BIG) {
        snprintf(out, size,
                 "was not started: its command of %zu bytes and the environment are together "
                 "longer than the system takes; put what makes it long into a file",
                 length);
    } else {
        snprintf(out, size, "was not started: %s, of the shell \"%s\"", strerror(result->error),
                 shell);
    }
}

static void say_failed(tasks_job *job, int64_t number, const shell_result *result,
                       const char *command)
{
    enum { WHY = 512 };
    char why[WHY];
    if (result->reason == SHELL_TIME) {
        snprintf(why, sizeof why, "took more than %g seconds", result->limit);
    } else if (result->reason == SHELL_OUTPUT) {
        snprintf(why, sizeof why, "was ended, since what it writes cannot be kept");
    } else if (result->reason == SHELL_UNSTARTED) {
        say_unstarted(job, result, command, why, sizeof why);
    } else if (result->signal != 0) {
        snprintf(why, sizeof why, "was ended by signal %d", (int)result->signal);
    } else {
        snprintf(why, sizeof why, "failed with status %d", (int)result->exit);
    }
    progress_end(&job->run->progress);
    halo_print_message(job->run->program, "job %" PRId64 " %s: %s", number, why, command);
}

/* For --jobs: as they were read. */
static halo_status list_failed(tasks_job *job, int64_t i)
{
    halo_buffer records = {0};
    HALO_TRY(job_inputs_records(&job->inputs, i, &records));
    bool good = fwrite(records.data, 1, records.size - 1, job->failed_list) == records.size - 1 &&
                putc(job->options->null ? '\0' : '\n', job->failed_list) != EOF &&
                fflush(job->failed_list) == 0;
    halo_buffer_free(&records);
    return HALO_REQUIRE(good, HALO_FILE, "cannot write \"%s\": %s", job->options->failed,
                        strerror(errno));
}

/* Into the files; a file that cannot be written is said at the end. A job whose results are not all
 * there is not in the log. */
static halo_status note(tasks_job *job, int64_t task, const job_record *record, const char *command)
{
    int64_t i = job->todo[task];
    const shell_result *result = &record->result;
    halo_status status = job->options->results != NULL ? results_write(job, task) : HALO_OK;
    if (status == HALO_OK && job->log.file != NULL) {
        status = job_log_add(&job->log, i + 1, record->host, result, command);
    }
    if (shell_failed(result) && job->failed_list != NULL) {
        status = halo_status_first(status, list_failed(job, i));
    }
    return status;
}

static halo_status take_rest(tasks_job *job, int64_t task, const job_record *record,
                             const char *text)
{
    for (int i = 0; i < SHELL_STREAMS; i++) {
        HALO_TRY(output_take(job, task, i, text, record->bytes[i]));
        text += record->bytes[i];
    }
    return HALO_OK;
}

/* HALO_FILE if the run is to end now. */
static halo_status halt(tasks_job *job, int64_t number, bool failed)
{
    static const char *const what[] = {"failed", "succeeded", "ended"};
    const halt_value *value = &job->options->halt;
    int64_t counted = value->of == HALT_FAILED      ? job->failed
                      : value->of == HALT_SUCCEEDED ? job->done - job->failed
                                                    : job->done;
    bool counts = value->of == HALT_DONE || failed == (value->of == HALT_FAILED);
    if (value->when == HALT_NEVER || !counts || counted < value->count) {
        return HALO_OK;
    }
    job->halts = true;
    job->succeeds = value->of == HALT_SUCCEEDED;
    job->ends = value->when == HALT_NOW && value->of != HALT_FAILED;
    HALO_FAIL_IF(value->when == HALT_NOW, HALO_FILE,
                 "job %" PRId64 " %s, and --halt now ends the others", number, what[value->of]);
    return HALO_OK;
}

halo_status tasks_collect(void *context, int64_t task, const void *data, size_t bytes)
{
    tasks_job *job = context;
    int64_t number = job->todo[task] + 1;
    job_record record;
    char *command = NULL;
    (void)bytes;
    memcpy(&record, data, sizeof record);
    HALO_TRY(tasks_command_of(job, number - 1, &command));
    bool failed = shell_failed(&record.result);
    tasks_keep_failure(job, take_rest(job, task, &record, (const char *)data + sizeof record));
    tasks_keep_failure(job, note(job, task, &record, command));
    if (failed) {
        job->failed++;
        say_failed(job, number, &record.result, command);
    } else if (job->options->timeout.share > 0) {
        tasks_keep_failure(job, halo_buffer_append(&job->seconds, &record.result.seconds,
                                                   sizeof record.result.seconds));
    }
    free(command);
    job->done++;
    app_tasks_count(job->run); /* before anybody can see that it has ended */
    halo_status status = output_end(job, task);
    return status == HALO_OK ? halt(job, number, failed) : status;
}

/* ---- files ----------------------------------------------------------------------------------- */

halo_status tasks_open_files(tasks_job *job)
{
    const tasks_options *options = job->options;
    HALO_TRY(options->log != NULL ? job_log_begin(&job->log) : HALO_OK);
    if (options->failed != NULL) {
        job->failed_list = fopen(options->failed, "we");
        HALO_FAIL_IF(job->failed_list == NULL, HALO_FILE, "cannot write \"%s\": %s",
                     options->failed, strerror(errno));
    }
    return HALO_ALLOCATE(job->outputs, job->todo_count, "what jobs write");
}

halo_status tasks_close_files(tasks_job *job)
{
    output_close(job);
    bool closed = job_log_close(&job->log);
    closed = (job->failed_list == NULL || fclose(job->failed_list) == 0) && closed;
    job->failed_list = NULL;
    HALO_FAIL_IF(job->status != HALO_OK, job->status, "%s", job->message);
    return HALO_REQUIRE(closed && !job->unwritten, HALO_FILE,
                        "what jobs have written could not all be written: %s", strerror(errno));
}
