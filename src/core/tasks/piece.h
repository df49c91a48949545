#ifndef HALOBEAT_CORE_TASKS_PIECE_H
#define HALOBEAT_CORE_TASKS_PIECE_H

#include "core/tasks/results.h"
#include "core/tasks/tasks.h"

/* Bytes that came along with a task. */
typedef struct {
    void *bytes;
    size_t size;
} task_data;

/* Tasks that an engine runs at a time, and what they found: results of a task_range are this. */
typedef struct {
    const halo_tasks_options *options;
    const task_data *data; /* [count] or NULL */
    task_results found;
    int64_t reported; /* task that its next record is of; in the end, behind the last one done */
    int64_t shift;    /* from tasks here to their numbers, in the stretch at hand */
} task_piece;

/* Local. Runs tasks lo to hi - 1; after one that failed the others if they are to be done: true if
 * all were run. Those before piece->reported were. *memory becomes HALO_MEMORY if there was none
 * for what they found. */
bool task_piece_run(task_piece *piece, int64_t lo, int64_t hi, halo_status *memory);

#endif
