#include "core/mailbox/mailbox_internal.h"

#include <stdlib.h>
#include <string.h>

halo_status halo_mailbox_make_room(halo_mailbox *mailbox)
{
    enum { FIRST = 16 };
    if (mailbox->count + 1 < mailbox->capacity) {
        return HALO_OK;
    }
    int capacity = mailbox->capacity > 0 ? 2 * mailbox->capacity : FIRST;
    halo_request *requests =
        realloc(mailbox->requests, (size_t)capacity * sizeof *mailbox->requests);
    mailbox->requests = requests != NULL ? requests : mailbox->requests;
    if (mailbox->capacity == 0 && requests != NULL) {
        requests[0] = HALO_NO_REQUEST;
    }
    halo_outgoing **outgoing =
        realloc(mailbox->outgoing, (size_t)capacity * sizeof(halo_outgoing *));
    mailbox->outgoing = outgoing != NULL ? outgoing : mailbox->outgoing;
    if (requests == NULL || outgoing == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: %d messages under way", capacity);
    }
    mailbox->capacity = capacity;
    return HALO_OK;
}

void halo_outgoing_free(halo_outgoing *outgoing)
{
    halo_buffer_free(&outgoing->data);
    free(outgoing);
}

void halo_mailbox_advance(halo_mailbox *mailbox, int index)
{
    halo_outgoing *outgoing = mailbox->outgoing[index];
    if (outgoing->rest_done < outgoing->rest_count) {
        mailbox->requests[index] = outgoing->rest[outgoing->rest_done++];
        return;
    }
    mailbox->sending[outgoing->to]--;
    halo_outgoing_free(outgoing);
    mailbox->outgoing[index] = mailbox->outgoing[mailbox->count];
    mailbox->requests[index] = mailbox->requests[mailbox->count--];
}

halo_status halo_mailbox_progress(halo_mailbox *mailbox)
{
    int index = 0;
    while (index >= 0 && mailbox->count > 0) {
        HALO_TRY(halo_test_any(mailbox->world, mailbox->count, mailbox->requests + 1, &index));
        if (index >= 0) {
            halo_mailbox_advance(mailbox, index + 1);
        }
    }
    return HALO_OK;
}

int halo_mailbox_sending(const halo_mailbox *mailbox, int to)
{
    return to < 0 ? mailbox->count : mailbox->sending[to];
}

/* ---- messages -------------------------------------------------------------------------------- */

/* A message of a head with `with` bytes of data, and `pieces` pieces behind them. */
static halo_status create_outgoing(halo_mailbox *mailbox, int to, size_t with, int pieces,
                                   halo_outgoing **out)
{
    size_t before = sizeof **out + (size_t)pieces * sizeof(halo_request);
    size_t bytes = before + halo_mail_bytes(mailbox, with);
    HALO_TRY(halo_mailbox_make_room(mailbox));
    *out = malloc(bytes);
    if (*out == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a message of %zu bytes, one of %s", bytes,
                         mailbox->options.what);
    }
    **out = (halo_outgoing){.to = to, .head = (char *)*out + before};
    return HALO_OK;
}

static void write_head(const halo_mailbox *mailbox, const void *head, size_t bytes, char *out)
{
    halo_mail_head *first = (halo_mail_head *)(void *)out; /* aligned as a pointer is */
    memcpy(out, head, mailbox->options.head_bytes);
    first->from = mailbox->rank;
    first->bytes = (int64_t)bytes;
}

static size_t data_bytes(const void *head)
{
    return (size_t)((const halo_mail_head *)head)->bytes;
}

static void count_message(halo_mailbox *mailbox, int to, size_t data)
{
    mailbox->sent[to]++;
    mailbox->messages++;
    mailbox->bytes += (int64_t)halo_mail_bytes(mailbox, data);
}

/* Posts the head, with `with` bytes of data. The message is the mailbox's, unless that fails. */
static halo_status post_head(halo_mailbox *mailbox, halo_outgoing *outgoing, size_t with,
                             bool until_received)
{
    halo_request *request = &mailbox->requests[mailbox->count + 1];
    int bytes = (int)halo_mail_bytes(mailbox, with), tag = mailbox->options.tag;
    halo_status status =
        until_received
            ? halo_issend(mailbox->world, outgoing->head, bytes, outgoing->to, tag, request)
            : halo_isend(mailbox->world, outgoing->head, bytes, outgoing->to, tag, request);
    if (status != HALO_OK) {
        halo_outgoing_free(outgoing);
        return status;
    }
    mailbox->outgoing[++mailbox->count] = outgoing;
    mailbox->sending[outgoing->to]++;
    return HALO_OK;
}

halo_status halo_mailbox_send(halo_mailbox *mailbox, int to, const void *head, const void *data,
                              bool until_received)
{
    halo_outgoing *outgoing;
    size_t bytes = data_bytes(head);
    HALO_TRY(create_outgoing(mailbox, to, bytes, 0, &outgoing));
    write_head(mailbox, head, bytes, outgoing->head);
    if (bytes > 0) {
        memcpy(outgoing->head + mailbox->options.head_bytes, data, bytes);
    }
    HALO_TRY(post_head(mailbox, outgoing, bytes, until_received));
    count_message(mailbox, to, bytes);
    return HALO_OK;
}

halo_status halo_mailbox_send_buffer(halo_mailbox *mailbox, int to, const void *head,
                                     halo_buffer *data)
{
    halo_outgoing *outgoing;
    size_t bytes = data != NULL ? data->size : 0;
    size_t with = bytes <= mailbox->options.data_bytes ? bytes : 0;
    int pieces = halo_mail_piece_count(bytes - with);
    HALO_TRY(halo_mailbox_progress(mailbox));
    HALO_TRY(create_outgoing(mailbox, to, with, pieces, &outgoing));
    write_head(mailbox, head, bytes, outgoing->head);
    if (data != NULL) {
        outgoing->data = *data;
        *data = (halo_buffer){0};
    }
    if (with > 0) {
        memcpy(outgoing->head + mailbox->options.head_bytes, outgoing->data.data, with);
    }
    HALO_TRY(post_head(mailbox, outgoing, with, false));
    count_message(mailbox, to, bytes);
    for (int i = 0; i < pieces; i++) {
        unsigned char *piece = outgoing->data.data + (size_t)i * HALO_MAIL_PIECE;
        HALO_TRY(halo_isend(mailbox->world, piece, halo_mail_piece_bytes(bytes, i), to,
                            mailbox->options.pieces_tag, &outgoing->rest[i]));
        outgoing->rest_count++;
    }
    return HALO_OK;
}

halo_status halo_mailbox_send_reserved(halo_mailbox *mailbox, int slot, int to, const void *head,
                                       const void *data)
{
    char *message = mailbox->slots + (size_t)slot * mailbox->slot_stride;
    size_t bytes = data_bytes(head);
    HALO_TRY(halo_wait(mailbox->world, 1, &mailbox->slot_requests[slot]));
    write_head(mailbox, head, bytes, message);
    if (bytes > 0) {
        memcpy(message + mailbox->options.head_bytes, data, bytes);
    }
    count_message(mailbox, to, bytes);
    return halo_isend(mailbox->world, message, (int)halo_mail_bytes(mailbox, bytes), to,
                      mailbox->options.tag, &mailbox->slot_requests[slot]);
}
