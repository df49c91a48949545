#include "core/mailbox/mailbox_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status create_receiving(halo_mailbox *mailbox)
{
    const halo_mailbox_options *options = &mailbox->options;
    const char *what = options->what;
    if (options->receive_buffers == 0) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(mailbox->arriving,
                                 (size_t)options->receive_buffers * mailbox->stride, "%s", what));
    return options->pieces_tag != 0 ? HALO_ALLOCATE(mailbox->discarded, HALO_MAIL_PIECE, "%s", what)
                                    : HALO_OK;
}

static halo_status create_sending(halo_mailbox *mailbox)
{
    const char *what = mailbox->options.what;
    int slots = mailbox->options.slots;
    HALO_TRY(halo_mailbox_make_room(mailbox));
    HALO_TRY(HALO_ALLOCATE(mailbox->sending, mailbox->ranks, "%s", what));
    HALO_TRY(HALO_ALLOCATE(mailbox->slot_requests, slots, "%s", what));
    for (int slot = 0; slot < slots; slot++) {
        mailbox->slot_requests[slot] = HALO_NO_REQUEST;
    }
    return slots > 0 ? HALO_ALLOCATE_LARGE(mailbox->slots, (size_t)slots * mailbox->slot_stride,
                                           "%s", what)
                     : HALO_OK;
}

static size_t aligned(size_t bytes)
{
    enum { ALIGNMENT = 16 };
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

halo_status halo_mailbox_create(halo_mailbox **out, halo_world *world,
                                const halo_mailbox_options *options)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "%s", options->what));
    halo_mailbox *mailbox = *out;
    *mailbox = (halo_mailbox){
        .world = world, .options = *options, .rank = halo_world_rank(world), .ranks = ranks};
    mailbox->stride = aligned(halo_mail_bytes(mailbox, options->data_bytes));
    mailbox->slot_stride = aligned(halo_mail_bytes(mailbox, options->slot_bytes));
    HALO_TRY(create_sending(mailbox));
    HALO_TRY(create_receiving(mailbox));
    HALO_TRY(HALO_ALLOCATE(mailbox->sent, ranks, "%s", options->what));
    return HALO_ALLOCATE(mailbox->totals, ranks + HALO_MAILBOX_SUMS, "%s", options->what);
}

/* Otherwise the receive would take a message of those who begin anew. */
static void stop_receiving(halo_mailbox *mailbox)
{
    if (mailbox->requests != NULL) {
        halo_cancel(mailbox->world, &mailbox->requests[0]);
    }
}

void halo_mailbox_destroy(halo_mailbox **out)
{
    halo_mailbox *mailbox = *out;
    if (mailbox == NULL) {
        return;
    }
    stop_receiving(mailbox);
    for (int i = 1; i <= mailbox->count; i++) {
        halo_outgoing_free(mailbox->outgoing[i]);
    }
    halo_buffer_free(&mailbox->data);
    halo_memory_free(mailbox->arriving);
    halo_memory_free(mailbox->slots);
    free(mailbox->requests);
    free(mailbox->outgoing);
    free(mailbox->sending);
    free(mailbox->slot_requests);
    free(mailbox->discarded);
    free(mailbox->sent);
    free(mailbox->totals);
    free(mailbox);
    *out = NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

halo_status halo_mailbox_gather(halo_mailbox *mailbox, int64_t *sums, int count)
{
    size_t ranks = (size_t)mailbox->ranks;
    memcpy(mailbox->totals, mailbox->sent, ranks * sizeof *mailbox->sent);
    memcpy(mailbox->totals + ranks, sums, (size_t)count * sizeof *sums);
    HALO_TRY(halo_allreduce_sum(mailbox->world, mailbox->totals, mailbox->ranks + count));
    mailbox->due = mailbox->totals[mailbox->rank];
    memcpy(sums, mailbox->totals + ranks, (size_t)count * sizeof *sums);
    return HALO_OK;
}

bool halo_mailbox_comes(const halo_mailbox *mailbox)
{
    return mailbox->received < mailbox->due && !mailbox->broken;
}

bool halo_mailbox_is_broken(const halo_mailbox *mailbox)
{
    return mailbox->broken;
}

halo_status halo_mailbox_end(halo_mailbox *mailbox)
{
    stop_receiving(mailbox);
    while (mailbox->count > 0) {
        HALO_TRY(halo_wait(mailbox->world, 1, &mailbox->requests[mailbox->count]));
        halo_mailbox_advance(mailbox, mailbox->count);
    }
    HALO_TRY(halo_wait(mailbox->world, mailbox->options.slots, mailbox->slot_requests));
    mailbox->received = mailbox->due = 0;
    memset(mailbox->sent, 0, (size_t)mailbox->ranks * sizeof *mailbox->sent);
    return HALO_OK;
}

void halo_mailbox_count(const halo_mailbox *mailbox, int64_t *messages, int64_t *bytes)
{
    *messages = mailbox->messages;
    *bytes = mailbox->bytes;
}
