#ifndef HALOBEAT_CORE_TASKS_MAIL_H
#define HALOBEAT_CORE_TASKS_MAIL_H

#include "base/memory.h"
#include "core/world/world.h"

/* Messages between ranks that assign tasks, any number under way in all directions: a head of fixed
 * size, for which a receive is always posted, and a body. */
typedef struct task_mail task_mail;

/* Meaning of a message; several can be combined. */
enum {
    TASK_DONE = 1,    /* the body is records of finished tasks */
    TASK_ASK = 2,     /* a request for tasks; `done` and the following members describe the time
                       * since the last request */
    TASK_IDLE = 4,    /* the requesting rank is idle */
    TASK_GIVE = 8,    /* tasks lo to hi - 1, none if they are equal; the body has their data */
    TASK_AGAIN = 16,  /* these tasks are repeated */
    TASK_SHARE = 32,  /* these tasks are a rank's queue at the start */
    TASK_BACK = 64,   /* tasks lo to hi - 1 are returned without having been begun */
    TASK_STOP = 128,  /* the run is over */
    TASK_PART = 256,  /* the body is what task lo, by its number, tells rank 0 */
    TASK_REPLY = 512, /* rank 0 has taken that; `seconds` is its reply, lo a halo_status */
    TASK_ENDED = 1024 /* the rank runs no task any more, and has sent what it found */
};

typedef struct {
    int32_t kinds, from;
    int64_t lo, hi, bytes;                      /* of the body */
    int64_t done;                               /* tasks, */
    double seconds, squares, waited, available; /* see halo_schedule_done; `available` is the
                                                 * share of a core */
} task_head;

/* Local. HALO_MEMORY. */
halo_status task_mail_create(task_mail **out, halo_world *world);

/* Local. Starts receiving messages, until task_mail_end. Only one task_mail of a world may do so at
 * a time. HALO_MPI. */
halo_status task_mail_begin(task_mail *mail);

/* Local. Drives messages being sent. HALO_MPI. */
halo_status task_mail_progress(task_mail *mail);

/* Local; after task_mail_end, or a failure. Accepts a pointer to NULL. */
void task_mail_destroy(task_mail **mail);

/* Local. Starts sending. Takes over the body's bytes and leaves it empty. HALO_MEMORY, HALO_MPI. */
halo_status task_mail_send(task_mail *mail, int to, const task_head *head, halo_buffer *body);

/* Local. Sends TASK_STOP, TASK_REPLY or TASK_ENDED, which needs no memory. The last one of the same
 * kind to the same rank must have arrived. HALO_MPI. */
halo_status task_mail_notify(task_mail *mail, int to, const task_head *head);

/* Local. Receives a message: *there tells whether there is one; if so *head and *body are set,
 * whose bytes are owned by the mail and valid until the next call. Waits for at most `seconds`, see
 * halo_wait_for. HALO_MPI. HALO_MEMORY if there is none for the body: the message is then lost,
 * without making other ranks wait. */
halo_status task_mail_receive(task_mail *mail, double seconds, bool *there, task_head *head,
                              const halo_buffer **body);

/* Collective; no rank sends until it returns. Replaces *sum by its sum over all ranks. Afterwards
 * task_mail_comes tells whether messages to this rank are still under way; receive them. Needs no
 * memory. HALO_MPI. */
halo_status task_mail_gather(task_mail *mail, int64_t *sum);
bool task_mail_comes(const task_mail *mail);

/* Local. Have messages failed? Then none are received any more, here. */
bool task_mail_is_broken(const task_mail *mail);

/* Local, when no more messages come, while all ranks receive those still under way to them: waits
 * until this rank's messages have arrived. HALO_MPI. */
halo_status task_mail_end(task_mail *mail);

/* Local. The number of messages and bytes that this rank has sent. */
void task_mail_count(const task_mail *mail, int64_t *messages, int64_t *bytes);

#endif
