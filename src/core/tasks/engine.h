#ifndef HALOBEAT_CORE_TASKS_ENGINE_H
#define HALOBEAT_CORE_TASKS_ENGINE_H

#include "core/tasks/piece.h"

/* The engine that runs tasks on one rank: a thread for each slot, or if threads are not allowed, or
 * not needed, the caller itself, in pieces of about a millisecond. All functions are local. One
 * thread calls them, with a pool (pool.h) also others, where that is said. Times of tasks that run
 * side by side count as shares of the rank's time. */
typedef struct task_engine task_engine;

/* Progress since the last query. */
typedef struct {
    int64_t tasks;
    double seconds;
    double squares;   /* sum of the squares of each task's seconds; for tasks timed together, of
                       * their mean */
    double available; /* share of a core they had; 0: unknown */
    double ended;     /* time at which the last one was done, by halo_seconds */
} task_progress;

/* A part of its results that a task tells rank 0 while it runs. */
typedef struct {
    int64_t task; /* the number that functions know it by */
    const void *data;
    size_t bytes;
    double reply;
    halo_status status; /* of the answer */
    enum { TASK_PART_NONE, TASK_PART_POSTED, TASK_PART_TAKEN, TASK_PART_ANSWERED } state;
} task_part;

/* Tasks that one of several slots has run, by their places, and when, by halo_seconds. */
typedef struct {
    int64_t lo, hi;
    double begun, ended;
} task_stretch;

/* Creates an engine for `tasks`, of which it uses world, options, data, which the caller writes
 * before a task is started, and pool. Without threads the caller runs tasks, and so it does in a
 * pool one at a time. HALO_MEMORY. */
halo_status task_engine_create(task_engine **out, halo_tasks *tasks);

/* Do its tasks run in threads of their own? Any thread may ask. */
bool task_engine_is_threaded(const task_engine *engine);

/* Processor seconds of the calling thread. */
double task_on_core_seconds(void);

/* Waits for the current task. Accepts a pointer to NULL. */
void task_engine_destroy(task_engine **engine);

/* Starts tasks lo to hi - 1. The engine must have room. */
void task_engine_start(task_engine *engine, int64_t lo, int64_t hi);

/* Are there tasks that run, or wait? Any thread may ask. Is there a slot that has nothing to do? */
bool task_engine_is_busy(task_engine *engine);
bool task_engine_has_room(task_engine *engine);

/* The next part that a task tells, for task_engine_answer; NULL if there is none. */
task_part *task_engine_part(task_engine *engine);
void task_engine_answer(task_engine *engine, task_part *part, halo_status status, double reply);

/* Lets the engine run for about `seconds`, or until it has room or a task tells something; without
 * threads, for at most one piece, which is about a millisecond or more. */
void task_engine_turn(task_engine *engine, double seconds);

/* Called by any thread. Makes task_engine_turn return, now or the next time. */
void task_engine_wake(task_engine *engine);

/* Called by any thread. Drops all tasks except the current one. */
void task_engine_abandon(task_engine *engine);

/* Remaining work, for any thread. */
typedef struct {
    int64_t tasks;  /* tasks not begun */
    double seconds; /* predicted seconds of these and of the current task; below 0: unknown */
    double longer;  /* seconds by which the current task exceeds its expected time */
} task_engine_load;
task_engine_load task_engine_left(task_engine *engine);

/* Called by any thread. Removes up to `count` tasks that have not begun from the end of the range:
 * lo to hi - 1. Returns their number. */
int64_t task_engine_take(task_engine *engine, int64_t count, int64_t *lo, int64_t *hi);

/* Exchanges the results so far with the empty `results`. With several slots, appends to `stretches`
 * what they have done. HALO_MEMORY if there was no memory for them. */
halo_status task_engine_collect(task_engine *engine, task_results *results, task_progress *progress,
                                halo_buffer *stretches);

#endif
