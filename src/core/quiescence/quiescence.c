#include "core/quiescence/quiescence.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/mailbox/mailbox.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { TAG = 131 };

/* Kinds of messages: those of the computation, the detector's, and the news that a rank ends the
 * run before the detector does. */
typedef enum { MESSAGE_BASIC, MESSAGE_CONTROL, MESSAGE_STOP } message_kind;

typedef struct {
    halo_mail_head mail;
    halo_detector_note note;
} message_head;

struct halo_quiescence {
    halo_world *world;
    int rank, ranks;
    size_t max_bytes;
    halo_detector *detector;
    halo_mailbox *mailbox;
    bool synchronous;    /* its detector wants it */
    bool until_received; /* or its user */
    bool running, rests, over, early;
    int64_t received, bytes; /* basic messages before it was over; bytes sent */
    double rested, found;    /* when it became passive, last; when it knew of the end */
    halo_quiescence_report report;
};

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status create(halo_quiescence *q, const halo_quiescence_options *options)
{
    static const size_t most = INT_MAX - sizeof(message_head);
    if (options->max_bytes > most) {
        return halo_fail(HALO_ARGUMENT, "messages of up to %zu bytes; use at most %zu",
                         options->max_bytes, most);
    }
    if (options->max_bytes > 0) {
        q->max_bytes = options->max_bytes;
    }
    HALO_TRY(halo_detector_create(&q->detector, options->detector, q->rank, q->ranks));
    q->synchronous = halo_detector_get_entry(q->detector)->synchronous;
    q->until_received = options->until_received || q->synchronous;
    q->report = (halo_quiescence_report){
        .detector = halo_detector_get_entry(q->detector)->name, .found = NAN, .known = NAN};
    const halo_mailbox_options mail = {.what = "messages without beats",
                                       .tag = TAG,
                                       .head_bytes = sizeof(message_head),
                                       .data_bytes = q->max_bytes,
                                       .receive_buffers = 1,
                                       .slots = q->ranks};
    return halo_mailbox_create(&q->mailbox, q->world, &mail);
}

halo_status halo_quiescence_create_sized(halo_quiescence **out, halo_world *world,
                                         const halo_quiescence_options *given, size_t given_bytes)
{
    halo_quiescence_options options;
    enum { STANDARD_BYTES = 1 << 16 };
    halo_quiescence *q = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_quiescence_options");
    HALO_IF_OK(status, HALO_ALLOCATE(q, 1, "a computation without beats"));
    if (status == HALO_OK) {
        *q = (halo_quiescence){.world = world,
                               .rank = halo_world_rank(world),
                               .ranks = halo_world_ranks(world),
                               .max_bytes = STANDARD_BYTES};
        status = create(q, &options);
    }
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_quiescence_destroy(&q);
    }
    *out = q;
    return status;
}

void halo_quiescence_destroy(halo_quiescence **quiescence)
{
    if (*quiescence != NULL) {
        halo_detector_destroy(&(*quiescence)->detector);
        halo_mailbox_destroy(&(*quiescence)->mailbox);
        free(*quiescence);
        *quiescence = NULL;
    }
}

halo_status halo_quiescence_begin(halo_quiescence *q)
{
    if (q->running) {
        return halo_fail(HALO_ARGUMENT, "halo_quiescence_begin is called twice; call "
                                        "halo_quiescence_end before the second time");
    }
    halo_detector_reset(q->detector);
    q->running = true;
    q->rests = q->over = q->early = false;
    q->received = q->bytes = 0;
    q->rested = q->found = halo_seconds();
    return HALO_OK;
}

/* ---- the detector's messages ----------------------------------------------------------------- */

static halo_status send_control(halo_quiescence *q, const halo_detector_outbox *out)
{
    for (int i = 0; i < out->count; i++) {
        const message_head head = {.mail.kind = MESSAGE_CONTROL, .note = out->sent[i].note};
        HALO_TRY(halo_mailbox_send(q->mailbox, out->sent[i].to, &head, NULL, false));
    }
    if (!q->over && halo_detector_has_ended(q->detector)) {
        q->over = true;
        q->early = !q->rests;
        q->found = halo_seconds();
    }
    return HALO_OK;
}

/* A rank with synchronous sends rests when all that it has sent has been received. */
static halo_status tell_rest(halo_quiescence *q)
{
    halo_detector_outbox out;
    if (!q->rests || (q->synchronous && halo_mailbox_sending(q->mailbox, -1) > 0)) {
        return HALO_OK;
    }
    halo_detector_rest(q->detector, &out);
    return send_control(q, &out);
}

static halo_status rest(halo_quiescence *q)
{
    if (!q->rests) {
        q->rests = true;
        q->rested = halo_seconds();
    }
    return tell_rest(q);
}

/* ---- what a rank does ------------------------------------------------------------------------ */

static halo_status check_send(const halo_quiescence *q, int to, size_t bytes)
{
    if (to < 0 || to >= q->ranks || to == q->rank) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %d sends a message to rank %d; use another rank of %d", q->rank, to,
                         q->ranks);
    }
    if (bytes > q->max_bytes) {
        return halo_fail(HALO_ARGUMENT,
                         "a message of %zu bytes; the limit is %zu, set by max_bytes of "
                         "halo_quiescence_options",
                         bytes, q->max_bytes);
    }
    if (!q->running || q->rests) {
        return halo_fail(HALO_ARGUMENT, "rank %d sends a message while it is %s", q->rank,
                         q->running ? "passive; only a message makes it active again"
                                    : "not running; call halo_quiescence_begin before");
    }
    return HALO_OK;
}

halo_status halo_quiescence_send(halo_quiescence *q, int to, const void *data, size_t bytes)
{
    HALO_TRY(check_send(q, to, bytes));
    const message_head head = {.mail = {.kind = MESSAGE_BASIC, .bytes = (int64_t)bytes},
                               .note = halo_detector_send(q->detector, to)};
    q->bytes += head.mail.bytes;
    return halo_mailbox_send(q->mailbox, to, &head, data, q->until_received);
}

int halo_quiescence_sending(const halo_quiescence *q, int to)
{
    return halo_mailbox_sending(q->mailbox, to);
}

/* Takes a message; for a basic one event->kind becomes HALO_QUIESCENCE_MESSAGE. */
static halo_status take(halo_quiescence *q, const halo_mail *mail, halo_quiescence_event *event)
{
    const message_head *head = mail->head;
    halo_detector_outbox out = {.count = 0};
    switch ((message_kind)head->mail.kind) {
    case MESSAGE_STOP:
        q->over = true;
        return HALO_OK;
    case MESSAGE_CONTROL:
        halo_detector_control(q->detector, &head->note, &out);
        break;
    case MESSAGE_BASIC:
        q->received++;
        q->rests = false;
        halo_detector_receive(q->detector, &head->note, &out);
        *event = (halo_quiescence_event){.kind = HALO_QUIESCENCE_MESSAGE,
                                         .from = head->mail.from,
                                         .data = mail->data,
                                         .bytes = (size_t)head->mail.bytes};
        break;
    }
    return send_control(q, &out);
}

halo_status halo_quiescence_rest(halo_quiescence *q)
{
    return q->running ? rest(q)
                      : halo_fail(HALO_ARGUMENT,
                                  "rank %d is not running; call "
                                  "halo_quiescence_begin before",
                                  q->rank);
}

halo_status halo_quiescence_receive(halo_quiescence *q, halo_quiescence_wait wait,
                                    halo_quiescence_event *event)
{
    bool waits = wait != HALO_QUIESCENCE_LOOK;
    halo_mail mail = {NULL, NULL};
    *event = (halo_quiescence_event){.kind = HALO_QUIESCENCE_NOTHING};
    if (wait == HALO_QUIESCENCE_REST || !q->running) {
        HALO_TRY(halo_quiescence_rest(q));
    }
    do {
        /* A message that is here already may spare the others a round of the token. */
        if (!q->over) {
            int sending = halo_mailbox_sending(q->mailbox, -1);
            HALO_TRY(waits ? halo_mailbox_receive_or_sent(q->mailbox, &mail)
                           : halo_mailbox_receive(q->mailbox, 0, &mail));
            bool sent = halo_mailbox_sending(q->mailbox, -1) < sending;
            waits = waits && !(wait == HALO_QUIESCENCE_AWAIT && sent);
        }
        if (!q->over && mail.head != NULL) {
            HALO_TRY(take(q, &mail, event));
        }
        if (!q->over) {
            HALO_TRY(tell_rest(q)); /* what was being sent may have been received */
        }
    } while (!q->over && event->kind == HALO_QUIESCENCE_NOTHING && (waits || mail.head != NULL));
    if (q->over && event->kind == HALO_QUIESCENCE_NOTHING) {
        event->kind = HALO_QUIESCENCE_OVER;
    }
    return HALO_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

enum {
    BASIC,
    BYTES,
    RECEIVED,
    CONTROL,
    ANNOUNCEMENTS,
    ROUNDS,
    RENEWALS,
    STOPPED, /* ranks that ended it before the detector did */
    EARLY,   /* ranks that were active when the detector said the end */
    SUMS
};

static void fill_sums(const halo_quiescence *q, bool stopped, int64_t sums[SUMS])
{
    const halo_detector_counts counts = halo_detector_get_counts(q->detector);
    sums[BASIC] = counts.basic;
    sums[BYTES] = q->bytes;
    sums[RECEIVED] = q->received;
    sums[CONTROL] = counts.control;
    sums[ANNOUNCEMENTS] = counts.announcements;
    sums[ROUNDS] = counts.rounds;
    sums[RENEWALS] = counts.renewals;
    sums[STOPPED] = stopped;
    sums[EARLY] = q->early;
}

/* Nothing of this run is under way any more when the next one begins. */
static halo_status drain(halo_quiescence *q, int64_t sums[SUMS])
{
    halo_mail mail;
    HALO_TRY(halo_mailbox_gather(q->mailbox, sums, SUMS));
    while (halo_mailbox_comes(q->mailbox)) {
        HALO_TRY(halo_mailbox_receive(q->mailbox, HUGE_VAL, &mail));
    }
    return halo_mailbox_end(q->mailbox);
}

static void fill_report(halo_quiescence *q, const int64_t sums[SUMS])
{
    q->report = (halo_quiescence_report){.detector = q->report.detector,
                                         .ended = sums[STOPPED] == 0,
                                         .messages = sums[BASIC],
                                         .bytes = sums[BYTES],
                                         .control = sums[CONTROL],
                                         .announcements = sums[ANNOUNCEMENTS],
                                         .rounds = sums[ROUNDS],
                                         .renewals = sums[RENEWALS],
                                         .found = NAN,
                                         .known = NAN};
}

static int64_t nanoseconds(double seconds)
{
    return (int64_t)(seconds * 1e9);
}

/* The delays need clocks that tell the same time on all ranks. */
static halo_status measure_delays(halo_quiescence *q)
{
    bool one_clock = HALO_SIMULATED || halo_world_node_ranks(q->world) == q->ranks;
    int64_t latest[] = {nanoseconds(q->rested), q->rank == 0 ? nanoseconds(q->found) : 0,
                        nanoseconds(q->found)};
    HALO_TRY(halo_allreduce_max(q->world, latest, 3));
    if (one_clock && q->report.ended) {
        q->report.found = (double)(latest[1] - latest[0]) * 1e-9;
        q->report.known = (double)(latest[2] - latest[0]) * 1e-9;
    }
    return HALO_OK;
}

/* The sums are the same on all ranks. */
static halo_status check_end(const halo_quiescence *q, const int64_t sums[SUMS])
{
    int64_t under_way = sums[BASIC] - sums[RECEIVED];
    if (sums[STOPPED] > 0 || (under_way == 0 && sums[EARLY] == 0)) {
        return HALO_OK;
    }
    return halo_fail(
        HALO_ARGUMENT,
        "the termination detector %s was early: %" PRId64 " messages were under way, "
        "and %" PRId64 " ranks active; it is right %s. Use safra, which is always right",
        q->report.detector, under_way, sums[EARLY], halo_detector_get_entry(q->detector)->right);
}

static halo_status send_stop(halo_quiescence *q)
{
    const message_head stop = {.mail.kind = MESSAGE_STOP};
    for (int to = 0; to < q->ranks; to++) {
        HALO_TRY(to != q->rank ? halo_mailbox_send_reserved(q->mailbox, to, to, &stop, NULL)
                               : HALO_OK);
    }
    return HALO_OK;
}

halo_status halo_quiescence_end(halo_quiescence *q, halo_status mine)
{
    int64_t sums[SUMS];
    if (!q->running) {
        return mine != HALO_OK ? mine
                               : halo_fail(HALO_ARGUMENT, "halo_quiescence_end is called without "
                                                          "halo_quiescence_begin");
    }
    fill_sums(q, !q->over, sums);
    if (!q->over) {
        mine = halo_status_first(mine, send_stop(q));
    }
    q->running = false;
    halo_status drained = drain(q, sums);
    if (drained == HALO_OK) {
        fill_report(q, sums);
    }
    HALO_TRY(halo_agree(q->world, halo_status_first(mine, drained)));
    HALO_TRY(measure_delays(q));
    return check_end(q, sums);
}

void halo_quiescence_get_report_sized(const halo_quiescence *q, halo_quiescence_report *report,
                                      size_t report_bytes)
{
    halo_report_give(report, report_bytes, &q->report, sizeof q->report);
}
