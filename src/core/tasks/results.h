#ifndef HALOBEAT_CORE_TASKS_RESULTS_H
#define HALOBEAT_CORE_TASKS_RESULTS_H

#include "base/memory.h"

#include <stdbool.h>

/* What tasks found, as it travels: one record after the other. All functions are local. */

/* Tasks lo to lo + count - 1, followed by `bytes` bytes: what the only one found, or why it failed.
 */
typedef struct {
    int64_t lo, count;
    int32_t status; /* a halo_status */
    uint32_t bytes;
} task_record;

/* Zero-initialise it; free its buffer. */
typedef struct {
    halo_buffer buffer;
    size_t last; /* offset of the last record */
    int64_t records;
    bool joins; /* may the last record get more tasks? */
} task_results;

/* One more record; a task that found nothing joins the last record if it follows it. HALO_MEMORY.
 */
halo_status task_results_add(task_results *results, int64_t task, halo_status status,
                             const void *data, size_t bytes);

/* Forgets what `task` found, if that was the last record. */
void task_results_forget(task_results *results, int64_t task);

/* The record at *offset, which is then behind it, and its data; NULL behind the last one. */
const task_record *task_results_next(const void *data, size_t bytes, size_t *offset,
                                     const void **found);

#endif
