#ifndef HALOBEAT_CORE_TASKS_PIECE_H
#define HALOBEAT_CORE_TASKS_PIECE_H

#include "core/tasks/results.h"
#include "core/tasks/tasks.h"

/* Data sent with a task. */
typedef struct {
    void *bytes;
    size_t size;
} task_data;

/* Tasks that an engine runs in one go, and their results. `results` of a halo_task_range points to
 * this. */
typedef struct {
    const halo_tasks_options *options;
    const task_data *data; /* [count] or NULL */
    task_results found;
    int64_t reported; /* the next task to record; at the end, the first task not done */
    struct task_engine *engine;
    int slot;
    int64_t shift; /* difference between task numbers and indices, in the current stretch */
} task_piece;

/* Local. Runs tasks lo to hi - 1, of which those before piece->reported have been done. With
 * `keep_going` it continues after a task that failed. Returns true if all were run. Sets *memory to
 * HALO_MEMORY if there was no memory for results. */
bool task_piece_run(task_piece *piece, int64_t lo, int64_t hi, halo_status *memory);

#endif
