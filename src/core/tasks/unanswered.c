#include "core/tasks/tasks_internal.h"

#include <math.h>

/* Ranks that do not answer: one that is stopped, has no core, or runs a long task in the thread
 * that should answer. Others ask somebody else. Its tasks are done again by others where they may
 * be; an answer that comes late counts. Rank 0 is waited for: it has the results. */

/* Seconds after which an answer is late; and round trips. */
static const double late_seconds = 1, late_trips = 10;

/* When the request that cannot be waited for for ever was sent; below 0: there is none. */
static double asked_since(const halo_tasks *tasks)
{
    const task_worker *worker = &tasks->worker;
    const task_desk *desk = &tasks->desk;
    return worker->asked && worker->asked_of != tasks->rank && worker->asked_of > 0 ? worker->since
           : desk->asked && desk->asked_of > 0                                      ? desk->since
                                                                                    : -1;
}

double halo_tasks_wait_seconds(halo_tasks *tasks)
{
    double since = asked_since(tasks);
    if (!halo_tasks_only_waits(tasks)) {
        return 0;
    }
    double late = since + late_seconds + late_trips * tasks->worker.round_trip;
    return since < 0 ? HUGE_VAL : fmax(late - halo_tasks_now(tasks), 1e-3);
}

halo_status halo_tasks_ask_elsewhere(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    if (tasks->desk.asked && tasks->desk.asked_of > 0) {
        tasks->desk.asked = false;
        tasks->upstream = 0;
        return halo_tasks_serve_desk(tasks);
    }
    worker->silent[worker->asked_of] = true;
    worker->asked = false;
    tasks->leader = tasks->place == HALO_SCHEDULE_GROUPS ? 0 : tasks->leader;
    return HALO_OK; /* the next turn asks */
}
