#ifndef HALOBEAT_CORE_TASKS_MESSAGE_H
#define HALOBEAT_CORE_TASKS_MESSAGE_H

#include "core/mailbox/mailbox.h"

/* Messages between ranks that assign tasks. */

/* Meaning of a message; several can be combined. */
enum {
    TASK_DONE = 1,    /* the data are records of finished tasks */
    TASK_ASK = 2,     /* a request for tasks; `done` and the following members describe the time
                       * since the last request */
    TASK_IDLE = 4,    /* the requesting rank is idle */
    TASK_GIVE = 8,    /* tasks lo to hi - 1, none if they are equal, with their data */
    TASK_AGAIN = 16,  /* these tasks are repeated */
    TASK_SHARE = 32,  /* these tasks are a rank's queue at the start */
    TASK_BACK = 64,   /* tasks lo to hi - 1 are returned without having been begun */
    TASK_STOP = 128,  /* the run is over */
    TASK_PART = 256,  /* the data are what task lo, by its number, tells rank 0 */
    TASK_REPLY = 512, /* rank 0 has taken that; `seconds` is its reply, lo a halo_status */
    TASK_ENDED = 1024 /* the rank runs no task any more, and has sent what it found */
};

typedef struct {
    halo_mail_head mail; /* its kind is a set of the above */
    int64_t lo, hi;
    int64_t done;                               /* tasks, */
    double seconds, squares, waited, available; /* see halo_schedule_done; `available` is the
                                                 * share of a core */
} task_head;

/* Local. The mailbox of a bag of tasks. HALO_MEMORY. */
halo_status task_mailbox_create(halo_mailbox **out, halo_world *world);

/* Local. Sends TASK_STOP, TASK_REPLY or TASK_ENDED, which needs no memory. The last one of the same
 * kind to the same rank must have arrived. HALO_TRANSPORT. */
halo_status task_mailbox_notify(halo_mailbox *mailbox, int to, const task_head *head);

#endif
