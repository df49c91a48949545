#include "core/tasks/pool.h"

#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"

#include <math.h>
#include <stdlib.h>

/* ---- making ---------------------------------------------------------------------------------- */

static void free_pool(task_pool *pool)
{
    for (int64_t i = 0; pool->data != NULL && i < pool->count; i++) {
        free(pool->data[i].bytes);
    }
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool->data);
    free(pool->group);
    free((void *)pool->of);
    free(pool);
}

static halo_status allocate(task_pool *pool, const halo_tasks *tasks)
{
    HALO_TRY(HALO_ALLOCATE(pool->of, tasks->ranks, "ranks that share tasks"));
    HALO_TRY(HALO_ALLOCATE(pool->group, tasks->ranks, "groups that share tasks"));
    return tasks->options.data != NULL
               ? HALO_ALLOCATE(pool->data, tasks->options.count, "the data of tasks")
               : HALO_OK;
}

/* On rank 0. */
static halo_status create(task_pool **out, halo_tasks *tasks)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "ranks that share tasks"));
    task_pool *pool = *out;
    pthread_mutex_init(&pool->lock, NULL);
    halo_thread_create_condition(&pool->changed);
    pool->root = tasks;
    pool->count = tasks->options.count;
    pool->over = pool->count == 0;
    atomic_init(&pool->users, tasks->ranks);
    halo_status status = allocate(pool, tasks);
    if (status != HALO_OK) {
        free_pool(pool);
        *out = NULL;
    }
    return status;
}

halo_status halo_pool_join(halo_tasks *tasks)
{
    task_pool *pool = NULL;
    if (HALO_SIMULATED || !halo_world_is_process(tasks->world)) {
        return HALO_OK;
    }
    HALO_TRY(halo_agree(tasks->world, tasks->rank == 0 ? create(&pool, tasks) : HALO_OK));
    halo_status status = halo_bcast(tasks->world, &pool, sizeof pool, 0);
    if (status != HALO_OK) {
        return status; /* others may have it: it is lost with the world, which is broken */
    }
    tasks->pool = pool;
    tasks->data = pool->data;
    return HALO_OK;
}

void halo_pool_destroy(halo_tasks *tasks)
{
    task_pool *pool = tasks->pool;
    if (pool == NULL) {
        return; /* the data of tasks are this rank's own */
    }
    if (atomic_fetch_sub(&pool->users, 1) == 1) {
        free_pool(pool);
    }
    tasks->pool = NULL;
    tasks->data = NULL;
}

/* ---- the end of a run ------------------------------------------------------------------------ */

/* With the lock. A rank whose tasks run in the thread that waits for them cannot interrupt them
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

/* With the lock. */
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
