#include "core/quiescence/mailbox.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

enum { MAIL_TAG = 131 };

typedef struct {
    int to;
    mailbox_head head;
    char data[];
} letter;

struct quiescence_mailbox {
    halo_world *world;
    int rank, ranks;
    size_t max_bytes;
    /* [1 + count]: of the message that is expected, null while none is, and of those being sent. */
    halo_request *requests;
    letter **letters; /* [1 + count], the first one is not used */
    int count, capacity;
    char *coming; /* [head and max_bytes] */
    mailbox_head stop;
    halo_request *stops; /* [ranks] */
    bool stopped;
    int *sending;    /* [ranks] */
    int64_t *sent;   /* [ranks], messages to each since the beginning or the last end */
    int64_t *totals; /* [ranks + MAILBOX_SUMS], scratch of quiescence_mailbox_gather */
    int64_t received, due;
};

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status make_room(quiescence_mailbox *mailbox)
{
    enum { FIRST = 16 };
    if (mailbox->count + 1 < mailbox->capacity) {
        return HALO_OK;
    }
    int capacity = mailbox->capacity > 0 ? 2 * mailbox->capacity : FIRST;
    halo_request *requests =
        realloc(mailbox->requests, (size_t)capacity * sizeof *mailbox->requests);
    mailbox->requests = requests != NULL ? requests : mailbox->requests;
    letter **letters = realloc(mailbox->letters, (size_t)capacity * sizeof(letter *));
    mailbox->letters = letters != NULL ? letters : mailbox->letters;
    if (requests == NULL || letters == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: %d messages under way", capacity);
    }
    mailbox->capacity = capacity;
    return HALO_OK;
}

halo_status quiescence_mailbox_create(quiescence_mailbox **out, halo_world *world, size_t max_bytes)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a mailbox"));
    quiescence_mailbox *mailbox = *out;
    *mailbox = (quiescence_mailbox){
        .world = world, .rank = halo_world_rank(world), .ranks = ranks, .max_bytes = max_bytes};
    HALO_TRY(make_room(mailbox));
    mailbox->requests[0] = HALO_NO_REQUEST;
    HALO_TRY(HALO_ALLOCATE(mailbox->coming, sizeof(mailbox_head) + max_bytes, "a mailbox"));
    HALO_TRY(HALO_ALLOCATE(mailbox->stops, ranks, "a mailbox"));
    HALO_TRY(HALO_ALLOCATE(mailbox->sending, ranks, "a mailbox"));
    HALO_TRY(HALO_ALLOCATE(mailbox->sent, ranks, "a mailbox"));
    return HALO_ALLOCATE(mailbox->totals, ranks + MAILBOX_SUMS, "a mailbox");
}

static void forget_expected(quiescence_mailbox *mailbox)
{
    halo_cancel(mailbox->world, &mailbox->requests[0]);
}

void quiescence_mailbox_destroy(quiescence_mailbox **out)
{
    quiescence_mailbox *mailbox = *out;
    if (mailbox == NULL) {
        return;
    }
    if (mailbox->capacity > 0) {
        forget_expected(mailbox);
    }
    for (int i = 1; i <= mailbox->count; i++) {
        free(mailbox->letters[i]);
    }
    free(mailbox->requests);
    free(mailbox->letters);
    free(mailbox->coming);
    free(mailbox->stops);
    free(mailbox->sending);
    free(mailbox->sent);
    free(mailbox->totals);
    free(mailbox);
    *out = NULL;
}

/* ---- sending --------------------------------------------------------------------------------- */

static halo_status post(quiescence_mailbox *mailbox, letter *l, bool synchronous)
{
    halo_request *request = &mailbox->requests[mailbox->count + 1];
    int bytes = (int)(sizeof l->head + (size_t)l->head.bytes);
    return synchronous ? halo_issend(mailbox->world, &l->head, bytes, l->to, MAIL_TAG, request)
                       : halo_isend(mailbox->world, &l->head, bytes, l->to, MAIL_TAG, request);
}

halo_status quiescence_mailbox_send(quiescence_mailbox *mailbox, int to, const mailbox_head *head,
                                    const void *data, bool synchronous)
{
    size_t bytes = (size_t)head->bytes;
    HALO_TRY(make_room(mailbox));
    letter *l = malloc(sizeof *l + bytes);
    if (l == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a message of %zu bytes", bytes);
    }
    l->to = to;
    l->head = *head;
    l->head.from = mailbox->rank;
    if (bytes > 0) {
        memcpy(l->data, data, bytes);
    }
    halo_status status = post(mailbox, l, synchronous);
    if (status != HALO_OK) {
        free(l);
        return status;
    }
    mailbox->letters[++mailbox->count] = l;
    mailbox->sending[to]++;
    mailbox->sent[to]++;
    return HALO_OK;
}

halo_status quiescence_mailbox_stop(quiescence_mailbox *mailbox)
{
    if (mailbox->stopped) {
        return HALO_OK;
    }
    mailbox->stopped = true;
    mailbox->stop = (mailbox_head){.kind = MAIL_STOP, .from = mailbox->rank};
    for (int to = 0; to < mailbox->ranks; to++) {
        mailbox->stops[to] = HALO_NO_REQUEST;
        if (to != mailbox->rank) {
            mailbox->sent[to]++;
            HALO_TRY(halo_post(mailbox->world, true, &mailbox->stop, (int)sizeof mailbox->stop, to,
                               MAIL_TAG, &mailbox->stops[to]));
        }
    }
    return HALO_OK;
}

int quiescence_mailbox_sending(const quiescence_mailbox *mailbox, int to)
{
    return to < 0 ? mailbox->count : mailbox->sending[to];
}

static void drop_sent(quiescence_mailbox *mailbox, int index)
{
    mailbox->sending[mailbox->letters[index]->to]--;
    free(mailbox->letters[index]);
    mailbox->letters[index] = mailbox->letters[mailbox->count];
    mailbox->requests[index] = mailbox->requests[mailbox->count--];
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* The buffer is the caller's until then. */
static halo_status expect(quiescence_mailbox *mailbox)
{
    if (mailbox->ranks == 1 || halo_request_is_set(mailbox->requests[0])) {
        return HALO_OK;
    }
    return halo_post(mailbox->world, false, mailbox->coming,
                     (int)(sizeof(mailbox_head) + mailbox->max_bytes), HALO_ANY_SOURCE, MAIL_TAG,
                     &mailbox->requests[0]);
}

halo_status quiescence_mailbox_look(quiescence_mailbox *mailbox, bool waits,
                                    const mailbox_head **head, const void **data)
{
    int index = -1, bytes;
    *head = NULL;
    HALO_TRY(expect(mailbox));
    if (mailbox->ranks == 1) {
        return HALO_OK;
    }
    do {
        HALO_TRY(
            waits ? halo_wait_any(mailbox->world, mailbox->count + 1, mailbox->requests, &index,
                                  &bytes)
                  : halo_test_any(mailbox->world, mailbox->count + 1, mailbox->requests, &index));
        if (index > 0) {
            drop_sent(mailbox, index);
        }
        waits = false;
    } while (index > 0);
    if (index == 0) {
        mailbox->received++;
        *head = (const mailbox_head *)(const void *)mailbox->coming;
        *data = mailbox->coming + sizeof **head;
    }
    return HALO_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

halo_status quiescence_mailbox_gather(quiescence_mailbox *mailbox, int64_t *sums, int count)
{
    size_t ranks = (size_t)mailbox->ranks;
    memcpy(mailbox->totals, mailbox->sent, ranks * sizeof *mailbox->sent);
    memcpy(mailbox->totals + ranks, sums, (size_t)count * sizeof *sums);
    HALO_TRY(halo_allreduce_sum(mailbox->world, mailbox->totals, mailbox->ranks + count));
    mailbox->due = mailbox->totals[mailbox->rank];
    memcpy(sums, mailbox->totals + ranks, (size_t)count * sizeof *sums);
    return HALO_OK;
}

bool quiescence_mailbox_comes(const quiescence_mailbox *mailbox)
{
    return mailbox->received < mailbox->due;
}

halo_status quiescence_mailbox_end(quiescence_mailbox *mailbox)
{
    forget_expected(mailbox); /* or it would take messages of those who begin anew */
    HALO_TRY(halo_wait(mailbox->world, mailbox->count, mailbox->requests + 1));
    while (mailbox->count > 0) {
        drop_sent(mailbox, mailbox->count);
    }
    if (mailbox->stopped) {
        HALO_TRY(halo_wait(mailbox->world, mailbox->ranks, mailbox->stops));
    }
    mailbox->stopped = false;
    mailbox->received = mailbox->due = 0;
    memset(mailbox->sent, 0, (size_t)mailbox->ranks * sizeof *mailbox->sent);
    return HALO_OK;
}
