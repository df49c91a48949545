#ifndef HALOBEAT_CORE_TASKS_TASKS_H
#define HALOBEAT_CORE_TASKS_TASKS_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Independent tasks 0 to N - 1, handed out to ranks while they run, as a strategy of
 * partition/schedule says, and their results collected on rank 0: a bag of tasks.
 *
 * Each rank runs tasks in a thread of its own, while the thread that called halo_tasks_run answers
 * other ranks: a master that works answers within a millisecond, and a rank asks for more before it
 * has nothing left. Functions that run tasks must not call MPI, nor functions of this library that
 * do. Where MPI was started without MPI_THREAD_FUNNELED, on simulated machines, and where it is
 * asked for, there is one thread, which looks for messages between tasks. */
typedef struct halo_tasks halo_tasks;

/* What a rank does at a time. */
typedef struct {
    int64_t lo, hi;   /* tasks lo to hi - 1 */
    int64_t task;     /* the one at hand, kept by the function: which failed is said by it */
    void *results;    /* for halo_task_put */
    bool ended_early; /* set by the function, which then returns HALO_OK: the one at hand, and those
                       * behind it, are not done, since the run was interrupted */
} halo_task_range;

/* Local. What one task found, `bytes` bytes, at most INT_MAX / 2: goes to `collect` on rank 0. Once
 * for a task that has something to say. Copied. HALO_MEMORY, HALO_ARGUMENT. */
halo_status halo_task_put(halo_task_range *range, const void *data, size_t bytes);

/* Local. What rank 0's `data` gave for the task at hand: *bytes of it, NULL if nothing. */
const void *halo_task_data(const halo_task_range *range, size_t *bytes);

/* The same on all ranks, but for what `context` points to. Zero-initialised fields mean the
 * default. */
typedef struct {
    int64_t count; /* N */
    void *context; /* of all functions */

    /* [count], ascending, the same on all ranks, outlives the tasks: numbers by which functions,
     * messages and events know the tasks, where others are left out. NULL: 0 to N - 1. */
    const int64_t *numbers;

    /* Runs range->lo to range->hi - 1; in range->task it counts, and what it fails with is that
     * task's failure. In a thread of its own. */
    halo_status (*run)(void *context, halo_task_range *range);

    /* Rank 0, in the thread of halo_tasks_run, once for each task that has put something (1 byte or
     * more), in any order. NULL: what is put is dropped. A failure ends the run; what has been
     * done by then, on all ranks, is collected still. */
    halo_status (*collect)(void *context, int64_t task, const void *data, size_t bytes);

    /* Rank 0, the same thread, once for each task that failed; `message` is why. NULL: nothing. */
    void (*failed)(void *context, int64_t task, const char *message);

    /* Rank 0, the same thread: what must be sent along with a task. It stays where it is until the
     * next call. NULL on all ranks: nothing. */
    const void *(*data)(void *context, int64_t task, size_t *bytes);

    /* Each rank, in the thread of halo_tasks_run, where the run is over, or is to end since
     * something has failed, and a task still running: it may end early. One that comes to its end
     * all the same, and that nobody else has done, counts. NULL: it is waited for. */
    void (*interrupt)(void *context);

    /* For simulated machines: floating point operations of a task. NULL: 1. And of answering a
     * request of another rank, to which are added those for each byte that goes along. 0:
     * HALO_TASKS_REQUEST_FLOPS. */
    double (*flops)(void *context, int64_t task);
    double request_flops;

    const char *schedule; /* a strategy's name and parameter; NULL: HALO_TASKS_SCHEDULE */
    bool once;            /* tasks are not pure: none is done again by an idle rank */
    bool keep_going;      /* after a task that failed */
    bool gives_back;      /* tasks of a chunk behind one that takes long are for who asks next */
    bool master_rests;    /* rank 0 only hands out; ignored if it is alone */
    bool same_thread; /* tasks are run by the caller's thread, and may call MPI; others' messages
                       * wait until the one at hand is done */
    uint64_t seed;    /* of strategies that choose at random */
} halo_tasks_options;

#define HALO_TASKS_SCHEDULE "mfsc"

/* Local, pure. The number of the i-th task. */
static inline int64_t halo_tasks_number(const halo_tasks_options *options, int64_t i)
{
    return options->numbers != NULL && i < options->count ? options->numbers[i] : i;
}

/* What a master's answer takes on a real machine, measured on one of 2.6 GHz: 5 us and half a
 * nanosecond a byte, at a floating point operation a cycle. */
#define HALO_TASKS_REQUEST_FLOPS 13000.
#define HALO_TASKS_BYTE_FLOPS    1.3

/* Of one rank. Seconds of the steady clock. */
typedef struct {
    int64_t tasks, chunks;   /* those done again by it included */
    int64_t again;           /* tasks that had been given to another rank before */
    double working;          /* running tasks */
    double waiting;          /* with nothing to do, from asking till tasks came */
    double last;             /* from the beginning till its last task was done */
    int64_t messages, bytes; /* sent */
} halo_tasks_rank;

/* A stretch of a rank's work, for a plot of who did what when. */
typedef struct {
    int rank;
    int64_t lo, hi;      /* tasks lo to hi - 1; with `numbers`, hi - lo from lo on */
    double begun, ended; /* seconds since the beginning */
    bool again;
} halo_tasks_event;

typedef struct {
    int64_t finished, failed;
    int64_t repeated; /* tasks done by one more rank */
    double seconds;   /* until all were finished */
    double imbalance; /* sum of (t_f - t_i) / ((P - 1) t_f), t_i the last task's end on rank i,
                       * t_f the last of these: the load imbalance index (IDC) */
    int64_t requests; /* that rank 0 answered */
    double service;   /* seconds for each, and */
    double
        wait_median; /* seconds that a request to rank 0, at any moment, waits until it is seen, */
    double wait_99;  /* and 99 of 100 at most; */
    double longest_gap; /* the longest time in which rank 0 did not look for messages, since it was
                         * in `collect` or `data`, let tasks run, or had no core */
    int ranks;
    const halo_tasks_rank *by_rank; /* rank 0: [ranks]; elsewhere NULL; the tasks' own */
    int64_t events;
    const halo_tasks_event *event; /* the same: [events], ordered by rank and time */
} halo_tasks_report;

/* Collective. The world must outlive it. HALO_ARGUMENT for an unknown schedule or a number out of
 * range, HALO_MEMORY; on all ranks. */
halo_status halo_tasks_create(halo_tasks **out, halo_world *world,
                              const halo_tasks_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_tasks_destroy(halo_tasks **tasks);

/* Collective, once. Runs all tasks. Fails on all ranks with the first task's failure that rank 0
 * heard of, after all tasks if the others were to be done; with what `collect` returned; HALO_MPI,
 * HALO_MEMORY. */
halo_status halo_tasks_run(halo_tasks *tasks);

/* Local. After the run; complete on rank 0, elsewhere without what is said to be rank 0's. */
halo_tasks_report halo_tasks_get_report(const halo_tasks *tasks);

#endif
