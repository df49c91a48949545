#include "core/tasks/results.h"

enum { ALIGNED = sizeof(int64_t) };

static size_t padded(size_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static task_record *last_record(const task_results *results)
{
    return (task_record *)(results->buffer.data + results->last);
}

halo_status task_results_add(task_results *results, int64_t task, halo_status status,
                             const void *data, size_t bytes)
{
    static const char zeros[ALIGNED];
    bool silent = bytes == 0 && status == HALO_OK;
    if (silent && results->joins &&
        last_record(results)->lo + last_record(results)->count == task) {
        last_record(results)->count++;
        return HALO_OK;
    }
    const task_record record = {
        .lo = task, .count = 1, .status = (int32_t)status, .bytes = (uint32_t)bytes};
    HALO_TRY(halo_buffer_reserve(&results->buffer, sizeof record + padded(bytes)));
    results->last = results->buffer.size;
    results->records++;
    results->joins = silent;
    halo_buffer_append(&results->buffer, &record, sizeof record);
    halo_buffer_append(&results->buffer, data, bytes);
    return halo_buffer_append(&results->buffer, zeros, padded(bytes) - bytes);
}

void task_results_forget(task_results *results, int64_t task)
{
    if (results->records > 0 && !results->joins && last_record(results)->lo == task) {
        results->buffer.size = results->last;
        results->records--;
    }
}

const task_record *task_results_next(const void *data, size_t bytes, size_t *offset,
                                     const void **found)
{
    if (*offset >= bytes) {
        return NULL;
    }
    const char *at = (const char *)data + *offset;
    const task_record *record = (const task_record *)at;
    *found = at + sizeof *record;
    *offset += sizeof *record + padded(record->bytes);
    return record;
}
