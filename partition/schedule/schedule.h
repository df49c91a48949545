#ifndef HALOBEAT_PARTITION_SCHEDULE_SCHEDULE_H
#define HALOBEAT_PARTITION_SCHEDULE_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Strategies that say how many of the independent tasks that are left a worker gets when it asks.
 * Decisions only: who runs tasks, and how workers ask, is the business of core/tasks. All functions
 * are local; the same calls give the same counts. docs/scheduling.md tells where each rule is from
 * and where a source was mended.
 *
 * A schedule is made for N tasks and P workers from a name and its parameter: "guided",
 * "fixed:8", "exponential:3/2", "diffusive:2,random". */
typedef struct halo_schedule halo_schedule;

/* Where tasks wait until somebody asks for them. */
typedef enum {
    HALO_SCHEDULE_MASTER, /* at one master */
    HALO_SCHEDULE_GROUPS, /* at a master, and at submasters who ask it for their workers */
    HALO_SCHEDULE_QUEUES, /* at all workers, who take from each other */
    HALO_SCHEDULE_CHAIN   /* at the first worker, and in one slot at each other one */
} halo_schedule_place;

/* Zero-initialised fields mean the default. Arrays are copied. */
typedef struct {
    int64_t tasks;         /* N, 0 or more */
    int workers;           /* P, 1 or more */
    const double *weights; /* [workers], above 0: relative speeds; NULL: all are the same */
    const int *groups;     /* [workers], 0 and above: whose submaster is asked; NULL: one for all */
    double request_seconds;   /* fsc: what a request costs; .001 */
    double deviation_seconds; /* fsc: standard deviation of a task's time; .01 */
    uint64_t seed;            /* of random victims */
} halo_schedule_options;

/* A row of the list of strategies. */
typedef struct {
    const char *name, *parameter; /* parameter: as in a usage line; NULL if it takes none */
    const char *help;             /* one sentence */
    halo_schedule_place place;
} halo_schedule_entry;

/* The list in the order of the manual; NULL behind its end. */
const halo_schedule_entry *halo_schedule_list(int i);

/* HALO_ARGUMENT for a name or a parameter that is unknown, naming those there are, and for numbers
 * out of range; HALO_MEMORY. *out is then NULL. */
halo_status halo_schedule_create(halo_schedule **out, const char *words,
                                 const halo_schedule_options *options);

/* Accepts a pointer to NULL. */
void halo_schedule_destroy(halo_schedule **schedule);

halo_schedule_place halo_schedule_where(const halo_schedule *schedule);

/* Tasks that nobody has been given: by the master, or by the first worker of a chain. */
int64_t halo_schedule_left(const halo_schedule *schedule);

/* What a worker has done since it last asked. */
typedef struct {
    int64_t tasks;
    double seconds; /* for all of them together */
    double
        squares;   /* sum of each task's seconds squared; 0 where tasks were not timed one by one */
    double waited; /* seconds with nothing to do before they had arrived */
} halo_schedule_done;

/* Strategies that learn do so from this. Others ignore it. */
void halo_schedule_note(halo_schedule *schedule, int worker, const halo_schedule_done *done);

/* Is the next request the first of a batch, before which a strategy wants to know the weights
 * anew? */
bool halo_schedule_wants_weights(const halo_schedule *schedule);

/* Should the weights that it is created with count the processor time that is free, besides the
 * clock? */
bool halo_schedule_wants_load(const halo_schedule *schedule);

/* weights: [workers], above 0. */
void halo_schedule_set_weights(halo_schedule *schedule, const double *weights);

/* HALO_SCHEDULE_MASTER, _GROUPS and _CHAIN: how many tasks `worker` gets, 1 to the number of those
 * left; 0 if none is left. Of a schedule in groups, and of a chain, that are tasks which its
 * submaster or left neighbour has, `there` (1 or more), instead of those left here. */
int64_t halo_schedule_next(halo_schedule *schedule, int worker, int64_t there);

/* HALO_SCHEDULE_GROUPS: how many tasks a group's submaster gets from the master. */
int64_t halo_schedule_next_group(halo_schedule *schedule, int group);

/* HALO_SCHEDULE_GROUPS: how many ranks, in their order, its parameter makes a group; 0: those of a
 * host are one. */
int halo_schedule_group_size(const halo_schedule *schedule);

/* HALO_SCHEDULE_QUEUES: how many tasks are in `worker`'s queue at the start. */
int64_t halo_schedule_share(const halo_schedule *schedule, int worker);

/* HALO_SCHEDULE_QUEUES: how many tasks are taken from the end of a queue of `there`: 1 or more, if
 * there are any. */
int64_t halo_schedule_take(const halo_schedule *schedule, int64_t there);

/* HALO_SCHEDULE_QUEUES: whose queue `worker` asks next, after `asked` that had nothing for it, from
 * what is thought to be left in each: [workers], seconds (0: nothing, below 0: unknown). -1: nobody
 * is worth asking; the worker itself is never. */
int halo_schedule_victim(const halo_schedule *schedule, int worker, int64_t asked,
                         const double *seconds_left);

/* Tasks that an idle worker does again when none is left to hand out and `unfinished` ones are with
 * others, the last first: a 2P-th of them, at least 1 (rDLB: A. Mohammed, A. Cavelan and
 * F. Ciorba, 2019). The first result counts, so that tasks must be pure. */
int64_t halo_schedule_redundant(int64_t unfinished, int workers);

#endif
