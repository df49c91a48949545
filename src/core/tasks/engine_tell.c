#include "core/tasks/engine_internal.h"
#include "core/tasks/pool.h"

#include <limits.h>

/* A slot whose task tells rank 0 something waits until the caller has answered. */

task_part *engine_find_part(const task_engine *engine)
{
    for (int i = 0; i < engine->slots; i++) {
        if (engine->slot[i].part.state == TASK_PART_POSTED) {
            return &engine->slot[i].part;
        }
    }
    return NULL;
}

task_part *task_engine_part(task_engine *engine)
{
    engine_lock(engine);
    task_part *part = engine_find_part(engine);
    if (part != NULL) {
        part->state = TASK_PART_TAKEN;
    }
    engine_unlock(engine);
    return part;
}

void task_engine_answer(task_engine *engine, task_part *part, halo_status status, double reply)
{
    engine_lock(engine);
    part->status = status;
    part->reply = reply;
    part->state = TASK_PART_ANSWERED;
    pthread_cond_broadcast(&engine->answered);
    engine_unlock(engine);
}

/* Posts what the task tells, and waits for the answer, in the thread of a slot. */
static halo_status await_answer(task_engine *engine, task_part *part, task_part *what)
{
    pthread_mutex_lock(&engine->lock);
    *part = *what;
    part->state = TASK_PART_POSTED;
    engine_wake(engine);
    while (part->state != TASK_PART_ANSWERED) {
        pthread_cond_wait(&engine->answered, &engine->lock);
    }
    part->state = TASK_PART_NONE;
    what->reply = part->reply;
    halo_status status = part->status;
    pthread_mutex_unlock(&engine->lock);
    return status;
}

/* Calls rank 0's function itself, lets the rank's other thread send, or sends if there is none. */
static halo_status tell(task_engine *engine, int slot, task_part *what)
{
    const halo_tasks_options *options = engine->options;
    if (engine->tasks->pool != NULL) {
        return halo_pool_tell(engine->tasks, what);
    }
    return engine->threaded
               ? await_answer(engine, &engine->slot[slot].part, what)
               : options->part(options->context, what->task, what->data, what->bytes, &what->reply);
}

halo_status halo_task_tell(halo_task_range *range, const void *data, size_t bytes, double *reply)
{
    const task_piece *piece = range->results;
    task_engine *engine = piece->engine;
    const halo_tasks_options *options = engine->options;
    task_part what = {.task = range->task, .data = data, .bytes = bytes};
    if (options->part == NULL || bytes > INT_MAX / 2 ||
        (!engine->threaded && engine->tasks->pool == NULL && halo_world_rank(engine->world) > 0)) {
        return halo_fail(HALO_ARGUMENT,
                         "a task cannot tell rank 0 %zu bytes: that needs a function `part`, at "
                         "most %d bytes, and threads",
                         bytes, INT_MAX / 2);
    }
    halo_status status = tell(engine, piece->slot, &what);
    if (reply != NULL) {
        *reply = what.reply;
    }
    return status == HALO_OK ? HALO_OK
                             : halo_fail(status, "rank 0 could not take what a task tells it");
}
