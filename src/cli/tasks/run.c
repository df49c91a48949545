#define _GNU_SOURCE /* gethostname */
#include "cli/tasks/job.h"

#include "core/world/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Jobs as tasks: a rank gets the command along with a task, tells rank 0 what it writes as soon as
 * that is much, and sends the rest with what became of it. */

void tasks_interrupt(void *context)
{
    atomic_store(&((tasks_job *)context)->stops, true);
}

/* ---- one job --------------------------------------------------------------------------------- */

/* A job that runs in a thread of this rank. */
typedef struct {
    tasks_job *job;
    halo_task_range *range;
    halo_buffer text[SHELL_STREAMS]; /* begins with a tell_head */
    double limit, limit_since;       /* the limit that rank 0 has told last, and when */
} running_job;

static halo_status forget_text(running_job *r, int stream)
{
    const tell_head head = {.kind = TELL_OUTPUT, .stream = stream};
    r->text[stream].size = 0;
    return halo_buffer_append(&r->text[stream], &head, sizeof head);
}

static halo_status tell(running_job *r, tell_kind kind, double *reply)
{
    const tell_head head = {.kind = (int32_t)kind};
    return halo_task_tell(r->range, &head, sizeof head, reply);
}

static halo_status tell_text(running_job *r, int stream)
{
    double reply = 0;
    HALO_TRY(halo_task_tell(r->range, r->text[stream].data, r->text[stream].size, &reply));
    HALO_TRY(forget_text(r, stream));
    return HALO_REQUIRE(reply >= 0, HALO_FILE, "what it writes cannot be kept");
}

static halo_status take(void *context, int stream, const void *data, size_t bytes)
{
    enum { MUCH = 1 << 18 };
    running_job *r = context;
    const tasks_options *options = r->job->options;
    HALO_TRY(halo_buffer_append(&r->text[stream], data, bytes));
    return options->line_buffer || options->ungroup || r->text[stream].size > MUCH
               ? tell_text(r, stream)
               : HALO_OK;
}

/* Returns the seconds that a job may take. A limit that is a share of the median of all jobs is
 * asked of rank 0, four times a second at most. */
static double limit(void *context)
{
    static const double often = .25;
    running_job *r = context;
    const time_value *timeout = &r->job->options->timeout;
    double now = halo_seconds();
    if (timeout->share <= 0) {
        return timeout->seconds;
    }
    if (now - r->limit_since > often) {
        r->limit_since = now;
        if (tell(r, TELL_LIMIT, &r->limit) != HALO_OK) {
            r->limit = 0;
        }
    }
    return r->limit;
}

/* Until it may start. */
static halo_status await_start(running_job *r)
{
    double seconds = 0;
    tasks_job *job = r->job;
    if (job->options->delay > 0) {
        HALO_TRY(tell(r, TELL_START, &seconds));
    }
    start_gate_wait(&job->process->gate, seconds, &job->stops);
    return HALO_OK;
}

/* Digits of the slot in place of each {%}: new memory. */
static halo_status write_command(const void *data, int slot, char **out, int64_t *number)
{
    enum { DIGITS = 16 };
    char digits[DIGITS];
    job_order order;
    memcpy(&order, data, sizeof order);
    const char *places = (const char *)data + sizeof order;
    const char *text = places + sizeof(uint32_t) * (size_t)order.slots;
    halo_buffer command = {0};
    halo_status status = HALO_OK;
    uint32_t from = 0;
    int length = snprintf(digits, sizeof digits, "%d", slot + 1);
    for (int64_t i = 0; i < order.slots && status == HALO_OK; i++) {
        uint32_t to;
        memcpy(&to, places + sizeof to * (size_t)i, sizeof to);
        status = halo_buffer_append(&command, text + from, to - from);
        status = halo_status_first(status, halo_buffer_append(&command, digits, (size_t)length));
        from = to;
    }
    status = halo_status_first(status,
                               halo_buffer_append(&command, text + from, strlen(text + from) + 1));
    if (status != HALO_OK) {
        halo_buffer_free(&command);
    }
    *out = (char *)command.data;
    *number = order.number;
    return status;
}

static halo_status run_attempts(running_job *r, const shell_job *what, shell_result *result)
{
    tasks_job *job = r->job;
    halo_status status = HALO_OK;
    int64_t most = job->options->retries > 0 ? job->options->retries : INT64_MAX;
    for (int64_t attempt = 0; attempt < most && status == HALO_OK; attempt++) {
        status = attempt > 0 ? tell(r, TELL_AGAIN, NULL) : HALO_OK;
        for (int i = 0; i < SHELL_STREAMS && status == HALO_OK; i++) {
            status = forget_text(r, i);
        }
        status = status == HALO_OK ? await_start(r) : status;
        if (status != HALO_OK || atomic_load(&job->stops)) {
            break;
        }
        status = shell_run(what, result);
        if (!shell_failed(result) || atomic_load(&job->stops)) {
            break;
        }
    }
    return status;
}

static halo_status put_record(running_job *r, const shell_result *result)
{
    job_record record = {.result = *result};
    halo_buffer all = {0};
    gethostname(record.host, sizeof record.host - 1);
    for (int i = 0; i < SHELL_STREAMS; i++) {
        record.bytes[i] = (uint32_t)(r->text[i].size - sizeof(tell_head));
    }
    halo_status status = halo_buffer_append(&all, &record, sizeof record);
    for (int i = 0; i < SHELL_STREAMS && status == HALO_OK; i++) {
        status = halo_buffer_append(&all, r->text[i].data + sizeof(tell_head), record.bytes[i]);
    }
    HALO_IF_OK(status, halo_task_put(r->range, all.data, all.size));
    halo_buffer_free(&all);
    return status;
}

/* A job that this run has ended is none that failed: --resume does it again. */
static halo_status run_job(tasks_job *job, halo_task_range *range, const void *order)
{
    running_job r = {.job = job, .range = range, .limit_since = -1};
    shell_result result = {.reason = SHELL_STOPPED, .signal = SIGTERM};
    char *command;
    shell_job what = {.shell = job->options->shell,
                      .slot = job->first_slot + range->slot,
                      .process_slot = job->process_slot + range->slot,
                      .stop = &job->stops,
                      .watcher = job->process->watcher,
                      .context = &r,
                      .take = take,
                      .limit = limit};
    HALO_TRY(write_command(order, what.slot, &command, &what.number));
    what.command = command;
    halo_status status = run_attempts(&r, &what, &result);
    bool kept =
        result.reason == SHELL_OUTPUT && status == HALO_FILE; /* it counts as one that failed */
    status = kept ? HALO_OK : status;
    range->ended_early =
        status == HALO_OK && result.reason == SHELL_STOPPED && shell_failed(&result);
    if (status == HALO_OK && !range->ended_early) {
        status = put_record(&r, &result);
    }
    free(command);
    for (int i = 0; i < SHELL_STREAMS; i++) {
        halo_buffer_free(&r.text[i]);
    }
    return status;
}

halo_status tasks_run_one(void *context, halo_task_range *range)
{
    tasks_job *job = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        size_t bytes;
        const void *order = halo_task_data(range, &bytes);
        range->ended_early = atomic_load(&job->stops);
        if (order != NULL && !range->ended_early) {
            HALO_TRY(run_job(job, range, order));
        }
        if (range->ended_early) {
            break;
        }
    }
    return HALO_OK;
}
