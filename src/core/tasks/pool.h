#ifndef HALOBEAT_CORE_TASKS_POOL_H
#define HALOBEAT_CORE_TASKS_POOL_H

#include "core/tasks/tasks_internal.h"

#include <pthread.h>
#include <stdatomic.h>

/* How ranks that are threads of one process share a bag of tasks: without messages. Under a lock of
 * all, a rank asks the schedule of rank 0 itself for tasks, takes them from other ranks' queues,
 * brings what its tasks have found to the functions of rank 0, and tells it something. So no rank
 * needs a thread that answers others: each runs its tasks in the calling thread, in pieces of about
 * a millisecond, after each of which it takes the lock once or twice.
 *
 * The order of locks is: that of the pool, that of an engine. */
struct task_pool {
    pthread_mutex_t lock;   /* of all that follows, and of what rank 0 knows of all tasks */
    pthread_cond_t changed; /* the run is over, or the last rank has left it */
    double begun, ended;    /* when the first rank began; when the run was over; 0: not yet */
    bool over;              /* nothing more is begun */
    int inside;             /* ranks that run tasks */
    halo_tasks **of;        /* [ranks]: these ranks' tasks; NULL: it is not inside */
    halo_tasks *root;       /* those of rank 0 */
    task_chunk *group;      /* [ranks], at the first rank of a group: what its submaster has */
    task_data *data;        /* [count], or NULL */
    int64_t count;          /* of tasks */
    atomic_int left;        /* ranks that have destroyed their tasks */
};

/* Collective. Sets tasks->pool, or leaves it NULL where ranks do not share memory. HALO_MEMORY. */
halo_status halo_pool_join(halo_tasks *tasks);

/* Local. Sets it to NULL; the last rank frees the pool, whether or not all have joined it. */
void halo_pool_destroy(halo_tasks *tasks);

/* Local. Runs tasks until the run is over. A failure is this rank's; failures of tasks and of rank
 * 0's functions are noted on rank 0. */
halo_status halo_pool_work(halo_tasks *tasks);

/* Local, at the end, in any case: notes what halo_pool_work has returned; the run is over for all
 * ranks. Returns when none runs tasks any more, and all that they have found is collected. */
void halo_pool_leave(halo_tasks *tasks, halo_status status);

/* Local. Brings records of finished tasks to rank 0's functions. */
void halo_pool_settle(halo_tasks *tasks, const void *records, size_t bytes);

/* Local, in the thread that runs a task: as halo_task_tell. */
halo_status halo_pool_tell(halo_tasks *tasks, task_part *part);

#endif
