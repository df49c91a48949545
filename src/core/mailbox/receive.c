#include "core/mailbox/mailbox_internal.h"

#include <string.h>

/* Pieces of data that there is memory for are received so many at a time. */
enum { WINDOW = 16 };

/* Notes a failure of the world's messages: nothing is received after it. */
static halo_status note(halo_mailbox *mailbox, halo_status status)
{
    mailbox->broken = mailbox->broken || status != HALO_OK;
    return status;
}

static char *arrival(const halo_mailbox *mailbox)
{
    return mailbox->arriving + (size_t)mailbox->next * mailbox->stride;
}

/* Posts the receive of the next message, unless it is posted. The buffer was the caller's until
 * then. */
static halo_status expect(halo_mailbox *mailbox)
{
    if (mailbox->ranks == 1 || halo_request_is_set(mailbox->requests[0])) {
        return HALO_OK;
    }
    return note(mailbox, halo_irecv(mailbox->world, arrival(mailbox),
                                    (int)halo_mail_bytes(mailbox, mailbox->options.data_bytes),
                                    HALO_ANY_SOURCE, mailbox->options.tag, &mailbox->requests[0]));
}

/* ---- data behind a head ---------------------------------------------------------------------- */

static halo_status receive_pieces(halo_mailbox *mailbox, int from, size_t bytes)
{
    halo_request requests[WINDOW];
    int pieces = halo_mail_piece_count(bytes);
    for (int done = 0; done < pieces;) {
        int count = 0;
        for (; count < WINDOW && done < pieces; done++, count++) {
            HALO_TRY(halo_irecv(mailbox->world, mailbox->data.data + (size_t)done * HALO_MAIL_PIECE,
                                halo_mail_piece_bytes(bytes, done), from,
                                mailbox->options.pieces_tag, &requests[count]));
        }
        HALO_TRY(halo_wait(mailbox->world, count, requests));
    }
    return HALO_OK;
}

/* Receives the pieces and discards them; otherwise both ranks would block. */
static halo_status discard_pieces(halo_mailbox *mailbox, int from, size_t bytes)
{
    for (int i = 0; i < halo_mail_piece_count(bytes); i++) {
        halo_request request;
        HALO_TRY(halo_irecv(mailbox->world, mailbox->discarded, halo_mail_piece_bytes(bytes, i),
                            from, mailbox->options.pieces_tag, &request));
        HALO_TRY(halo_wait(mailbox->world, 1, &request));
    }
    return HALO_OK;
}

static halo_status receive_behind(halo_mailbox *mailbox, const halo_mail_head *head,
                                  halo_mail *mail)
{
    size_t bytes = (size_t)head->bytes;
    mail->data = NULL;
    mailbox->data.size = 0;
    halo_status status = halo_buffer_reserve(&mailbox->data, bytes);
    if (status != HALO_OK) {
        return halo_status_first(status, note(mailbox, discard_pieces(mailbox, head->from, bytes)));
    }
    mailbox->data.size = bytes;
    mail->data = mailbox->data.data;
    return note(mailbox, receive_pieces(mailbox, head->from, bytes));
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The message that was expected has come. With two buffers the next one is expected at once. */
static halo_status take(halo_mailbox *mailbox, halo_mail *mail)
{
    const halo_mailbox_options *options = &mailbox->options;
    const char *message = arrival(mailbox);
    halo_mail_head head;
    memcpy(&head, message, sizeof head);
    *mail = (halo_mail){.head = message, .data = message + options->head_bytes};
    mailbox->received++;
    halo_status status =
        (size_t)head.bytes > options->data_bytes ? receive_behind(mailbox, &head, mail) : HALO_OK;
    mailbox->next = (mailbox->next + 1) % options->receive_buffers;
    return halo_status_first(status, options->receive_buffers > 1 ? expect(mailbox) : HALO_OK);
}

/* Takes what has been sent, until a message has come or nothing is complete. */
static halo_status look(halo_mailbox *mailbox, int index, halo_mail *mail)
{
    while (index > 0) {
        halo_mailbox_advance(mailbox, index);
        HALO_TRY(note(
            mailbox, halo_test_any(mailbox->world, mailbox->count + 1, mailbox->requests, &index)));
    }
    return index == 0 ? take(mailbox, mail) : HALO_OK;
}

static halo_status look_without_waiting(halo_mailbox *mailbox, halo_mail *mail)
{
    int index;
    HALO_TRY(note(mailbox,
                  halo_test_any(mailbox->world, mailbox->count + 1, mailbox->requests, &index)));
    return look(mailbox, index, mail);
}

halo_status halo_mailbox_receive(halo_mailbox *mailbox, double seconds, halo_mail *mail)
{
    bool complete;
    *mail = (halo_mail){NULL, NULL};
    HALO_TRY(expect(mailbox));
    if (mailbox->ranks == 1) {
        return HALO_OK;
    }
    if (seconds <= 0) {
        return look_without_waiting(mailbox, mail);
    }
    HALO_TRY(note(mailbox, halo_mailbox_progress(mailbox)));
    HALO_TRY(
        note(mailbox, halo_wait_for(mailbox->world, &mailbox->requests[0], seconds, &complete)));
    return complete ? take(mailbox, mail) : HALO_OK;
}

halo_status halo_mailbox_receive_or_sent(halo_mailbox *mailbox, halo_mail *mail)
{
    int index, bytes;
    *mail = (halo_mail){NULL, NULL};
    HALO_TRY(expect(mailbox));
    if (mailbox->ranks == 1) {
        return HALO_OK;
    }
    HALO_TRY(note(mailbox, halo_wait_any(mailbox->world, mailbox->count + 1, mailbox->requests,
                                         &index, &bytes)));
    return look(mailbox, index, mail);
}

halo_status halo_mailbox_receive_in_service(halo_mailbox *mailbox, halo_mail *mail)
{
    bool complete = false;
    *mail = (halo_mail){NULL, NULL};
    HALO_TRY(expect(mailbox));
    if (mailbox->ranks == 1) {
        return HALO_OK;
    }
    HALO_TRY(note(mailbox, halo_test_in_service(mailbox->world, &mailbox->requests[0], &complete)));
    return complete ? take(mailbox, mail) : HALO_OK;
}
