#include "core/tasks/pool.h"

#include "core/world/clock.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"
#include "core/world/world_internal.h"

#include <math.h>
#include <stdlib.h>

/* ---- making ---------------------------------------------------------------------------------- */

/* The pool, and its arrays behind it. */
static size_t bytes_of(const halo_tasks *tasks)
{
    size_t data = tasks->options.data != NULL ? (size_t)tasks->options.count : 0;
    size_t each = sizeof(halo_tasks *) + sizeof(task_chunk);
    return data < PTRDIFF_MAX / sizeof(task_data)
               ? sizeof(task_pool) + (size_t)tasks->ranks * each + data * sizeof(task_data)
               : PTRDIFF_MAX;
}

/* On rank 0. The memory is zero. */
static void begin(task_pool *pool, halo_tasks *tasks)
{
    void *of = pool + 1;
    void *group = (halo_tasks **)of + tasks->ranks;
    void *data = (task_chunk *)group + tasks->ranks;
    pool->of = of;
    pool->group = group;
    pool->data = tasks->options.data != NULL ? data : NULL;
    pthread_mutex_init(&pool->lock, NULL);
    halo_thread_create_condition(&pool->changed);
    pool->root = tasks;
    pool->count = tasks->options.count;
    pool->over = pool->count == 0;
}

halo_status halo_pool_join(halo_tasks *tasks)
{
    void *memory;
    if (HALO_SIMULATED) {
        return HALO_OK;
    }
    HALO_TRY(halo_world_create_common(tasks->world, bytes_of(tasks), &memory));
    tasks->pool = memory;
    if (memory == NULL) {
        return HALO_OK;
    }
    if (tasks->rank == 0) {
        begin(tasks->pool, tasks);
    }
    HALO_TRY(halo_agree(tasks->world, HALO_OK)); /* none goes on before rank 0 has done so */
    tasks->data = tasks->pool->data;
    return HALO_OK;
}

void halo_pool_destroy(halo_tasks *tasks)
{
    task_pool *pool = tasks->pool;
    if (pool == NULL) {
        return; /* the data of tasks are this rank's own */
    }
    if (atomic_fetch_add(&pool->left, 1) == tasks->ranks - 1) {
        for (int64_t i = 0; pool->data != NULL && i < pool->count; i++) {
            free(pool->data[i].bytes);
        }
        pthread_cond_destroy(&pool->changed);
        pthread_mutex_destroy(&pool->lock);
    }
    halo_world_release_common(tasks->world, pool);
    tasks->pool = NULL;
    tasks->data = NULL;
}

/* ---- the end of a run ------------------------------------------------------------------------ */

/* Needs the lock. A rank whose tasks run in the thread that waits for them cannot interrupt them
 * itself. */
static void end_rank(halo_tasks *tasks)
{
    task_engine_abandon(tasks->engine);
    bool waits = task_engine_is_threaded(tasks->engine);
    if (waits) {
        task_engine_wake(tasks->engine);
    } else if (tasks->options.interrupt != NULL && task_engine_is_busy(tasks->engine)) {
        tasks->options.interrupt(tasks->options.context);
    }
}

/* Needs the lock. */
static void end_run(task_pool *pool)
{
    if (pool->over) {
        return;
    }
    pool->over = true;
    pool->ended = halo_seconds();
    for (int rank = 0; rank < pool->root->ranks; rank++) {
        if (pool->of[rank] != NULL) {
            end_rank(pool->of[rank]);
        }
    }
    pthread_cond_broadcast(&pool->changed);
}

static halo_status outlast_tasks(halo_tasks *tasks)
{
    static const double turn = 1;
    if (tasks->options.interrupt != NULL && task_engine_is_busy(tasks->engine)) {
        tasks->options.interrupt(tasks->options.context);
    }
    while (task_engine_is_busy(tasks->engine)) {
        task_engine_turn(tasks->engine, turn);
    }
    return tasks->worker.running ? halo_tasks_end_running(tasks) : HALO_OK;
}

void halo_pool_leave(halo_tasks *tasks, halo_status status)
{
    task_pool *pool = tasks->pool;
    pthread_mutex_lock(&pool->lock);
    halo_tasks_note(tasks, status);
    end_run(pool);
    bool inside = pool->of[tasks->rank] != NULL;
    tasks->report.seconds = fmax(pool->ended - tasks->begun, 0);
    pthread_mutex_unlock(&pool->lock);
    status = outlast_tasks(tasks);
    pthread_mutex_lock(&pool->lock);
    halo_tasks_note(tasks, status);
    pool->of[tasks->rank] = NULL;
    pool->inside -= inside;
    if (pool->inside == 0) {
        pthread_cond_broadcast(&pool->changed);
    }
    while (pool->inside > 0) {
        pthread_cond_wait(&pool->changed, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* ---- what tasks find, and tell --------------------------------------------------------------- */

void halo_pool_settle(halo_tasks *tasks, const void *records, size_t bytes)
{
    task_pool *pool = tasks->pool;
    if (bytes == 0) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    halo_status status = halo_tasks_settle_here(pool->root, records, bytes);
    if (status != HALO_OK || pool->root->stopped) {
        end_run(pool);
    }
    pthread_mutex_unlock(&pool->lock);
}

halo_status halo_pool_tell(halo_tasks *tasks, task_part *part)
{
    task_pool *pool = tasks->pool;
    const halo_tasks_options *options = &pool->root->options;
    pthread_mutex_lock(&pool->lock);
    halo_status status =
        options->part(options->context, part->task, part->data, part->bytes, &part->reply);
    halo_tasks_note(pool->root, status);
    if (status != HALO_OK) {
        end_run(pool);
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}
