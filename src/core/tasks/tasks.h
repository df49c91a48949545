#ifndef HALOBEAT_CORE_TASKS_TASKS_H
#define HALOBEAT_CORE_TASKS_TASKS_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bag of tasks: independent tasks 0 to N - 1, assigned to ranks during the run by a strategy of
 * partition/schedule, whose results are collected on rank 0.
 *
 * Ranks that are threads of one process, and a rank alone, share the bag under a lock: each takes
 * tasks itself, runs them in the thread that called halo_tasks_run (of several slots, in threads of
 * its own), and calls the functions of rank 0, with rank 0's context, one at a time.
 *
 * Ranks that are processes have messages. Each runs tasks in a second thread, while the thread that
 * called halo_tasks_run answers other ranks: a master that works answers within a millisecond, and
 * a rank requests more tasks before it runs out of them. Functions of rank 0 are called in that
 * thread. Functions that run tasks must not send messages, nor call functions of this library that
 * do. There is no second thread where the transport allows none (MPI started without
 * MPI_THREAD_FUNNELED, simulated machines), and with `same_thread`: messages are then handled
 * between tasks. */
typedef struct halo_tasks halo_tasks;

/* A range of tasks that a rank runs in one call. */
typedef struct {
    int64_t lo, hi;   /* tasks lo to hi - 1 */
    int64_t task;     /* the current task. `run` keeps it up to date: a failure is reported for
                       * this task */
    int slot;         /* of those that run at the same time on this rank, from 0 */
    void *results;    /* used by halo_task_put */
    bool ended_early; /* set by `run` before it returns HALO_OK if the run was interrupted: the
                       * current task and those after it are not done */
} halo_task_range;

/* Local. Gives the result of the current task (range->task), [bytes], at most INT_MAX / 2, to
 * `collect` on rank 0. May be called once per task, for tasks in ascending order. The data are
 * copied. HALO_ARGUMENT for another order or too many bytes; HALO_MEMORY. */
halo_status halo_task_put(halo_task_range *range, const void *data, size_t bytes);

/* Local. The data that rank 0's `data` returned for the current task, [*bytes]; NULL if there are
 * none. */
const void *halo_task_data(const halo_task_range *range, size_t *bytes);

/* Local, in `run`, while the current task runs; at most INT_MAX / 2 bytes. Gives [bytes] to `part`
 * on rank 0, and returns when it has taken them: so a task may tell more than there is memory for,
 * and ask. *reply, which may be NULL, is what `part` answers. HALO_MEMORY; HALO_ARGUMENT for too
 * many bytes, without `part`, and on ranks other than 0 that run tasks in the calling thread. */
halo_status halo_task_tell(halo_task_range *range, const void *data, size_t bytes, double *reply);

/* Options, the same on all ranks except what `context` points to. Zero-initialise it: 0 means the
 * default. */
typedef struct {
    int64_t count; /* N, the number of tasks */
    void *context; /* passed to all functions */

    /* [count], ascending, the same on all ranks: the numbers by which functions, messages and
     * events refer to the tasks, for runs that leave out some. Must outlive the tasks. NULL: 0 to N
     * - 1. */
    const int64_t *numbers;

    /* Runs tasks range->lo to range->hi - 1, and keeps range->task up to date; the status it
     * returns is that of range->task. Called in the second thread, if there is one. */
    halo_status (*run)(void *context, halo_task_range *range);

    /* A function of rank 0, called once for each task with a result of 1 byte or more, in any
     * order. NULL: results are dropped. A failure ends the run; results of tasks
     * already done, on all ranks, are still collected. */
    halo_status (*collect)(void *context, int64_t task, const void *data, size_t bytes);

    /* A function of rank 0, called for each halo_task_tell, in the order of these for a task,
     * and before its result is collected; *reply goes back to the task. A failure ends the run. */
    halo_status (*part)(void *context, int64_t task, const void *data, size_t bytes, double *reply);

    /* A function of rank 0, called once for each task that failed, with its message. May be
     * NULL. */
    void (*failed)(void *context, int64_t task, const char *message);

    /* A function of rank 0, which returns the data to be sent with a task, valid until the next
     * call. NULL on all ranks: no data. */
    const void *(*data)(void *context, int64_t task, size_t *bytes);

    /* Each rank's, in its thread of halo_tasks_run, or in another rank's: called if a task is still
     * running when the run is over, or is to end after a failure. The task may then end early. If
     * it ends normally and no other rank has done it, its result counts. NULL: the run waits for
     * it. */
    void (*interrupt)(void *context);

    /* For simulated machines: floating-point operations of a task (NULL: 1), and of answering a
     * request of another rank (0: HALO_TASKS_REQUEST_FLOPS), without the operations per byte of
     * data. */
    double (*flops)(void *context, int64_t task);
    double request_flops;

    const char *schedule; /* name and parameter of a strategy; NULL: HALO_TASKS_SCHEDULE */
    bool once;            /* tasks have side effects: idle ranks never repeat a task of another
                           * rank */
    bool keep_going;      /* continue after a task that failed */
    int slots;            /* tasks that this rank runs at the same time, which may differ between
                           * ranks; 0: 1. More than 1 need `once`, and threads: else it is 1 */
    bool gives_back;      /* tasks of a chunk that wait behind a long task may be given to other
                           * ranks */
    bool master_rests;    /* rank 0 runs no tasks; ignored on one rank */
    bool same_thread;     /* run tasks in the calling thread, where they may send messages; those of
                           * other ranks wait until the current task is done */
    uint64_t seed;        /* for strategies with random choices */
} halo_tasks_options;

#define HALO_TASKS_SCHEDULE "mfsc"

/* Local, pure. The number of task i of 0 to N - 1. */
static inline int64_t halo_tasks_number(const halo_tasks_options *options, int64_t i)
{
    return options->numbers != NULL && i < options->count ? options->numbers[i] : i;
}

/* Cost of a master's answer, measured at 2.6 GHz: 5 us and half a nanosecond per byte, as
 * floating-point operations at one per cycle. */
#define HALO_TASKS_REQUEST_FLOPS 13000.
#define HALO_TASKS_BYTE_FLOPS    1.3

/* The work that one rank did. Times are seconds of a monotonic clock. */
typedef struct {
    int64_t tasks, chunks;   /* including those it repeated */
    int64_t again;           /* tasks that had been assigned to another rank before */
    double working;          /* seconds running tasks */
    double waiting;          /* seconds idle, from a request to the arrival of tasks */
    double last;             /* from the start until its last task was done */
    int64_t messages, bytes; /* sent */
} halo_tasks_rank;

/* An interval of a rank's work, for a plot of the run. */
typedef struct {
    int rank;
    int64_t lo, hi;      /* tasks lo to hi - 1; with `numbers`, hi - lo tasks from number lo on */
    double begun, ended; /* seconds since the start */
    bool again;
} halo_tasks_event;

typedef struct {
    int64_t finished, failed;
    int64_t repeated;   /* tasks that two ranks did */
    double seconds;     /* from the start until all were finished */
    double imbalance;   /* the load imbalance index (IDC): sum of (t_f - t_i) / ((P - 1) t_f), with
                         * t_i the end of the last task on rank i and t_f the maximum of these */
    int64_t requests;   /* requests that rank 0 answered */
    double service;     /* seconds to answer one */
    double wait_median; /* median of the seconds that a request to rank 0, sent at any moment, waits
                         * until it is seen */
    double wait_99;     /* the 99th percentile of that time */
    double longest_gap; /* the longest time in which rank 0 did not check for messages, because
                         * it was in `collect` or `data`, ran tasks, or had no core */
    int ranks;
    const halo_tasks_rank *by_rank; /* rank 0: [ranks], owned by the tasks; NULL on other ranks */
    int64_t events;
    const halo_tasks_event *event; /* rank 0: [events], by rank and time, owned by the tasks;
                                    * NULL on other ranks */
} halo_tasks_report;

/* Collective. Creates the tasks. The world must outlive them; the caller destroys them.
 * HALO_ARGUMENT for an unknown schedule or a number out of range, HALO_MEMORY; the same on all
 * ranks. */
halo_status halo_tasks_create_sized(halo_tasks **out, halo_world *world,
                                    const halo_tasks_options *options, size_t options_bytes);
#define halo_tasks_create(...) halo_tasks_create_sized(__VA_ARGS__, sizeof(halo_tasks_options))

/* Local. Frees the tasks and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_tasks_destroy(halo_tasks **tasks);

/* Collective; may be called once. Runs all tasks. On all ranks it returns the failure of the first
 * failed task that rank 0 learnt of (with `keep_going`, after all tasks), what `collect` returned,
 * HALO_TRANSPORT or HALO_MEMORY. */
halo_status halo_tasks_run(halo_tasks *tasks);

/* Local. The report of the run; members marked "rank 0" are complete there only. */
void halo_tasks_get_report_sized(const halo_tasks *tasks, halo_tasks_report *report,
                                 size_t report_bytes);
static inline halo_tasks_report halo_tasks_get_report(const halo_tasks *tasks)
{
    halo_tasks_report halo_filled;
    halo_tasks_get_report_sized(tasks, &halo_filled, sizeof(halo_tasks_report));
    return halo_filled;
}

#endif
