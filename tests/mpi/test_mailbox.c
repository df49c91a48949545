/* Mailboxes: messages of all sizes, with data in one message or behind the head, reach every rank
 * in order, while none receives before all have sent; memory is reserved, or lacks; late messages
 * belong to the run that they were sent in. */

#include "core/mailbox/mailbox.h"
#include "core/world/collect.h"
#include "support/failing_memory.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 700, PIECES_TAG, WITH = 1000, MIB = 1 << 20 };

typedef struct {
    halo_mail_head mail;
    int64_t run, number; /* of the message to the same rank, from 0 */
} head;

static halo_status create(halo_mailbox **out, int receive_buffers)
{
    const halo_mailbox_options options = {.what = "messages of a test",
                                          .tag = TAG,
                                          .pieces_tag = PIECES_TAG,
                                          .head_bytes = sizeof(head),
                                          .data_bytes = WITH,
                                          .receive_buffers = receive_buffers,
                                          .slots = 2 * all_ranks(),
                                          .slot_bytes = 100};
    return halo_mailbox_create(out, mpi_check_world(), &options);
}

/* ---- what messages have in them -------------------------------------------------------------- */

/* The first byte of a message; the others count on from it, in steps. */
static uint32_t first_byte(int from, int to, int64_t number)
{
    return 7 * (uint32_t)from + 31 * (uint32_t)to + 113 * (uint32_t)number;
}

enum { STEP = 59 };

static halo_status fill(halo_buffer *data, int to, int64_t number, size_t bytes)
{
    uint32_t first = first_byte(my_rank(), to, number);
    HALO_TRY(halo_buffer_reserve(data, bytes));
    for (size_t i = 0; i < bytes; i++) {
        data->data[i] = (unsigned char)(first + STEP * (uint32_t)i);
    }
    data->size = bytes;
    return HALO_OK;
}

static bool is_filled(const halo_mail *mail)
{
    const head *h = mail->head;
    const unsigned char *bytes = mail->data;
    uint32_t first = first_byte(h->mail.from, my_rank(), h->number), wrong = 0;
    for (size_t i = 0; i < (size_t)h->mail.bytes; i++) {
        wrong |= bytes[i] ^ (unsigned char)(first + STEP * (uint32_t)i);
    }
    return wrong == 0;
}

/* ---- ways to send ---------------------------------------------------------------------------- */

typedef enum { COPIED, SYNCHRONOUS, TAKEN, RESERVED } way;

typedef struct {
    way way;
    size_t bytes;
} parcel;

static const parcel parcels[] = {
    {COPIED, 0},         {RESERVED, 100},       {COPIED, 1},      {TAKEN, 0},
    {TAKEN, WITH},       {TAKEN, WITH + 1},     {RESERVED, 0},    {COPIED, WITH},
    {TAKEN, MIB - 1},    {TAKEN, MIB},          {COPIED, 3},      {TAKEN, MIB + 1},
    {SYNCHRONOUS, WITH}, {TAKEN, 17 * MIB + 5}, {SYNCHRONOUS, 0}, {COPIED, 17}};
enum { PARCELS = sizeof parcels / sizeof *parcels };

/* Large messages are in the first run of a few ranks: all of a rank are under way at a time. */
static int parcel_count(int64_t run)
{
    return run == 0 && all_ranks() <= 3 ? PARCELS : 8;
}

static halo_status send_one(halo_mailbox *mailbox, int to, int64_t run, int number)
{
    halo_buffer data = {0};
    const parcel *p = &parcels[number];
    const head h = {
        .mail = {.kind = (int)p->way, .bytes = (int64_t)p->bytes}, .run = run, .number = number};
    halo_status status = fill(&data, to, number, p->bytes);
    if (status == HALO_OK && p->way == TAKEN) {
        status = halo_mailbox_send_buffer(mailbox, to, &h, p->bytes > 0 ? &data : NULL);
        expect(status != HALO_OK || data.size == 0, "a buffer of %zu bytes is left", data.size);
    } else if (status == HALO_OK && p->way == RESERVED) {
        /* Two slots a rank: no slot is used twice before its first message may be received. */
        status = halo_mailbox_send_reserved(mailbox, 2 * to + (number > 1), to, &h, data.data);
    } else if (status == HALO_OK) {
        status = halo_mailbox_send(mailbox, to, &h, data.data, p->way == SYNCHRONOUS);
    }
    halo_buffer_free(&data);
    return status;
}

/* To every other rank, one after the other. */
static halo_status send_all(halo_mailbox *mailbox, int64_t run, int64_t *bytes)
{
    *bytes = 0;
    for (int number = 0; number < parcel_count(run); number++) {
        for (int i = 1; i < all_ranks(); i++) {
            HALO_TRY(send_one(mailbox, (my_rank() + i) % all_ranks(), run, number));
            *bytes += (int64_t)(sizeof(head) + parcels[number].bytes);
        }
    }
    return HALO_OK;
}

/* ---- ways to receive ------------------------------------------------------------------------- */

typedef halo_status receive_way(halo_mailbox *mailbox, halo_mail *mail);

static halo_status wait_for_one(halo_mailbox *mailbox, halo_mail *mail)
{
    return halo_mailbox_receive(mailbox, HUGE_VAL, mail);
}

static halo_status look(halo_mailbox *mailbox, halo_mail *mail)
{
    return halo_mailbox_receive(mailbox, 0, mail);
}

static receive_way *const receive_ways[] = {wait_for_one, look, halo_mailbox_receive_or_sent};
enum { RECEIVE_WAYS = sizeof receive_ways / sizeof *receive_ways };

/* Checks a message: next[from] is the number of the next one from there. */
static void check(const halo_mail *mail, int64_t run, int64_t *next)
{
    const head *h = mail->head;
    expect(h->run == run, "a message of run %" PRId64 " in run %" PRId64, h->run, run);
    int64_t number = next[h->mail.from]++;
    expect(h->number == number, "message %" PRId64 " of rank %d comes as number %" PRId64,
           h->number, h->mail.from, number);
    if (h->number >= 0 && h->number < PARCELS) {
        const parcel *p = &parcels[h->number];
        expect(h->mail.kind == (int)p->way && h->mail.bytes == (int64_t)p->bytes,
               "message %" PRId64 " has %" PRId64 " bytes, not %zu", h->number, h->mail.bytes,
               p->bytes);
    }
    expect(mail->data != NULL && is_filled(mail), "message %" PRId64 " of rank %d is damaged",
           h->number, h->mail.from);
}

/* Collective. All send before any receives, and what is late is received at the end. */
static halo_status run_once(halo_mailbox *mailbox, int64_t run, receive_way *receive, int64_t *next,
                            int64_t *bytes)
{
    int64_t sums[] = {1, my_rank()};
    memset(next, 0, (size_t)all_ranks() * sizeof *next);
    HALO_TRY(send_all(mailbox, run, bytes));
    HALO_TRY(halo_mailbox_gather(mailbox, sums, 2));
    expect(sums[0] == all_ranks() && sums[1] == all_ranks() * (all_ranks() - 1) / 2,
           "sums are %" PRId64 " and %" PRId64, sums[0], sums[1]);
    while (halo_mailbox_comes(mailbox)) {
        halo_mail mail;
        HALO_TRY(receive(mailbox, &mail));
        if (mail.head != NULL) {
            check(&mail, run, next);
        }
    }
    return halo_agree(mpi_check_world(), halo_mailbox_end(mailbox));
}

static void check_run(halo_mailbox *mailbox, int64_t run, receive_way *receive, int64_t *next)
{
    int64_t messages, sent, before, bytes_before, bytes = 0;
    halo_mailbox_count(mailbox, &before, &bytes_before);
    expect_ok(run_once(mailbox, run, receive, next, &bytes));
    halo_mailbox_count(mailbox, &messages, &sent);
    expect(messages - before == parcel_count(run) * (all_ranks() - 1),
           "%" PRId64 " messages are counted", messages - before);
    expect(sent - bytes_before == bytes, "%" PRId64 " bytes are counted, not %" PRId64,
           sent - bytes_before, bytes);
    expect(halo_mailbox_sending(mailbox, -1) == 0, "messages are sent after the end");
    for (int from = 0; from < all_ranks(); from++) {
        expect(next[from] == (from != my_rank() ? parcel_count(run) : 0),
               "%" PRId64 " messages of rank %d", next[from], from);
    }
}

/* Each mailbox has two runs, one behind the other, and the next mailbox has the same tags: nothing
 * that one expected takes a message from another. */
static void test_all(void)
{
    int64_t *next = calloc((size_t)all_ranks(), sizeof *next);
    for (int buffers = 1; buffers <= 2; buffers++) {
        for (int i = 0; i < RECEIVE_WAYS; i++) {
            halo_mailbox *mailbox;
            expect_ok(create(&mailbox, buffers));
            check_run(mailbox, 2 * i, receive_ways[i], next);
            check_run(mailbox, 2 * i + 1, receive_ways[i], next);
            halo_mailbox_destroy(&mailbox);
            expect(mailbox == NULL, "a mailbox is left");
        }
    }
    free(next);
    EXPECT_AGREED();
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int right(void)
{
    return (my_rank() + 1) % all_ranks();
}

/* A message whose receive nobody has begun is still being sent; one that has come is not. */
static void test_until_received(void)
{
    halo_mailbox *mailbox;
    halo_mail mail = {NULL, NULL};
    const head h = {.mail.kind = SYNCHRONOUS};
    if (all_ranks() == 1) {
        return;
    }
    expect_ok(create(&mailbox, 1));
    expect_ok(halo_mailbox_send(mailbox, right(), &h, NULL, true));
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
    expect_ok(halo_mailbox_progress(mailbox));
    expect(halo_mailbox_sending(mailbox, right()) == 1, "nobody has received it");
    expect(halo_mailbox_sending(mailbox, -1) == 1, "nobody has received any");
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
    expect_ok(halo_mailbox_receive(mailbox, HUGE_VAL, &mail));
    expect(mail.head != NULL, "no message");
    while (halo_mailbox_sending(mailbox, right()) > 0) { /* ends when the other has received it */
        expect_ok(halo_mailbox_progress(mailbox));
    }
    expect_ok(halo_mailbox_receive(mailbox, 1e-3, &mail));
    expect(mail.head == NULL, "a message that nobody has sent");
    expect_ok(halo_mailbox_end(mailbox));
    halo_mailbox_destroy(&mailbox);
    EXPECT_AGREED();
}

/* One slot sends many messages: each waits for the one before. */
static void test_slot(void)
{
    enum { TIMES = 50 };
    halo_mailbox *mailbox;
    int64_t next = 0, sums[] = {0};
    expect_ok(create(&mailbox, 2));
    for (int i = 0; my_rank() == 0 && all_ranks() > 1 && i < TIMES; i++) {
        const head h = {.mail = {.kind = RESERVED, .bytes = sizeof(int)}, .number = i};
        expect_ok(halo_mailbox_send_reserved(mailbox, 1, 1, &h, &i));
    }
    expect_ok(halo_mailbox_gather(mailbox, sums, 1));
    while (halo_mailbox_comes(mailbox)) {
        halo_mail mail = {NULL, NULL};
        expect_ok(wait_for_one(mailbox, &mail));
        int found = -1;
        memcpy(&found, mail.data, sizeof found);
        expect(found == next, "%d in place of %" PRId64, found, next);
        next++;
    }
    expect(next == (my_rank() == 1 ? TIMES : 0), "%" PRId64 " messages", next);
    expect_ok(halo_mailbox_end(mailbox));
    halo_mailbox_destroy(&mailbox);
    EXPECT_AGREED();
}

/* While the first rank waits for something else, its service receives. */
typedef struct {
    halo_mailbox *mailbox;
    halo_status status;
    int64_t count, sum;
} served;

static void serve(void *context)
{
    served *s = context;
    halo_mail mail;
    s->status = halo_status_first(s->status, halo_mailbox_receive_in_service(s->mailbox, &mail));
    if (mail.head != NULL) {
        const head *h = mail.head;
        s->count++;
        s->sum += h->number;
    }
}

static void test_service(void)
{
    served s = {.status = HALO_OK};
    halo_service service = {.serve = serve, .context = &s};
    halo_world *world = mpi_check_world();
    bool first = my_rank() == 0;
    expect_ok(create(&s.mailbox, 2));
    if (first) {
        halo_world_begin_service(world, &service);
    } else {
        const head h = {.mail.kind = SYNCHRONOUS, .number = my_rank()};
        expect_ok(halo_mailbox_send(s.mailbox, 0, &h, NULL, true));
        while (halo_mailbox_sending(s.mailbox, 0) > 0) {
            expect_ok(halo_mailbox_progress(s.mailbox));
        }
    }
    expect_ok(halo_agree(world, HALO_OK)); /* others come here when they have been received */
    if (first) {
        halo_world_end_service(world, &service);
        serve(&s); /* what is here already, and was not looked at */
        int64_t others = all_ranks() - 1;
        expect_ok(s.status);
        expect(s.count == others && s.sum == others * (others + 1) / 2,
               "%" PRId64 " messages of %" PRId64, s.count, others);
    }
    expect_ok(halo_mailbox_end(s.mailbox));
    halo_mailbox_destroy(&s.mailbox);
    EXPECT_AGREED();
}

static void test_alone(void)
{
    halo_mailbox *mailbox;
    int64_t sums[] = {5};
    if (all_ranks() > 1) {
        return;
    }
    expect_ok(create(&mailbox, 1));
    for (int i = 0; i < RECEIVE_WAYS; i++) {
        halo_mail mail;
        expect_ok(receive_ways[i](mailbox, &mail));
        expect(mail.head == NULL, "a message of nobody");
    }
    expect_ok(halo_mailbox_gather(mailbox, sums, 1));
    expect(sums[0] == 5 && !halo_mailbox_comes(mailbox), "a sum of %" PRId64, sums[0]);
    expect_ok(halo_mailbox_end(mailbox));
    halo_mailbox_destroy(&mailbox);
    EXPECT_AGREED();
}

/* ---- without memory -------------------------------------------------------------------------- */

/* Data that there is no memory for are lost for the receiver alone: it gets the head, the sender
 * ends, and the next message comes. */
static void test_lost_data(void)
{
    halo_mailbox *mailbox;
    int64_t sums[] = {0};
    int lost = 0, whole = 0;
    expect_ok(create(&mailbox, 2));
    for (int64_t i = 0; all_ranks() > 1 && i < 2; i++) {
        halo_buffer data = {0};
        const head h = {.mail.kind = TAKEN, .number = i};
        expect_ok(fill(&data, right(), i, 3 * MIB + 1));
        expect_ok(halo_mailbox_send_buffer(mailbox, right(), &h, &data));
        halo_buffer_free(&data);
    }
    expect_ok(halo_mailbox_gather(mailbox, sums, 1));
    failing_memory_arm(0);
    while (halo_mailbox_comes(mailbox)) {
        halo_mail mail;
        halo_status status = wait_for_one(mailbox, &mail);
        const head *h = mail.head;
        expect(status == (h->number == 0 ? HALO_MEMORY : HALO_OK), "status %d of message %" PRId64,
               (int)status, h->number);
        lost += status == HALO_MEMORY && mail.data == NULL;
        whole += status == HALO_OK && is_filled(&mail);
    }
    failing_memory_disarm();
    int others = all_ranks() > 1;
    expect(lost == others && whole == others, "%d are lost, and %d whole", lost, whole);
    expect(!halo_mailbox_is_broken(mailbox), "it is broken");
    expect_ok(halo_mailbox_end(mailbox));
    halo_mailbox_destroy(&mailbox);
    EXPECT_AGREED();
}

/* Creating fails alone, without a leak, and sending leaves nothing half sent. */
static halo_status exchange(void *context)
{
    int64_t *next = context, bytes, sums[] = {0};
    halo_mailbox *mailbox = NULL;
    halo_status status = halo_agree(mpi_check_world(), create(&mailbox, 2));
    if (status == HALO_OK) {
        memset(next, 0, (size_t)all_ranks() * sizeof *next);
        status = send_all(mailbox, 1, &bytes);
        halo_status gathered = halo_mailbox_gather(mailbox, sums, 1);
        while (gathered == HALO_OK && halo_mailbox_comes(mailbox)) {
            halo_mail mail;
            status = halo_status_first(status, wait_for_one(mailbox, &mail));
            expect(mail.head != NULL, "a message that was sent does not come");
        }
        status = halo_status_first(status, halo_mailbox_end(mailbox));
        status = halo_agree(mpi_check_world(), status);
    }
    halo_mailbox_destroy(&mailbox);
    return status;
}

static void test_memory(void)
{
    int64_t *next = calloc((size_t)all_ranks(), sizeof *next);
    if (all_ranks() <= 3) {
        failing_memory_each(exchange, NULL, next, false, "an exchange of messages");
    }
    free(next);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("mailbox", {"messages to all", test_all},
               {"sent until received", test_until_received}, {"a slot", test_slot},
               {"a service", test_service}, {"alone", test_alone}, {"lost data", test_lost_data},
               {"each allocation", test_memory})
