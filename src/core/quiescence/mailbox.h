#ifndef HALOBEAT_CORE_QUIESCENCE_MAILBOX_H
#define HALOBEAT_CORE_QUIESCENCE_MAILBOX_H

#include "core/quiescence/detector.h"
#include "core/world/world.h"

#include <stddef.h>

/* Messages of limited size between ranks, any number under way in any direction; those from one
 * rank to another arrive in their order. */
typedef struct quiescence_mailbox quiescence_mailbox;

typedef enum { MAIL_BASIC, MAIL_CONTROL, MAIL_STOP } mailbox_kind;

/* What every message begins with. */
typedef struct {
    int32_t kind, from; /* mailbox_kind; filled in */
    halo_detector_note note;
    int64_t bytes; /* that follow */
} mailbox_head;

/* Local. Messages have up to `max_bytes` bytes behind their heads. HALO_MEMORY. */
halo_status quiescence_mailbox_create(quiescence_mailbox **out, halo_world *world,
                                      size_t max_bytes);

/* Local, after quiescence_mailbox_end, or a failure. Accepts a pointer to NULL. */
void quiescence_mailbox_destroy(quiescence_mailbox **mailbox);

/* Local. Begins to send head->bytes bytes, which are copied; a synchronous message counts as being
 * sent until it has been received. HALO_MEMORY, HALO_MPI. */
halo_status quiescence_mailbox_send(quiescence_mailbox *mailbox, int to, const mailbox_head *head,
                                    const void *data, bool synchronous);

/* Local. A MAIL_STOP to all other ranks, once until quiescence_mailbox_end. Needs no memory.
 * HALO_MPI. */
halo_status quiescence_mailbox_stop(quiescence_mailbox *mailbox);

/* Local. Messages that are being sent, to `to` or, if it is below 0, to all ranks: of large ones,
 * as long as the receiver has not begun to take them. */
int quiescence_mailbox_sending(const quiescence_mailbox *mailbox, int to);

/* Local. Has a message come? *head is then it, or else NULL, and *data what followed; both stay
 * until the next call. If it waits, it returns when something has changed: a message has come, or
 * one that was being sent is sent. Without other ranks nothing ever does. HALO_MPI. */
halo_status quiescence_mailbox_look(quiescence_mailbox *mailbox, bool waits,
                                    const mailbox_head **head, const void **data);

/* Collective, when no rank sends until quiescence_mailbox_end. sums[i], [count], becomes its sum
 * over all ranks; quiescence_mailbox_comes then tells whether messages to this rank are still
 * under way, which are to be taken with quiescence_mailbox_look. HALO_MEMORY cannot happen. */
halo_status quiescence_mailbox_gather(quiescence_mailbox *mailbox, int64_t *sums, int count);
bool quiescence_mailbox_comes(const quiescence_mailbox *mailbox);
enum { MAILBOX_SUMS = 16 }; /* at most */

/* Local, when nothing comes any more and all ranks take what still comes to them: waits until what
 * this rank has sent has arrived. HALO_MPI. */
halo_status quiescence_mailbox_end(quiescence_mailbox *mailbox);

#endif
