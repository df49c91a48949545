#include "core/tasks/mail.h"

#include "core/world/collect.h"

#include <stdlib.h>

enum { HEAD_TAG = 121, BODY_TAG };

/* A message that is being sent. */
typedef struct letter {
    struct letter *next;
    task_head head;
    halo_buffer body;
    int count;
    MPI_Request requests[]; /* [count] */
} letter;

struct task_mail {
    halo_world *world;
    task_head head; /* the next one to come */
    MPI_Request expected;
    halo_buffer body;
    letter *sending;
    int64_t *sent; /* [ranks], heads to each */
    int64_t received;
    int64_t messages, bytes;
};

static halo_status expect(task_mail *mail)
{
    return halo_post(mail->world, false, &mail->head, (int)sizeof mail->head, MPI_ANY_SOURCE,
                     HEAD_TAG, &mail->expected);
}

halo_status task_mail_create(task_mail **out, halo_world *world)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "messages about tasks"));
    task_mail *mail = *out;
    mail->world = world;
    mail->expected = MPI_REQUEST_NULL;
    return HALO_ALLOCATE(mail->sent, halo_world_ranks(world), "messages about tasks");
}

halo_status task_mail_begin(task_mail *mail)
{
    return expect(mail);
}

static void forget_expected(task_mail *mail)
{
    if (mail->expected != MPI_REQUEST_NULL) {
        MPI_Cancel(&mail->expected);
        MPI_Request_free(&mail->expected);
    }
}

static void free_letter(letter *l)
{
    halo_buffer_free(&l->body);
    free(l);
}

void task_mail_destroy(task_mail **out)
{
    task_mail *mail = *out;
    if (mail == NULL) {
        return;
    }
    forget_expected(mail);
    while (mail->sending != NULL) {
        letter *next = mail->sending->next;
        free_letter(mail->sending);
        mail->sending = next;
    }
    halo_buffer_free(&mail->body);
    free(mail->sent);
    free(mail);
    *out = NULL;
}

/* ---- sending --------------------------------------------------------------------------------- */

static halo_status write_letter(task_mail *mail, const task_head *head, halo_buffer *body,
                                letter **out)
{
    int count = 1;
    HALO_TRY(halo_post_pieces(mail->world, true, NULL, body->size, 0, BODY_TAG, NULL, &count));
    letter *l = halo_memory_zeroed(1, sizeof(letter) + (size_t)count * sizeof(MPI_Request),
                                   "a message about tasks");
    if (l == NULL) {
        return HALO_MEMORY;
    }
    l->head = *head;
    l->head.from = halo_world_rank(mail->world);
    l->head.bytes = (int64_t)body->size;
    l->body = *body;
    *body = (halo_buffer){0};
    *out = l;
    return HALO_OK;
}

/* Frees what has arrived. */
static halo_status reap(task_mail *mail, bool waits)
{
    letter **at = &mail->sending;
    while (*at != NULL) {
        letter *l = *at;
        int complete = 1;
        for (int i = 0; complete && !waits && i < l->count; i++) {
            HALO_TRY(halo_test(mail->world, &l->requests[i], &complete));
        }
        if (waits) {
            HALO_TRY(halo_wait(mail->world, l->count, l->requests));
        }
        if (complete) {
            *at = l->next;
            free_letter(l);
        } else {
            at = &l->next;
        }
    }
    return HALO_OK;
}

halo_status task_mail_progress(task_mail *mail)
{
    return reap(mail, false);
}

halo_status task_mail_send(task_mail *mail, int to, const task_head *head, halo_buffer *body)
{
    halo_buffer none = {0};
    letter *l;
    HALO_TRY(reap(mail, false));
    HALO_TRY(write_letter(mail, head, body != NULL ? body : &none, &l));
    l->next = mail->sending;
    mail->sending = l;
    mail->sent[to]++;
    mail->messages++;
    mail->bytes += (int64_t)(sizeof l->head + l->body.size);
    HALO_TRY(halo_post(mail->world, true, &l->head, (int)sizeof l->head, to, HEAD_TAG,
                       &l->requests[l->count++]));
    return halo_post_pieces(mail->world, true, (char *)l->body.data, l->body.size, to, BODY_TAG,
                            l->requests, &l->count);
}

/* ---- receiving ------------------------------------------------------------------------------- */

static halo_status receive_body(task_mail *mail, const task_head *head)
{
    size_t bytes = (size_t)head->bytes;
    int count = 0;
    MPI_Request *requests;
    mail->body.size = 0;
    if (bytes == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_buffer_reserve(&mail->body, bytes));
    mail->body.size = bytes;
    HALO_TRY(halo_post_pieces(mail->world, false, NULL, bytes, head->from, BODY_TAG, NULL, &count));
    HALO_TRY(HALO_ALLOCATE(requests, count, "a message about tasks"));
    count = 0;
    halo_status status = halo_post_pieces(mail->world, false, (char *)mail->body.data, bytes,
                                          head->from, BODY_TAG, requests, &count);
    if (status == HALO_OK) {
        status = halo_wait(mail->world, count, requests);
    }
    free(requests);
    return status;
}

halo_status task_mail_receive(task_mail *mail, bool waits, bool *there, task_head *head,
                              const halo_buffer **body)
{
    int complete = 1;
    *there = false;
    HALO_TRY(reap(mail, false));
    HALO_TRY(waits ? halo_wait(mail->world, 1, &mail->expected)
                   : halo_test(mail->world, &mail->expected, &complete));
    if (!complete) {
        return HALO_OK;
    }
    *there = true;
    *head = mail->head;
    *body = &mail->body;
    mail->received++;
    HALO_TRY(receive_body(mail, head));
    return expect(mail);
}

/* All ranks learn how many messages each was sent. */
halo_status task_mail_drain(task_mail *mail)
{
    bool there;
    task_head head;
    const halo_buffer *body;
    int64_t *all;
    int ranks = halo_world_ranks(mail->world);
    HALO_TRY(halo_agree(mail->world, HALO_ALLOCATE(all, ranks, "messages about tasks")));
    for (int i = 0; i < ranks; i++) {
        all[i] = mail->sent[i];
    }
    halo_status status = halo_allreduce_sum(mail->world, all, ranks);
    int64_t coming = all[halo_world_rank(mail->world)];
    free(all);
    while (status == HALO_OK && mail->received < coming) {
        status = task_mail_receive(mail, true, &there, &head, &body);
    }
    HALO_TRY(status);
    forget_expected(mail); /* or it would take messages of those who begin anew */
    return reap(mail, true);
}

void task_mail_count(const task_mail *mail, int64_t *messages, int64_t *bytes)
{
    *messages = mail->messages;
    *bytes = mail->bytes;
}
