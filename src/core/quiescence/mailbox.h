#ifndef HALOBEAT_CORE_QUIESCENCE_MAILBOX_H
#define HALOBEAT_CORE_QUIESCENCE_MAILBOX_H

#include "core/quiescence/detector.h"
#include "core/world/world.h"

#include <stddef.h>

/* Messages of limited size between ranks, any number under way in all directions; those from one
 * rank to another arrive in the order they were sent. */
typedef struct quiescence_mailbox quiescence_mailbox;

typedef enum { MAIL_BASIC, MAIL_CONTROL, MAIL_STOP } mailbox_kind;

/* Head of every message. */
typedef struct {
    int32_t kind, from; /* a mailbox_kind; the sender, set by the mailbox */
    halo_detector_note note;
    int64_t bytes; /* bytes that follow the head */
} mailbox_head;

/* Local. Creates a mailbox for messages of up to `max_bytes` bytes after their heads.
 * HALO_MEMORY. */
halo_status quiescence_mailbox_create(quiescence_mailbox **out, halo_world *world,
                                      size_t max_bytes);

/* Local, after quiescence_mailbox_end or a failure. Accepts a pointer to NULL. */
void quiescence_mailbox_destroy(quiescence_mailbox **mailbox);

/* Local. Starts sending head->bytes bytes, which are copied. A synchronous message counts as being
 * sent until it has been received. HALO_MEMORY, HALO_MPI. */
halo_status quiescence_mailbox_send(quiescence_mailbox *mailbox, int to, const mailbox_head *head,
                                    const void *data, bool synchronous);

/* Local. Sends MAIL_STOP to all other ranks, at most once until quiescence_mailbox_end. Needs no
 * memory. HALO_MPI. */
halo_status quiescence_mailbox_stop(quiescence_mailbox *mailbox);

/* Local. The number of messages being sent to `to`, or if that is below 0, to all ranks. A large
 * message counts until the receiver begins to receive it. */
int quiescence_mailbox_sending(const quiescence_mailbox *mailbox, int to);

/* Local. Receives a message: sets *head to it, or to NULL if there is none, and *data to the bytes
 * that followed; both are valid until the next call. With `waits` it returns only when a message
 * has arrived or a message being sent has been sent; without other ranks that never happens.
 * HALO_MPI. */
halo_status quiescence_mailbox_look(quiescence_mailbox *mailbox, bool waits,
                                    const mailbox_head **head, const void **data);

/* Collective; until quiescence_mailbox_end no rank sends. Replaces sums[i], [count], by its sum
 * over all ranks. Afterwards quiescence_mailbox_comes tells whether messages to this rank are still
 * under way; receive them by quiescence_mailbox_look. Cannot fail with HALO_MEMORY. */
halo_status quiescence_mailbox_gather(quiescence_mailbox *mailbox, int64_t *sums, int count);
bool quiescence_mailbox_comes(const quiescence_mailbox *mailbox);
enum { MAILBOX_SUMS = 16 }; /* maximum of `count` */

/* Local, when no more messages come, while all ranks receive those still under way to them: waits
 * until this rank's messages have arrived. HALO_MPI. */
halo_status quiescence_mailbox_end(quiescence_mailbox *mailbox);

#endif
