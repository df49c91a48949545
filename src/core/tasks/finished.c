#include "core/tasks/pool.h"

/* Finished tasks are counted and collected on rank 0; other ranks send them there. */

static halo_status settle_one(halo_tasks *tasks, const task_record *record, const void *found)
{
    const halo_tasks_options *options = &tasks->options;
    int64_t number = halo_tasks_number(options, record->lo);
    if (!halo_ledger_finish(tasks->ledger, record->lo)) {
        return HALO_OK; /* somebody else was first */
    }
    tasks->report.finished++;
    if (record->status != HALO_OK) {
        tasks->report.failed++;
        if (options->failed != NULL) {
            options->failed(options->context, number, found);
        }
        halo_tasks_note(tasks, halo_fail((halo_status)record->status, "task %lld: %s",
                                         (long long)number, (const char *)found));
        tasks->stopped = tasks->stopped || !options->keep_going;
        return HALO_OK;
    }
    return record->bytes > 0 && options->collect != NULL
               ? options->collect(options->context, number, found, record->bytes)
               : HALO_OK;
}

/* Tasks that a failure came too late to prevent count as well. */
halo_status halo_tasks_settle_here(halo_tasks *tasks, const void *records, size_t bytes)
{
    const task_record *record;
    const void *found;
    halo_status status = HALO_OK;
    for (size_t at = 0; (record = task_results_next(records, bytes, &at, &found)) != NULL;) {
        task_record one = *record;
        for (; one.lo < record->lo + record->count; one.lo++) {
            halo_status settled = settle_one(tasks, &one, found);
            halo_tasks_note(tasks, settled);
            status = halo_status_first(status, settled);
        }
    }
    tasks->stopped = tasks->stopped || halo_ledger_unfinished(tasks->ledger) == 0;
    return status;
}

halo_status halo_tasks_settle(halo_tasks *tasks, const void *records, size_t bytes)
{
    if (tasks->pool != NULL) {
        halo_pool_settle(tasks, records, bytes);
        return HALO_OK;
    }
    return tasks->rank > 0 ? halo_buffer_append(&tasks->results, records, bytes)
                           : halo_tasks_settle_here(tasks, records, bytes);
}

halo_status halo_tasks_report_done(halo_tasks *tasks)
{
    const task_head head = {.mail.kind = TASK_DONE, .available = tasks->worker.progress.available};
    int to =
        tasks->place == HALO_SCHEDULE_GROUPS && tasks->leader != tasks->rank ? tasks->leader : 0;
    tasks->worker.reported = halo_tasks_now(tasks);
    return tasks->results.size > 0
               ? halo_mailbox_send_buffer(tasks->mailbox, to, &head, &tasks->results)
               : HALO_OK;
}
