#ifndef HALOBEAT_CORE_TASKS_RESULTS_H
#define HALOBEAT_CORE_TASKS_RESULTS_H

#include "base/memory.h"

#include <stdbool.h>

/* Records of results of tasks, stored one after the other. All functions are local. */

/* Tasks lo to lo + count - 1, followed by `bytes` bytes: the result of a single task, or the
 * message of its failure. */
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
    bool joins; /* tasks without results may be added to the last record */
} task_results;

/* Adds a record. A task without a result is merged into the last record if it follows it.
 * HALO_MEMORY. */
halo_status task_results_add(task_results *results, int64_t task, halo_status status,
                             const void *data, size_t bytes);

/* Removes the result of `task`, if it is the last record. */
void task_results_forget(task_results *results, int64_t task);

/* The record at *offset and its data; *offset is advanced. NULL after the last one. */
const task_record *task_results_next(const void *data, size_t bytes, size_t *offset,
                                     const void **found);

#endif
