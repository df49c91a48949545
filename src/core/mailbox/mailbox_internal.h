#ifndef HALOBEAT_CORE_MAILBOX_MAILBOX_INTERNAL_H
#define HALOBEAT_CORE_MAILBOX_MAILBOX_INTERNAL_H

#include "core/mailbox/mailbox.h"
#include "core/world/collect.h"

/* Internals of a mailbox: what is common to sending (send.c) and receiving (receive.c). */

/* Data behind a head travel in pieces of so many bytes. */
enum { HALO_MAIL_PIECE = 1 << 20 };

/* A message that is being sent. Its requests complete one after the other: the mailbox tests the
 * head's at first, and each of the rest when the one before is complete. */
typedef struct {
    int to;
    int rest_count, rest_done;
    halo_buffer data;    /* that travel behind the head */
    char *head;          /* with the data that travel with it */
    halo_request rest[]; /* [rest_count] of the pieces of `data`; the head lies behind them */
} halo_outgoing;

struct halo_mailbox {
    halo_world *world;
    halo_mailbox_options options;
    int rank, ranks;

    /* [1 + count]: request 0 is that of the message that is expected, and the others are those of
     * messages being sent, outgoing[i] with requests[i]. */
    halo_request *requests;
    halo_outgoing **outgoing;
    int count, capacity;
    int *sending; /* [ranks] messages being sent to each */

    halo_request *slot_requests; /* [slots] */
    char *slots;                 /* [slots * slot_stride] */
    size_t slot_stride;

    char *arriving;   /* [receive_buffers * stride] */
    int next;         /* buffer of the message that is expected */
    size_t stride;    /* bytes from a buffer to the next */
    halo_buffer data; /* of the last message, if they came behind the head */
    char *discarded;  /* [HALO_MAIL_PIECE] for data that there is no memory for; or NULL */
    bool broken;

    int64_t *sent;   /* [ranks] messages to each since the mailbox was created, or ended */
    int64_t *totals; /* [ranks + HALO_MAILBOX_SUMS], scratch of halo_mailbox_gather */
    int64_t received, due;
    int64_t messages, bytes;
};

/* Local. Bytes of a head and the data that travel with it. */
static inline size_t halo_mail_bytes(const halo_mailbox *mailbox, size_t data)
{
    return mailbox->options.head_bytes + data;
}

/* Local, pure. The number of pieces of data behind a head, and the bytes of one of them. */
static inline int halo_mail_piece_count(size_t bytes)
{
    return (int)((bytes + HALO_MAIL_PIECE - 1) / HALO_MAIL_PIECE);
}

static inline int halo_mail_piece_bytes(size_t bytes, int piece)
{
    size_t rest = bytes - (size_t)piece * HALO_MAIL_PIECE;
    return (int)(rest < HALO_MAIL_PIECE ? rest : HALO_MAIL_PIECE);
}

/* Local. Room for the requests of one more message. HALO_MEMORY. */
halo_status halo_mailbox_make_room(halo_mailbox *mailbox);

/* Local. Request `index` > 0 is complete: its message's next one is tested from now on, or the
 * message is released. */
void halo_mailbox_advance(halo_mailbox *mailbox, int index);

/* Local. Frees a message. */
void halo_outgoing_free(halo_outgoing *outgoing);

#endif
