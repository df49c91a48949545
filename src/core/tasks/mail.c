#include "core/tasks/mail.h"

#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_TAG = 121, BODY_TAG };

/* Bodies travel in pieces, so that a rank without memory for one can take it off the way all the
 * same, a piece at a time; of a body that there is memory for so many are under way at a time. */
enum { PIECE = 1 << 20, WINDOW = 16 };

/* Messages without a body that must not fail for want of memory. */
static const int notices[] = {TASK_STOP, TASK_REPLY, TASK_ENDED};
enum { NOTICES = sizeof notices / sizeof *notices };

/* A message that is being sent. */
typedef struct letter {
    struct letter *next;
    task_head head;
    halo_buffer body;
    bool kept; /* not freed when it has arrived */
    int count;
    halo_request *requests; /* [count] */
    halo_request first[1];  /* of the head; those of the body follow */
} letter;

struct task_mail {
    halo_world *world;
    task_head head; /* the next one to come */
    halo_request expected;
    halo_buffer body;
    char *spare; /* [PIECE], for bodies that there is no memory for; touched by nothing else */
    letter *sending;
    letter *notices; /* [ranks * NOTICES], one of each kind to each rank, made beforehand */
    int64_t *sent;   /* [ranks], heads to each */
    int64_t *totals; /* [ranks + 1], scratch of task_mail_gather */
    int64_t received, coming;
    bool broken; /* messages fail: none will be received any more */
    int64_t messages, bytes;
};

static halo_status expect(task_mail *mail)
{
    return halo_post(mail->world, false, &mail->head, (int)sizeof mail->head, HALO_ANY_SOURCE,
                     HEAD_TAG, &mail->expected);
}

halo_status task_mail_create(task_mail **out, halo_world *world)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "messages about tasks"));
    task_mail *mail = *out;
    mail->world = world;
    mail->expected = HALO_NO_REQUEST;
    HALO_TRY(HALO_ALLOCATE(mail->sent, ranks, "messages about tasks"));
    HALO_TRY(HALO_ALLOCATE(mail->totals, ranks + 1, "messages about tasks"));
    HALO_TRY(HALO_ALLOCATE(mail->notices, ranks * NOTICES, "messages about tasks"));
    return HALO_ALLOCATE(mail->spare, PIECE, "messages about tasks");
}

halo_status task_mail_begin(task_mail *mail)
{
    return expect(mail);
}

static void forget_expected(task_mail *mail)
{
    halo_cancel(mail->world, &mail->expected);
}

static void free_letter(letter *l)
{
    halo_buffer_free(&l->body);
    if (!l->kept) {
        free(l);
    }
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
    free(mail->spare);
    free(mail->notices);
    free(mail->totals);
    free(mail->sent);
    free(mail);
    *out = NULL;
}

/* ---- pieces of a body ------------------------------------------------------------------------ */

static size_t piece_count(size_t bytes)
{
    return (bytes + PIECE - 1) / PIECE;
}

static int piece_bytes(size_t bytes, size_t piece)
{
    size_t rest = bytes - piece * PIECE;
    return (int)(rest < PIECE ? rest : PIECE);
}

/* ---- sending --------------------------------------------------------------------------------- */

static halo_status write_letter(const halo_buffer *body, letter **out)
{
    *out = halo_memory_zeroed(1, sizeof(letter) + piece_count(body->size) * sizeof(halo_request),
                              "a message about tasks");
    return *out != NULL ? HALO_OK : HALO_MEMORY;
}

/* Frees what has arrived. */
static halo_status reap(task_mail *mail, bool waits)
{
    letter **at = &mail->sending;
    while (*at != NULL) {
        letter *l = *at;
        bool complete = true;
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

static halo_status post_letter(task_mail *mail, letter *l, int to, const task_head *head)
{
    l->requests = l->first;
    l->head = *head;
    l->head.from = halo_world_rank(mail->world);
    l->head.bytes = (int64_t)l->body.size;
    l->next = mail->sending;
    mail->sending = l;
    mail->sent[to]++;
    mail->messages++;
    mail->bytes += (int64_t)(sizeof l->head + l->body.size);
    HALO_TRY(halo_post(mail->world, true, &l->head, (int)sizeof l->head, to, HEAD_TAG,
                       &l->requests[l->count++]));
    for (size_t i = 0; i < piece_count(l->body.size); i++) {
        HALO_TRY(halo_post(mail->world, true, l->body.data + i * PIECE,
                           piece_bytes(l->body.size, i), to, BODY_TAG, &l->requests[l->count++]));
    }
    return HALO_OK;
}

halo_status task_mail_send(task_mail *mail, int to, const task_head *head, halo_buffer *body)
{
    halo_buffer none = {0};
    letter *l;
    body = body != NULL ? body : &none;
    HALO_TRY(reap(mail, false));
    HALO_TRY(write_letter(body, &l));
    l->body = *body;
    *body = (halo_buffer){0};
    return post_letter(mail, l, to, head);
}

/* The letter has arrived: who got it has sent something since. */
static halo_status take_back(task_mail *mail, letter *l)
{
    letter **at = &mail->sending;
    while (*at != NULL && *at != l) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_wait(mail->world, l->count, l->requests));
    *at = l->next;
    return HALO_OK;
}

halo_status task_mail_notify(task_mail *mail, int to, const task_head *head)
{
    int kind = 0;
    while (kind < NOTICES - 1 && (head->kinds & notices[kind]) == 0) {
        kind++;
    }
    letter *l = &mail->notices[to * NOTICES + kind];
    HALO_TRY(take_back(mail, l));
    *l = (letter){.kept = true};
    return post_letter(mail, l, to, head);
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* What the world's messages return. */
static halo_status carried(task_mail *mail, halo_status status)
{
    mail->broken = mail->broken || status != HALO_OK;
    return status;
}

static halo_status receive_pieces(task_mail *mail, int from, size_t bytes)
{
    halo_request requests[WINDOW];
    size_t pieces = piece_count(bytes);
    for (size_t done = 0; done < pieces;) {
        int count = 0;
        for (; count < WINDOW && done < pieces; done++, count++) {
            HALO_TRY(halo_post(mail->world, false, mail->body.data + done * PIECE,
                               piece_bytes(bytes, done), from, BODY_TAG, &requests[count]));
        }
        HALO_TRY(halo_wait(mail->world, count, requests));
    }
    return HALO_OK;
}

/* Who sends it would wait for ever, and this rank with it. */
static halo_status throw_away(task_mail *mail, int from, size_t bytes)
{
    for (size_t i = 0; i < piece_count(bytes); i++) {
        halo_request request;
        HALO_TRY(halo_post(mail->world, false, mail->spare, piece_bytes(bytes, i), from, BODY_TAG,
                           &request));
        HALO_TRY(halo_wait(mail->world, 1, &request));
    }
    return HALO_OK;
}

static halo_status receive_body(task_mail *mail, const task_head *head)
{
    size_t bytes = (size_t)head->bytes;
    mail->body.size = 0;
    if (bytes == 0) {
        return HALO_OK;
    }
    halo_status status = halo_buffer_reserve(&mail->body, bytes);
    if (status != HALO_OK) {
        return halo_status_first(status, carried(mail, throw_away(mail, head->from, bytes)));
    }
    mail->body.size = bytes;
    return carried(mail, receive_pieces(mail, head->from, bytes));
}

halo_status task_mail_receive(task_mail *mail, double seconds, bool *there, task_head *head,
                              const halo_buffer **body)
{
    bool complete = true;
    *there = false;
    HALO_TRY(carried(mail, reap(mail, false)));
    HALO_TRY(carried(mail, seconds > 0
                               ? halo_wait_for(mail->world, &mail->expected, seconds, &complete)
                               : halo_test(mail->world, &mail->expected, &complete)));
    if (!complete) {
        return HALO_OK;
    }
    *head = mail->head;
    *body = &mail->body;
    mail->received++;
    halo_status status = receive_body(mail, head);
    *there = status == HALO_OK;
    return halo_status_first(status, carried(mail, expect(mail)));
}

/* ---- the end --------------------------------------------------------------------------------- */

halo_status task_mail_gather(task_mail *mail, int64_t *sum)
{
    int ranks = halo_world_ranks(mail->world);
    memcpy(mail->totals, mail->sent, sizeof *mail->sent * (size_t)ranks);
    mail->totals[ranks] = *sum;
    HALO_TRY(halo_allreduce_sum(mail->world, mail->totals, ranks + 1));
    mail->coming = mail->totals[halo_world_rank(mail->world)];
    *sum = mail->totals[ranks];
    return HALO_OK;
}

bool task_mail_comes(const task_mail *mail)
{
    return mail->received < mail->coming && !mail->broken;
}

bool task_mail_is_broken(const task_mail *mail)
{
    return mail->broken;
}

halo_status task_mail_end(task_mail *mail)
{
    forget_expected(mail); /* or it would take messages of those who begin anew */
    return reap(mail, true);
}

void task_mail_count(const task_mail *mail, int64_t *messages, int64_t *bytes)
{
    *messages = mail->messages;
    *bytes = mail->bytes;
}
