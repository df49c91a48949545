#ifndef HALOBEAT_CORE_MAILBOX_MAILBOX_H
#define HALOBEAT_CORE_MAILBOX_MAILBOX_H

#include "base/memory.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mailbox sends messages to any rank and receives those of all ranks in the order in which they
 * come; those from one rank to another arrive in the order they were sent. Any number may be under
 * way in all directions: sending never waits for a receiver (but see halo_mailbox_send_reserved),
 * and a message that is being sent is kept by the mailbox until it has arrived.
 *
 * A message is a head of fixed size and data. Up to `data_bytes` bytes of data travel with the
 * head. More of them travel behind it in pieces, so that a receiver without memory for them can
 * receive and discard them: otherwise both ranks would block.
 *
 * A run of a mailbox ends with halo_mailbox_gather, after which no rank sends, with receiving while
 * halo_mailbox_comes, and with halo_mailbox_end. */
typedef struct halo_mailbox halo_mailbox;

/* Every head begins with this. */
typedef struct {
    int32_t kind;  /* used by those who send and receive */
    int32_t from;  /* the sender; set by the mailbox */
    int64_t bytes; /* of the data */
} halo_mail_head;

typedef struct {
    const char *what;    /* what the messages are, for error messages: "messages about tasks" */
    int tag;             /* other messages of the world must not use it */
    int pieces_tag;      /* the same of data that travel behind heads; 0: there are none */
    size_t head_bytes;   /* size of the users' heads */
    size_t data_bytes;   /* maximum of the data that travel with a head */
    int receive_buffers; /* 0: this rank only sends; 2: the next message is received while one is
                          * read; else 1 */
    int slots;           /* messages for which memory is reserved */
    size_t slot_bytes;   /* maximum of the data of each of them; at most data_bytes */
} halo_mailbox_options;

/* A message that was received. It is the mailbox's, and valid until the next one is received. */
typedef struct {
    const void *head; /* NULL: no message has come */
    const void *data; /* [bytes of the head]; NULL if there was no memory for them */
} halo_mail;

/* Local. `options` are the same on all ranks, but for receive_buffers and the slots. HALO_MEMORY.
 */
halo_status halo_mailbox_create(halo_mailbox **out, halo_world *world,
                                const halo_mailbox_options *options);

/* Local, after halo_mailbox_end or a failure. Accepts a pointer to NULL; sets it to NULL. */
void halo_mailbox_destroy(halo_mailbox **mailbox);

/* Local. Starts to send a message to another rank. `head` has the number of bytes, at most
 * data_bytes, of `data`, which are copied. With `until_received` the message counts as being sent
 * until its receiver has begun to receive it. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_mailbox_send(halo_mailbox *mailbox, int to, const void *head, const void *data,
                              bool until_received);

/* Local. The same with all bytes of `data`, any number, whatever the head says. Takes the bytes
 * over, and leaves `data` empty; NULL: none. HALO_MEMORY, with which nothing was taken or sent;
 * HALO_TRANSPORT. */
halo_status halo_mailbox_send_buffer(halo_mailbox *mailbox, int to, const void *head,
                                     halo_buffer *data);

/* Local. As halo_mailbox_send, in the memory of slot 0 to slots - 1, which needs no other memory.
 * Waits until the slot's last message has been sent. HALO_TRANSPORT. */
halo_status halo_mailbox_send_reserved(halo_mailbox *mailbox, int slot, int to, const void *head,
                                       const void *data);

/* Local. Moves messages that are being sent, and releases the memory of those that have arrived.
 * HALO_TRANSPORT. */
halo_status halo_mailbox_progress(halo_mailbox *mailbox);

/* Local. The number of messages being sent to `to`, or if that is below 0, to all ranks, but for
 * those in slots. A large message counts until its receiver begins to receive it. */
int halo_mailbox_sending(const halo_mailbox *mailbox, int to);

/* Local. Receives a message if one comes within `seconds` (0: has come; see halo_wait_for). Without
 * other ranks none ever does, and it does not wait. HALO_TRANSPORT. HALO_MEMORY if there is none
 * for the data: mail->head is set, mail->data is NULL, and the sender does not notice. */
halo_status halo_mailbox_receive(halo_mailbox *mailbox, double seconds, halo_mail *mail);

/* Local. The same, which waits until a message has come, or one being sent has been sent. */
halo_status halo_mailbox_receive_or_sent(halo_mailbox *mailbox, halo_mail *mail);

/* Local. The same for services of the world (halo_world_begin_service), without waiting. */
halo_status halo_mailbox_receive_in_service(halo_mailbox *mailbox, halo_mail *mail);

/* Collective; until halo_mailbox_end no rank sends. Replaces sums[i], [count], at most
 * HALO_MAILBOX_SUMS, by its sum over all ranks. Afterwards halo_mailbox_comes tells whether
 * messages to this rank are still under way, none of which comes after a failure: receive them.
 * Needs no memory. HALO_TRANSPORT. */
halo_status halo_mailbox_gather(halo_mailbox *mailbox, int64_t *sums, int count);
bool halo_mailbox_comes(const halo_mailbox *mailbox);
enum { HALO_MAILBOX_SUMS = 16 };

/* Local. Has receiving failed? Then nothing more is received. */
bool halo_mailbox_is_broken(const halo_mailbox *mailbox);

/* Local, when no more messages come, while all ranks receive those still under way to them: waits
 * until this rank's messages have arrived, and stops receiving. When all ranks have returned
 * (halo_agree), the mailbox can be used again, or another one with the same tags: a message sent
 * before would be lost on a rank that still receives. HALO_TRANSPORT. */
halo_status halo_mailbox_end(halo_mailbox *mailbox);

/* Local. The number of messages and bytes that this rank has sent since the mailbox was created. */
void halo_mailbox_count(const halo_mailbox *mailbox, int64_t *messages, int64_t *bytes);

#endif
