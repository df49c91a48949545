#ifndef HALOBEAT_CORE_TASKS_TASKS_INTERNAL_H
#define HALOBEAT_CORE_TASKS_TASKS_INTERNAL_H

#include "core/tasks/engine.h"
#include "core/tasks/gaps.h"
#include "core/tasks/message.h"
#include "partition/schedule/ledger.h"
#include "partition/schedule/schedule.h"

/* Internals of a bag of tasks.
 *
 * Each rank has an engine that runs tasks. Ranks that are threads of one process take more from a
 * pool (pool.h). Others have messages: a rank requests more from a dispatcher: that of rank 0, of
 * the first rank on its host (hierarchical), its own, which requests from its left neighbour's
 * (pipeline), or those of other ranks (diffusive). Records of finished tasks go to rank 0, through
 * the dispatcher if that is another rank's. */

/* A dispatcher: tasks waiting to be assigned, and ranks waiting for tasks. */
typedef struct {
    int64_t lo, hi;
    bool again;         /* these tasks are repeated */
    bool requested;     /* the dispatcher has requested more tasks */
    int requested_from; /* from this rank */
    double since;       /* at this time */
    bool dry;           /* the last request returned no tasks */
    int *waiting;       /* [ranks] the waiting ranks, in the order of their requests */
    bool *is_idle;      /* [ranks] true: the rank has no work */
    int count;
} task_dispatcher;

/* Tasks lo to hi - 1. */
typedef struct {
    int64_t lo, hi;
    bool again;
} task_chunk;

/* Room for what a rank may get besides one late answer from each other rank: the answer in time,
 * its share at the start, repeated tasks, and what arrives late at its dispatcher. */
enum { SPARE_CHUNKS = 4 };

/* The work of one rank. */
typedef struct {
    bool requested, dry; /* it has requested more tasks; the last request returned none */
    int requested_from;  /* the rank that was asked */
    double since;        /* time of the request */
    double round_trip;   /* approximate seconds from a request to the arrival of tasks */
    task_chunk *next;    /* [ranks + SPARE_CHUNKS] tasks to begin with next: one answer, and late
                          * ones */
    int next_count;
    bool running;
    halo_tasks_event event;      /* the current range */
    task_progress progress;      /* since its last request */
    double waited;               /* seconds waited for the last request */
    double idle_since, reported; /* times */
    /* For queues: [ranks] estimated work of other ranks, and the number of requests to them. */
    double *seconds_left;
    int64_t victims;
    bool *silent; /* [ranks] did not answer in time, and no message has come since */
    double retry; /* time at which all are asked again */
    double pause; /* seconds until the time after that */
} task_worker;

typedef struct task_pool task_pool;

struct halo_tasks {
    halo_world *world;
    task_pool *pool; /* of ranks that share memory; NULL: they have messages, by `mailbox` */
    halo_tasks_options options;
    int rank, ranks, workers;
    int first;               /* first rank that works: 1 if rank 0 does not */
    bool rests;              /* this rank does not work */
    halo_schedule *schedule; /* on rank 0; for queues on all ranks */
    halo_schedule_place place;
    int leader;          /* the rank whose dispatcher is asked; may be this rank */
    int upstream;        /* the rank that a dispatcher asks for tasks */
    int *groups;         /* [ranks] the first rank on the host of each */
    double *speeds;      /* [ranks] */
    double *available;   /* [ranks] share of a core that each had last, if known */
    double *weights;     /* [workers], scratch */
    halo_ledger *ledger; /* rank 0 */
    task_engine *engine;
    halo_mailbox *mailbox;
    task_data *data; /* [count] or NULL; in a pool it is the pool's */
    task_dispatcher dispatcher;
    task_worker worker;
    halo_buffer results; /* records to send to rank 0 */
    task_part *told;     /* what a task of this rank tells, on its way to rank 0; NULL: nothing */
    int ended;           /* rank 0: ranks that run no task any more */
    bool stopped;
    halo_status status; /* of this rank */
    char message[HALO_MESSAGE_SIZE];
    double begun;

    halo_tasks_rank counts; /* of this rank */
    halo_buffer events;
    halo_buffer stretches; /* of this rank, for events */
    halo_tasks_report report;
    halo_tasks_rank *by_rank;
    halo_tasks_event *all_events;
    /* Rank 0: data about all tasks, for repeating them. */
    int *held; /* [ranks] idle ranks that may get tasks later */
    int held_count;
    halo_buffer returned;              /* task_chunks that were returned */
    double handed_out;                 /* time at which no task was left to assign; below 0: not
                                        * yet */
    double known_seconds, known_tasks; /* of tasks whose times are known */
    double served;                     /* rank 0: seconds of answering requests */
    double looked, heard;              /* times of the last poll and of the last request */
    task_gaps gaps;                    /* intervals in which it did not poll */
};

/* Local. Seconds since the run began. */
double halo_tasks_now(const halo_tasks *tasks);

/* Local. Notes a failure of this rank or of a task, with its message. The first one counts. */
void halo_tasks_note(halo_tasks *tasks, halo_status status);

/* Collective. Measures [ranks]: relative speeds, by the clock, and the share of a core that a
 * program gets, 1 without `load`. */
halo_status halo_tasks_measure_speeds(halo_world *world, bool load, double *speeds, double *shares);

/* Local. Computes the weights of the workers for a schedule, in tasks->weights. */
const double *halo_tasks_weigh(halo_tasks *tasks);

/* Local. Handles a message to a dispatcher, or with finished tasks. */
halo_status halo_tasks_handle(halo_tasks *tasks, const halo_mail *mail);

/* Local, on rank 0. Learns from a request what the requester's tasks took. */
void halo_tasks_learn(halo_tasks *tasks, int requester, const task_head *head);

/* Local, on rank 0. Adds to *out what the schedule has for a rank, or for its group; or unfinished
 * tasks, to be done again by a rank that is idle, if it is time. False: nothing. */
bool halo_tasks_fetch(halo_tasks *tasks, int requester, task_head *out);
bool halo_tasks_find_again(halo_tasks *tasks, task_head *out);

/* Local. Answers a request of another rank, or of this one, from this rank's dispatcher. */
halo_status halo_tasks_answer(halo_tasks *tasks, int requester, const task_head *head);

/* Local, called repeatedly: assigns tasks again to waiting idle ranks, when it is time. The second
 * function tells whether there are such ranks. */
halo_status halo_tasks_serve_held(halo_tasks *tasks);
bool halo_tasks_holds(const halo_tasks *tasks);

/* Local, on rank 0. Takes back tasks that a rank returns, for the next request. */
halo_status halo_tasks_take_back(halo_tasks *tasks, int64_t lo, int64_t hi);

/* Local. Processes records of finished tasks: counts and collects them on rank 0, stores them for
 * sending on other ranks, or hands them to the pool. The second function is for rank 0. */
halo_status halo_tasks_settle(halo_tasks *tasks, const void *records, size_t bytes);
halo_status halo_tasks_settle_here(halo_tasks *tasks, const void *records, size_t bytes);

/* Local. Sends the stored records. */
halo_status halo_tasks_report_done(halo_tasks *tasks);

/* Local. Tasks, or none, have arrived for this rank's engine. */
halo_status halo_tasks_accept(halo_tasks *tasks, const task_head *head);

/* Local. Stores received data for the engine. */
halo_status halo_tasks_keep_data(halo_tasks *tasks, int64_t task, const void *bytes, size_t size);

/* Local. Sends tasks, or none, to a rank. */
halo_status halo_tasks_give(halo_tasks *tasks, int requester, const task_head *head);

/* Local. Called at the start, and then repeatedly: lets the engine work, and requests more tasks
 * for it. */
void halo_tasks_begin_work(halo_tasks *tasks);
halo_status halo_tasks_turn(halo_tasks *tasks);

/* Local. True if this rank can only wait for a message. */
bool halo_tasks_only_waits(halo_tasks *tasks);

/* Local. Stores tasks that have arrived, to be started when the engine is idle. */
void halo_tasks_put_next(halo_tasks *tasks, const task_head *head);

/* Local. Starts the first of these. */
halo_status halo_tasks_begin_next(halo_tasks *tasks);

/* Local. A request for tasks, with what has been done since the last one. */
task_head halo_tasks_request(halo_tasks *tasks, int kinds);

/* Local. The next rank whose queue is tried; -1: none. */
int halo_tasks_choose_victim(halo_tasks *tasks);

/* Local. Seconds to wait before queues are tried again: twice as long each time. */
double halo_tasks_next_pause(halo_tasks *tasks);

/* Local. Do tasks wait behind one that takes much longer than was to be expected? */
bool halo_tasks_should_give_back(const halo_tasks *tasks, const task_engine_load *load);

/* Local. Takes what tasks have found so far to where it belongs. */
halo_status halo_tasks_take_found(halo_tasks *tasks);

/* Local. Seconds to wait for a message if there is nothing else to do: HUGE_VAL if no other rank
 * could be asked. After that time halo_tasks_ask_elsewhere asks another rank. */
double halo_tasks_wait_seconds(halo_tasks *tasks);
halo_status halo_tasks_ask_elsewhere(halo_tasks *tasks);

/* Local. Gives tasks to the ranks waiting at this rank's dispatcher, as far as there are any. */
halo_status halo_tasks_serve_dispatcher(halo_tasks *tasks);

/* Local. Hands what a task of this rank tells to rank 0, one after the other. */
halo_status halo_tasks_serve_parts(halo_tasks *tasks);

/* Local. Handles a message with what a task tells, or the answer to one. A task whose data were
 * lost, for want of memory, is answered as well, or it would wait for ever. */
halo_status halo_tasks_hear_part(halo_tasks *tasks, const halo_mail *mail);

/* Local, at the end: stops the engine. Where tasks tell rank 0 something, all ranks call it, and
 * rank 0 listens until all have ended. */
halo_status halo_tasks_end_work(halo_tasks *tasks);

/* Local. Takes the results of tasks that have ended to where they belong. */
halo_status halo_tasks_end_running(halo_tasks *tasks);

/* Collective. Makes the report. */
halo_status halo_tasks_make_report(halo_tasks *tasks);

#endif
