#include "core/tasks/tasks_internal.h"

#include <math.h>

/* Ranks that do not answer: one that is stopped, has no core, or runs a long task in the thread
 * that should answer. Others ask somebody else. Its tasks are done again by others where they may
 * be; an answer that comes late counts. Rank 0 is waited for: it has the results. */

/* Seconds after which an answer is late; and round trips. */
static const double late_seconds = 1, late_trips = 10;

/* When the request that cannot be waited for for ever was sent; below 0: there is none. */
static double requested_since(const halo_tasks *tasks)
{
    const task_worker *worker = &tasks->worker;
    const task_dispatcher *dispatcher = &tasks->dispatcher;
    return worker->requested && worker->requested_from != tasks->rank && worker->requested_from > 0
               ? worker->since
           : dispatcher->requested && dispatcher->requested_from > 0 ? dispatcher->since
                                                                     : -1;
}

double halo_tasks_wait_seconds(halo_tasks *tasks)
{
    double since = requested_since(tasks);
    if (!halo_tasks_only_waits(tasks)) {
        return 0;
    }
    double late = since + late_seconds + late_trips * tasks->worker.round_trip;
    return since < 0 ? HUGE_VAL : fmax(late - halo_tasks_now(tasks), 1e-3);
}

halo_status halo_tasks_ask_elsewhere(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    if (tasks->dispatcher.requested && tasks->dispatcher.requested_from > 0) {
        tasks->dispatcher.requested = false;
        tasks->upstream = 0;
        return halo_tasks_serve_dispatcher(tasks);
    }
    worker->silent[worker->requested_from] = true;
    worker->requested = false;
    tasks->leader = tasks->place == HALO_SCHEDULE_GROUPS ? 0 : tasks->leader;
    return HALO_OK; /* the next turn asks */
}
