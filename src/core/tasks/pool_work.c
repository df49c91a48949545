#include "core/tasks/pool.h"

#include "core/world/clock.h"
#include "core/world/thread.h"

/* A rank of a pool takes tasks, and runs them. */

/* Seconds for which a rank lets its threads work, or waits for the end of the run, before it looks
 * whether the world is there. */
static const double longest_turn = .1;

/* ---- where tasks come from: all with the lock ------------------------------------------------ */

/* Takes tasks that wait behind one which takes much longer than was to be expected. */
static bool take_back(const halo_tasks *tasks, task_head *out)
{
    const task_pool *pool = tasks->pool;
    for (int rank = 0; tasks->options.gives_back && rank < tasks->ranks; rank++) {
        halo_tasks *other = pool->of[rank];
        if (other != NULL && other != tasks) {
            task_engine_load load = task_engine_left(other->engine);
            if (halo_tasks_should_give_back(other, &load) &&
                task_engine_take(other->engine, 1, &out->lo, &out->hi) > 0) {
                return true;
            }
        }
    }
    return false;
}

/* Takes tasks from the schedule of rank 0, or those that another rank has not finished. */
static bool find_scheduled(halo_tasks *tasks, task_head *out)
{
    halo_tasks *root = tasks->pool->root;
    return halo_tasks_fetch(root, tasks->rank, out) || take_back(tasks, out) ||
           halo_tasks_find_again(root, out);
}

/* One of those that the submaster of the rank's group has, which gets more when it has none. */
static bool find_in_group(halo_tasks *tasks, task_head *out)
{
    task_pool *pool = tasks->pool;
    task_chunk *group = &pool->group[tasks->groups[tasks->rank]];
    if (group->lo == group->hi) {
        task_head more = {.mail.kind = TASK_GIVE};
        if (!halo_tasks_fetch(pool->root, tasks->rank, &more) &&
            !halo_tasks_find_again(pool->root, &more)) {
            return false;
        }
        *group = (task_chunk){more.lo, more.hi, (more.mail.kind & TASK_AGAIN) != 0};
    }
    out->mail.kind |= group->again ? TASK_AGAIN : 0;
    out->lo = group->lo++;
    out->hi = group->lo;
    return true;
}

/* Reads how much other ranks have to do, without asking them. */
static void look_at_queues(halo_tasks *tasks)
{
    double *left = tasks->worker.seconds_left;
    for (int rank = 0; rank < tasks->ranks; rank++) {
        const halo_tasks *other = tasks->pool->of[rank];
        task_engine_load load = {.tasks = 0};
        if (other != NULL && other != tasks) {
            load = task_engine_left(other->engine);
        }
        left[rank] = load.tasks > 0 ? load.seconds : 0;
    }
}

/* A share of another rank's queue. */
static bool find_in_queues(halo_tasks *tasks, task_head *out)
{
    task_pool *pool = tasks->pool;
    look_at_queues(tasks);
    for (int tries = 0; tries < tasks->workers; tries++) {
        int victim = halo_tasks_choose_victim(tasks);
        if (victim < 0) {
            break;
        }
        if (pool->of[victim] == NULL) {
            continue;
        }
        task_engine *engine = pool->of[victim]->engine;
        int64_t count = halo_schedule_take(tasks->schedule, task_engine_left(engine).tasks);
        if (task_engine_take(engine, count, &out->lo, &out->hi) > 0) {
            return true;
        }
    }
    return halo_tasks_find_again(pool->root, out);
}

/* Needs the lock. Takes tasks for this rank, which has none: false if there are none, now. */
static bool find_tasks(halo_tasks *tasks, task_head *out)
{
    static bool (*const find[])(halo_tasks * tasks,
                                task_head * out) = {[HALO_SCHEDULE_MASTER] = find_scheduled,
                                                    [HALO_SCHEDULE_GROUPS] = find_in_group,
                                                    [HALO_SCHEDULE_QUEUES] = find_in_queues,
                                                    [HALO_SCHEDULE_CHAIN] = find_scheduled};
    halo_tasks *root = tasks->pool->root;
    double begun = halo_seconds();
    *out = (task_head){.mail.kind = TASK_GIVE};
    const task_head request = halo_tasks_request(tasks, TASK_ASK | TASK_IDLE);
    halo_tasks_learn(root, tasks->rank, &request);
    bool found = find[tasks->place](tasks, out);
    root->report.requests += found;
    root->served += found ? halo_seconds() - begun : 0;
    return found;
}

/* ---- working --------------------------------------------------------------------------------- */

/* Needs the lock. Stores the data of tasks, for all ranks in one place. */
static halo_status keep_data(const halo_tasks *tasks, const task_head *head)
{
    halo_tasks *root = tasks->pool->root;
    const halo_tasks_options *options = &root->options;
    for (int64_t task = head->lo; tasks->data != NULL && task < head->hi; task++) {
        size_t size;
        const void *bytes =
            options->data(options->context, halo_tasks_number(options, task), &size);
        HALO_TRY(halo_tasks_keep_data(root, task, bytes, size));
    }
    return HALO_OK;
}

/* Needs the lock, so that a run that is over begins nothing more. */
static halo_status begin_tasks(halo_tasks *tasks, const task_head *head)
{
    HALO_TRY(keep_data(tasks, head));
    halo_tasks_put_next(tasks, head);
    return halo_tasks_begin_next(tasks);
}

/* Fills this rank's queue at the start. */
static halo_status begin_queue(halo_tasks *tasks)
{
    task_head head = {.mail.kind = TASK_GIVE};
    for (int rank = tasks->first; rank <= tasks->rank; rank++) {
        head.lo = head.hi;
        head.hi += halo_schedule_share(tasks->schedule, rank - tasks->first);
    }
    return head.lo < head.hi ? begin_tasks(tasks, &head) : HALO_OK;
}

static halo_status enter(halo_tasks *tasks)
{
    task_pool *pool = tasks->pool;
    halo_status status = HALO_OK;
    pthread_mutex_lock(&pool->lock);
    if (pool->begun <= 0) { /* this rank is the first: the time of all begins */
        pool->begun = pool->root->begun = halo_seconds();
    }
    tasks->begun = pool->begun;
    if (!pool->over) {
        pool->of[tasks->rank] = tasks;
        pool->inside++;
        if (tasks->place == HALO_SCHEDULE_QUEUES && !tasks->rests) {
            status = begin_queue(tasks);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

static halo_status begin_more(halo_tasks *tasks, bool *over, bool *began)
{
    task_pool *pool = tasks->pool;
    task_head head;
    halo_status status = HALO_OK;
    bool room = !tasks->rests && task_engine_has_room(tasks->engine);
    *began = false;
    pthread_mutex_lock(&pool->lock);
    *over = pool->over;
    if (!*over && room && find_tasks(tasks, &head)) {
        *began = true;
        status = begin_tasks(tasks, &head);
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

static bool is_over(const void *context)
{
    return ((const task_pool *)context)->over;
}

/* Waits, since tasks may later have to be repeated, or be taken from others. */
static void wait_for_more(halo_tasks *tasks)
{
    task_pool *pool = tasks->pool;
    bool may_come = !tasks->rests && (!tasks->options.once || tasks->options.gives_back ||
                                      tasks->place == HALO_SCHEDULE_QUEUES);
    double seconds = may_come ? halo_tasks_next_pause(tasks) : longest_turn;
    pthread_mutex_lock(&pool->lock);
    (void)halo_thread_wait(&pool->changed, &pool->lock, seconds, is_over, pool);
    pthread_mutex_unlock(&pool->lock);
}

static halo_status turn(halo_tasks *tasks, bool *over)
{
    bool busy = task_engine_is_busy(tasks->engine), began;
    if (busy) {
        HALO_TRY(halo_tasks_take_found(tasks));
    } else if (tasks->worker.running) {
        HALO_TRY(halo_tasks_end_running(tasks));
    }
    HALO_TRY(begin_more(tasks, over, &began));
    if (!*over && (busy || began)) {
        task_engine_turn(tasks->engine, longest_turn);
    } else if (!*over) {
        wait_for_more(tasks);
    }
    return halo_world_progress(tasks->world);
}

halo_status halo_pool_work(halo_tasks *tasks)
{
    bool over = false;
    halo_status status = enter(tasks);
    while (!over && status == HALO_OK) {
        status = turn(tasks, &over);
    }
    return status;
}
