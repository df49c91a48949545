#ifndef HALOBEAT_CORE_TASKS_ENGINE_H
#define HALOBEAT_CORE_TASKS_ENGINE_H

#include "core/tasks/piece.h"

/* What runs tasks on one rank: a thread, or, where there may be none, the caller itself, in pieces
 * of about a millisecond. All functions are local, and called by one thread. */
typedef struct task_engine task_engine;

/* What has been done since the last time that it was asked. */
typedef struct {
    int64_t tasks;
    double seconds;
    double squares;   /* sum of each task's seconds squared; of tasks that were timed together, of
                       * their mean */
    double available; /* share of a core that they had; 0 if not known */
    double ended;     /* when the last one was done, by halo_seconds */
} task_progress;

/* `data`: [count] of what came along with tasks, NULL if nothing does; written by the caller before
 * a task is started. HALO_MEMORY. Without threads the caller runs tasks. */
halo_status task_engine_create(task_engine **out, halo_world *world,
                               const halo_tasks_options *options, const task_data *data);

/* Seconds that the calling thread has run on a core. */
double task_on_core_seconds(void);

/* Waits for what runs. Accepts a pointer to NULL. */
void task_engine_destroy(task_engine **engine);

/* Begin with tasks lo to hi - 1. It must be idle. */
void task_engine_start(task_engine *engine, int64_t lo, int64_t hi);

bool task_engine_is_busy(task_engine *engine);

/* Let it run for about `seconds`, or until it is idle; without threads, for a piece at most, and
 * about a millisecond at least. */
void task_engine_turn(task_engine *engine, double seconds);

/* What is running is finished; nothing else is begun. */
void task_engine_abandon(task_engine *engine);

/* What there is to do. */
typedef struct {
    int64_t tasks;  /* not begun */
    double seconds; /* for which it will be busy with them and with the one at hand, about: below 0
                     * if nothing is known */
    double longer;  /* by which the one at hand has taken longer than was to be expected */
} task_engine_load;
task_engine_load task_engine_left(task_engine *engine);

/* Takes up to `count` tasks that have not been begun away from the end of its range: lo to hi - 1.
 */
int64_t task_engine_take(task_engine *engine, int64_t count, int64_t *lo, int64_t *hi);

/* Swaps the results so far with an empty `results`. HALO_MEMORY if there was none for them. */
halo_status task_engine_collect(task_engine *engine, task_results *results,
                                task_progress *progress);

#endif
