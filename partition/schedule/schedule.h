#ifndef HALOBEAT_PARTITION_SCHEDULE_SCHEDULE_H
#define HALOBEAT_PARTITION_SCHEDULE_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scheduling strategies: how many of the remaining independent tasks a worker gets when it requests
 * some. They only decide; core/tasks runs the tasks and sends the messages. All functions are
 * local; the same calls give the same counts. docs/scheduling.md names the source of each rule, and
 * where a source was corrected.
 *
 * A schedule is created for N tasks and P workers from a name and its parameter: "guided",
 * "fixed:8", "exponential:3/2", "diffusive:2,random". */
typedef struct halo_schedule halo_schedule;

/* Unassigned tasks are kept in one of these places. */
typedef enum {
    HALO_SCHEDULE_MASTER, /* on one master */
    HALO_SCHEDULE_GROUPS, /* on a master, and on submasters who request tasks from it for their
                           * group of workers */
    HALO_SCHEDULE_QUEUES, /* in queues of all workers, who take from each other */
    HALO_SCHEDULE_CHAIN   /* on the first worker, and in one slot on each other worker */
} halo_schedule_place;

/* Options of a schedule. Zero-initialise it: 0 means the default. Arrays are copied. */
typedef struct {
    int64_t tasks;            /* N, 0 or more */
    int workers;              /* P, 1 or more */
    const double *weights;    /* [workers], above 0: relative speeds; NULL: all equal */
    const int *groups;        /* [workers], 0 or more: the group of each worker; NULL: one group */
    double request_seconds;   /* for fsc: cost of a request; 0: .001 */
    double deviation_seconds; /* for fsc: standard deviation of the time of a task; 0: .01 */
    uint64_t seed;            /* for random victims */
} halo_schedule_options;

/* An entry of the list of strategies. */
typedef struct {
    const char *name, *parameter; /* `parameter` as in a usage line; NULL: none */
    const char *help;             /* one sentence */
    halo_schedule_place place;
} halo_schedule_entry;

/* Entry i of the list, in the order of the manual; NULL past its end. */
const halo_schedule_entry *halo_schedule_list(int i);

/* Creates a schedule from `words`, its name and parameter; the caller destroys it. HALO_ARGUMENT
 * for an unknown name or parameter, with those there are, and for numbers out of range;
 * HALO_MEMORY. *out is NULL after a failure. */
halo_status halo_schedule_create_sized(halo_schedule **out, const char *words,
                                       const halo_schedule_options *options, size_t options_bytes);
#define halo_schedule_create(...) \
    halo_schedule_create_sized(__VA_ARGS__, sizeof(halo_schedule_options))

/* Frees the schedule and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_schedule_destroy(halo_schedule **schedule);

/* Return the place where the schedule keeps unassigned tasks. */
halo_schedule_place halo_schedule_where(const halo_schedule *schedule);

/* The number of tasks not yet assigned: on the master, or on the first worker of a chain. */
int64_t halo_schedule_left(const halo_schedule *schedule);

/* A worker reports this about its tasks since its last request. */
typedef struct {
    int64_t tasks;
    double seconds; /* of all these tasks together */
    double squares; /* sum of the squares of each task's seconds; 0: tasks were not timed one by
                     * one */
    double waited;  /* seconds without work before these tasks arrived */
} halo_schedule_done;

/* Passes measurements to strategies that learn; others ignore them. */
void halo_schedule_note(halo_schedule *schedule, int worker, const halo_schedule_done *done);

/* True if the next request is the first of a batch, before which the strategy needs new weights. */
bool halo_schedule_wants_weights(const halo_schedule *schedule);

/* True if weights should also consider the free processor time of each worker, besides the
 * clock. */
bool halo_schedule_wants_load(const halo_schedule *schedule);

/* Sets the weights: [workers], above 0. */
void halo_schedule_set_weights(halo_schedule *schedule, const double *weights);

/* HALO_SCHEDULE_MASTER, _GROUPS and _CHAIN: the number of tasks for `worker`, 1 to the number left,
 * or 0 if none is left. In groups and chains it is chosen from the `there` tasks (1 or more) that
 * the submaster, or the worker before it, has. */
int64_t halo_schedule_next(halo_schedule *schedule, int worker, int64_t there);

/* HALO_SCHEDULE_GROUPS: the number of tasks that the master gives to the submaster of a group. */
int64_t halo_schedule_next_group(halo_schedule *schedule, int group);

/* HALO_SCHEDULE_GROUPS: the number of consecutive ranks in a group, by the parameter; 0: the ranks
 * of a host are a group. */
int halo_schedule_group_size(const halo_schedule *schedule);

/* HALO_SCHEDULE_QUEUES: the number of tasks in the queue of `worker` at the start. */
int64_t halo_schedule_share(const halo_schedule *schedule, int worker);

/* HALO_SCHEDULE_QUEUES: the number of tasks to take from the end of a queue of `there` tasks: at
 * least 1 if there are any. */
int64_t halo_schedule_take(const halo_schedule *schedule, int64_t there);

/* HALO_SCHEDULE_QUEUES: the worker from whose queue `worker` should take next, after `requested`
 * workers had nothing for it, given estimates of the work left in each: [workers], seconds (0:
 * none, below 0: unknown). -1 if no request is worthwhile; never the worker itself. */
int halo_schedule_victim(const halo_schedule *schedule, int worker, int64_t requested,
                         const double *seconds_left);

/* The number of tasks that an idle worker repeats when none is left to assign and `unfinished` ones
 * are on other workers, the last ones first: unfinished / 2P, at least 1 (rDLB: A. Mohammed, A.
 * Cavelan and F. Ciorba, 2019). The first result counts, so that tasks must be pure. */
int64_t halo_schedule_redundant(int64_t unfinished, int workers);

#endif
