#ifndef HALOBEAT_CORE_TASKS_MAIL_H
#define HALOBEAT_CORE_TASKS_MAIL_H

#include "base/memory.h"
#include "core/world/world.h"

/* Messages between ranks that hand out tasks, any number under way in any direction: a head of
 * fixed size, for which a receive is always posted, and a body. */
typedef struct task_mail task_mail;

/* What a message is about; several at a time. */
enum {
    TASK_DONE = 1,   /* the body is records of finished tasks */
    TASK_ASK = 2,    /* give me tasks; `done`, ... are of those since the last request */
    TASK_IDLE = 4,   /* an asker that has nothing to do */
    TASK_GIVE = 8,   /* tasks lo to hi - 1, none if they are the same; the body is their data */
    TASK_AGAIN = 16, /* that are given again */
    TASK_SHARE = 32, /* that are in a rank's queue at the beginning */
    TASK_BACK = 64,  /* tasks lo to hi - 1 are given back, not begun */
    TASK_STOP = 128  /* all is over */
};

typedef struct {
    int32_t kinds, from;
    int64_t lo, hi, bytes;                      /* of the body */
    int64_t done;                               /* tasks, */
    double seconds, squares, waited, available; /* see halo_schedule_done; share of a core */
} task_head;

/* Local. HALO_MEMORY. */
halo_status task_mail_create(task_mail **out, halo_world *world);

/* Local. From now on, until task_mail_end, messages are received: of one task_mail of a world at a
 * time. HALO_MPI. */
halo_status task_mail_begin(task_mail *mail);

/* Local. Drives what is being sent. HALO_MPI. */
halo_status task_mail_progress(task_mail *mail);

/* Local; after task_mail_end, or a failure. Accepts a pointer to NULL. */
void task_mail_destroy(task_mail **mail);

/* Local. Begins to send; takes the body's bytes over, which leaves it empty. HALO_MEMORY, HALO_MPI.
 */
halo_status task_mail_send(task_mail *mail, int to, const task_head *head, halo_buffer *body);

/* Local. The same for the message that all is over, to each rank once: needs no memory. HALO_MPI.
 */
halo_status task_mail_stop(task_mail *mail, int to);

/* Local. *there: is there a message? If so it is in *head and *body, whose bytes are the mail's,
 * until the next call. Waits for one for `seconds` at most, see halo_wait_for. HALO_MPI.
 * HALO_MEMORY if there is none for its body: the message is lost then, and nobody waits because of
 * it. */
halo_status task_mail_receive(task_mail *mail, double seconds, bool *there, task_head *head,
                              const halo_buffer **body);

/* Collective, when no rank sends until it returns. From then on task_mail_comes tells whether
 * messages that were sent before are still under way to this rank: receive them. *sum becomes its
 * sum over all ranks. Needs no memory. HALO_MPI. */
halo_status task_mail_gather(task_mail *mail, int64_t *sum);
bool task_mail_comes(const task_mail *mail);

/* Local, when nothing comes any more, and all ranks receive what still comes to them: waits until
 * what this rank has sent has arrived. HALO_MPI. */
halo_status task_mail_end(task_mail *mail);

/* Local. Sent by this rank. */
void task_mail_count(const task_mail *mail, int64_t *messages, int64_t *bytes);

#endif
