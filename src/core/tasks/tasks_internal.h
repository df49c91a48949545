#ifndef HALOBEAT_CORE_TASKS_TASKS_INTERNAL_H
#define HALOBEAT_CORE_TASKS_TASKS_INTERNAL_H

#include "core/tasks/engine.h"
#include "core/tasks/gaps.h"
#include "core/tasks/mail.h"
#include "partition/schedule/ledger.h"
#include "partition/schedule/schedule.h"

/* What the files of a bag of tasks share. Internal to them.
 *
 * Each rank has an engine that runs tasks. It asks its desk for more: the desk of rank 0, of the
 * first rank on its host (hierarchical), its own, which asks its left neighbour's (pipeline), or
 * those of others (diffusive). What is finished goes to rank 0, on the way through the desk where
 * that is another rank's. */

/* Tasks that wait here to be handed out, and who waits for them. */
typedef struct {
    int64_t lo, hi;
    bool again;    /* they are given again */
    bool asked;    /* for more, */
    int asked_of;  /* this rank */
    double since;  /* when */
    bool dry;      /* there was nothing more */
    int *waiting;  /* [ranks], ranks in the order in which they asked */
    bool *is_idle; /* [ranks], has the rank nothing to do? */
    int count;
} task_desk;

/* Tasks lo to hi - 1. */
typedef struct {
    int64_t lo, hi;
    bool again;
} task_chunk;

/* Room for what a rank gets besides one late answer of each other: the one in time, its share at
 * the beginning, tasks given again, and what comes late to its desk. */
enum { SPARE_CHUNKS = 4 };

/* One rank's own work. */
typedef struct {
    bool asked, dry;   /* for more; there was nothing more */
    int asked_of;      /* the rank, */
    double since;      /* and when */
    double round_trip; /* seconds from asking till tasks come, about */
    task_chunk *next;  /* [ranks + SPARE_CHUNKS], what to begin with next: one, and late answers */
    int next_count;
    bool running;
    halo_tasks_event event;      /* at hand */
    task_progress progress;      /* since it last asked */
    double waited, available;    /* of the last request; of the last tasks */
    double idle_since, reported; /* when */
    /* Of queues: [ranks] what others are thought to have, and how often they were asked. */
    double *seconds_left;
    int64_t victims;
    bool *silent; /* [ranks], did not answer in time, and were not heard of since */
    double retry; /* when all are asked again, */
    double pause; /* and how long after that */
} task_worker;

struct halo_tasks {
    halo_world *world;
    halo_tasks_options options;
    int rank, ranks, workers;
    int first;               /* rank that works: 1 where rank 0 rests */
    bool rests;              /* this rank */
    halo_schedule *schedule; /* rank 0; queues: all ranks */
    halo_schedule_place place;
    int leader;          /* the rank whose desk is asked; its own: this one */
    int upstream;        /* the rank that a desk of tasks from elsewhere asks */
    int *groups;         /* [ranks], of each the first rank on its host */
    double *speeds;      /* [ranks] */
    double *available;   /* [ranks], share of a core that each got last, as far as known */
    double *weights;     /* [workers], scratch */
    halo_ledger *ledger; /* rank 0 */
    task_engine *engine;
    task_mail *mail;
    task_data *data; /* [count] or NULL */
    task_desk desk;
    task_worker worker;
    halo_buffer results; /* records to be sent to rank 0 */
    bool stopped;
    halo_status status; /* of this rank */
    char message[HALO_MESSAGE_SIZE];
    double begun;

    halo_tasks_rank counts; /* of this rank */
    halo_buffer events;
    halo_tasks_report report;
    halo_tasks_rank *by_rank;
    halo_tasks_event *all_events;
    /* Rank 0: what is known of all tasks, for when they are given again. */
    int *held; /* [ranks], idle ranks that may get something later */
    int held_count;
    halo_buffer returned;              /* task_chunks that were given back */
    double handed_out;                 /* when nothing was left to hand out; below 0: not yet */
    double known_seconds, known_tasks; /* of tasks whose time it has heard of */
    double served;                     /* rank 0: seconds of all requests */
    double looked, heard; /* when it last looked for messages; when the last request came */
    task_gaps gaps;       /* in which it did not look */
};

/* Local. Seconds since the run began. */
double halo_tasks_now(const halo_tasks *tasks);

/* Local. A failure of this rank's, or of a task, with its message: the first one counts. */
void halo_tasks_note(halo_tasks *tasks, halo_status status);

/* Collective. Of all ranks, [ranks]: relative speeds, which are their clocks, and the share of a
 * core that a program gets, 1 without `load`. */
halo_status halo_tasks_measure_speeds(halo_world *world, bool load, double *speeds, double *shares);

/* Local. Of the workers: the weights of a schedule, into tasks->weights. */
const double *halo_tasks_weigh(halo_tasks *tasks);

/* Local. A message has come: a desk's business, or finished tasks. */
halo_status halo_tasks_handle(halo_tasks *tasks, const task_head *head, const halo_buffer *body);

/* Local. A request, of another rank's or of this one's, is answered from this rank's desk. */
halo_status halo_tasks_answer(halo_tasks *tasks, int asker, const task_head *head);

/* Local, again and again: gives tasks again, once it is time, to idle ranks that are waiting for
 * it. And: are there such ranks? */
halo_status halo_tasks_serve_held(halo_tasks *tasks);
bool halo_tasks_holds(const halo_tasks *tasks);

/* Rank 0, local. Tasks that a rank gives back are for who asks next, or waits. */
halo_status halo_tasks_take_back(halo_tasks *tasks, int64_t lo, int64_t hi);

/* Local. Finished tasks, as records: counted and collected on rank 0, kept to be sent elsewhere. */
halo_status halo_tasks_settle(halo_tasks *tasks, const void *records, size_t bytes);

/* Local. Sends what is kept. */
halo_status halo_tasks_report_done(halo_tasks *tasks);

/* Local. Tasks, or none, have come for this rank's engine. */
halo_status halo_tasks_accept(halo_tasks *tasks, const task_head *head);

/* Local. The data of tasks is appended to a message; is kept for the engine. */
halo_status halo_tasks_add_data(halo_tasks *tasks, int64_t lo, int64_t hi, halo_buffer *body);
halo_status halo_tasks_keep_data(halo_tasks *tasks, int64_t task, const void *bytes, size_t size);

/* Local. Gives tasks, or none, to a rank. */
halo_status halo_tasks_give(halo_tasks *tasks, int asker, const task_head *head);

/* Local. At the beginning; then again and again: lets the engine work, and keeps it busy. */
void halo_tasks_begin_work(halo_tasks *tasks);
halo_status halo_tasks_turn(halo_tasks *tasks);

/* Local. Has this rank nothing to do but to wait for a message? */
bool halo_tasks_only_waits(halo_tasks *tasks);

/* Local. What came is to be begun with when there is nothing to do. */
void halo_tasks_put_next(halo_tasks *tasks, const task_head *head);

/* Local. For how many seconds a message should be waited for where there is nothing else to do:
 * HUGE_VAL if nobody else could be asked. When they are over: asks somebody else. */
double halo_tasks_wait_seconds(halo_tasks *tasks);
halo_status halo_tasks_ask_elsewhere(halo_tasks *tasks);

/* Local. Serves those who wait at this rank's desk, as far as there are tasks. */
halo_status halo_tasks_serve_desk(halo_tasks *tasks);

/* Local, at the end: stops the engine. */
halo_status halo_tasks_end_work(halo_tasks *tasks);

/* Collective. Makes the report. */
halo_status halo_tasks_make_report(halo_tasks *tasks);

#endif
