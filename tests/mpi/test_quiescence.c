/* Computations without beats over MPI: with messages of all sizes under way no work is lost, for
 * every detector under the conditions it is right; a detector that is early is caught; failures
 * and early ends reach all ranks. */

#define _DEFAULT_SOURCE /* sched_yield */
#include "core/quiescence/quiescence.h"
#include "core/world/collect.h"
#include "support/failing_memory.h"
#include "support/mpi_check.h"
#include "support/need.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 200000, SEEDS = 8, WALKERS = 3, DEPTH = 7, QUEUE = 1 << 14 };

/* ---- work that does not depend on who does it ------------------------------------------------ */

/* The bytes behind it are the low byte of its number. */
typedef struct {
    uint64_t number;
    int64_t depth;
} piece;

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static piece first_piece(uint64_t seed, int rank, int walker)
{
    return (piece){mix(mix(mix(seed) + (uint64_t)rank) + (uint64_t)walker), 0};
}

/* 0, 1 or 2 pieces come of a piece, 1.25 on average, to a certain depth. */
static int child_count(const piece *p)
{
    static const int counts[] = {0, 1, 1, 2, 2, 1, 1, 2};
    return p->depth < DEPTH ? counts[p->number % 8] : 0;
}

static piece child_of(const piece *p, int i)
{
    return (piece){mix(p->number + (uint64_t)i + 1), p->depth + 1};
}

static size_t bytes_of(const piece *p)
{
    static const size_t sizes[] = {0, 1, 40, 3000, 0, 0, 20000, LARGE - sizeof(piece)};
    return sizes[(p->number >> 8) % 8];
}

/* All pieces that come of one. */
static int64_t count_pieces(const piece *p)
{
    int64_t count = 1;
    for (int i = 0; i < child_count(p); i++) {
        piece child = child_of(p, i);
        count += count_pieces(&child);
    }
    return count;
}

typedef struct {
    halo_quiescence *quiescence;
    uint64_t seed;
    int ranks, rank, walkers;
    int failing; /* -1: none */
    int64_t fails_at;
    int64_t done, sent; /* pieces */
    piece queue[QUEUE];
    int queued;
    char bytes[LARGE];
} walk;

static void take_message(walk *w, const halo_quiescence_event *event)
{
    piece p;
    const char *data = event->data;
    memcpy(&p, data, sizeof p);
    bool right = event->bytes == sizeof p + bytes_of(&p);
    for (size_t i = sizeof p; right && i < event->bytes; i++) {
        right = data[i] == (char)(p.number & 127);
    }
    expect(right, "a message of %zu bytes is another one", event->bytes);
    expect(event->from != w->rank && event->from >= 0 && event->from < w->ranks, "from rank %d",
           event->from);
    w->queue[w->queued++] = p;
}

/* To the rank that its number says, which may be this one. */
static halo_status hand_over(walk *w, const piece *p)
{
    int to = (int)((p->number >> 16) % (uint64_t)w->ranks);
    if (to == w->rank) {
        w->queue[w->queued++] = *p;
        return HALO_OK;
    }
    memcpy(w->bytes, p, sizeof *p);
    memset(w->bytes + sizeof *p, (int)(p->number & 127), bytes_of(p));
    w->sent++;
    return halo_quiescence_send(w->quiescence, to, w->bytes, sizeof *p + bytes_of(p));
}

/* Does one of the pieces that are here, not always the oldest. */
static halo_status do_piece(walk *w)
{
    int at = (int)(mix((uint64_t)w->done) % (uint64_t)w->queued);
    piece p = w->queue[at];
    w->queue[at] = w->queue[--w->queued];
    for (uint64_t i = 0; i < (p.number >> 24) % 16; i++) {
        sched_yield(); /* others come to run */
    }
    if (w->rank == w->failing && w->done >= w->fails_at) {
        return halo_fail(HALO_FORMAT, "rank %d is tired", w->rank);
    }
    w->done++;
    for (int i = 0; i < child_count(&p); i++) {
        piece child = child_of(&p, i);
        HALO_TRY(hand_over(w, &child));
    }
    return HALO_OK;
}

static halo_status run_walk(walk *w)
{
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    w->done = w->sent = w->queued = 0;
    for (int i = 0; i < w->walkers; i++) {
        w->queue[w->queued++] = first_piece(w->seed, w->rank, i);
    }
    halo_status status = halo_quiescence_begin(w->quiescence);
    while (status == HALO_OK && event.kind != HALO_QUIESCENCE_OVER) {
        status = w->queued > 0 ? do_piece(w) : HALO_OK;
        if (status == HALO_OK) {
            status = halo_quiescence_receive(
                w->quiescence, w->queued > 0 ? HALO_QUIESCENCE_LOOK : HALO_QUIESCENCE_REST, &event);
        }
        if (status == HALO_OK && event.kind == HALO_QUIESCENCE_MESSAGE) {
            take_message(w, &event);
        }
    }
    return halo_quiescence_end(w->quiescence, status);
}

static walk *make_walk(const char *detector)
{
    walk *w = need(malloc(sizeof *w));
    const halo_quiescence_options options = {.detector = detector, .max_bytes = LARGE};
    *w = (walk){.rank = my_rank(), .ranks = all_ranks(), .walkers = WALKERS, .failing = -1};
    expect_ok(halo_quiescence_create(&w->quiescence, mpi_check_world(), &options));
    return w;
}

static void destroy_walk(walk *w)
{
    halo_quiescence_destroy(&w->quiescence);
    halo_quiescence_destroy(&w->quiescence);
    free(w);
}

/* Everything was done, and counted. */
static void check_walk(const walk *w)
{
    const halo_quiescence_report report = halo_quiescence_get_report(w->quiescence);
    int64_t sums[] = {w->done, w->sent}, wanted = 0;
    for (int r = 0; r < w->ranks; r++) {
        for (int i = 0; i < w->walkers; i++) {
            piece p = first_piece(w->seed, r, i);
            wanted += count_pieces(&p);
        }
    }
    expect_ok(halo_allreduce_sum(mpi_check_world(), sums, 2));
    expect(sums[0] == wanted, "%s: %" PRId64 " pieces done, not %" PRId64, report.detector, sums[0],
           wanted);
    expect(report.ended && report.messages == sums[1] && report.announcements == w->ranks - 1,
           "%s: %" PRId64 " messages, not %" PRId64 "; %" PRId64 " announcements", report.detector,
           report.messages, sums[1], report.announcements);
    expect(report.bytes >= report.messages * (int64_t)sizeof(piece), "too few bytes");
    if (halo_world_node_ranks(mpi_check_world()) == w->ranks) {
        expect(report.found >= 0 && report.known >= report.found, "%s: delays %g and %g",
               report.detector, report.found, report.known);
    }
    if (strcmp(report.detector, "ack-tree") == 0) {
        expect(report.control == report.messages + w->ranks - 1, "%" PRId64 " acknowledgements",
               report.control);
    }
}

static void test_walks(void)
{
    for (int i = 0; halo_detector_list(i) != NULL; i++) {
        const halo_detector_entry *entry = halo_detector_list(i);
        if (entry->sound || entry->synchronous) {
            walk *w = make_walk(entry->name);
            for (w->seed = 1; w->seed <= SEEDS; w->seed++) {
                expect_case_ok(entry->name, run_walk(w));
                check_walk(w);
            }
            destroy_walk(w);
        }
    }
    EXPECT_AGREED();
}

/* ---- a rank fails, or ends it ---------------------------------------------------------------- */

static void test_failures(void)
{
    walk *w = make_walk(NULL);
    for (w->failing = 0; w->failing < w->ranks; w->failing++) {
        for (w->fails_at = 0; w->fails_at < 2; w->fails_at++) {
            w->seed = 7;
            expect_fails(run_walk(w), HALO_FORMAT, "is tired");
        }
    }
    w->failing = -1;
    expect_ok(run_walk(w));
    check_walk(w);
    destroy_walk(w);
    EXPECT_AGREED();
}

/* One rank has had enough; the others would wait for ever. */
static void test_stops(void)
{
    halo_quiescence *q = NULL;
    expect_ok(halo_quiescence_create(&q, mpi_check_world(), NULL));
    for (int leaver = 0; leaver < all_ranks(); leaver++) {
        halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
        int next = (my_rank() + 1) % all_ranks();
        expect_ok(halo_quiescence_begin(q));
        if (all_ranks() > 1) {
            expect_ok(halo_quiescence_send(q, next, &next, sizeof next));
        }
        while (my_rank() != leaver && event.kind != HALO_QUIESCENCE_OVER) {
            expect_ok(
                halo_quiescence_receive(q, HALO_QUIESCENCE_LOOK, &event)); /* active all the time */
            sched_yield();
        }
        expect_ok(halo_quiescence_end(q, HALO_OK));
        const halo_quiescence_report report = halo_quiescence_get_report(q);
        expect(!report.ended && isnan(report.found) && isnan(report.known), "it has ended");
        expect(report.messages == (all_ranks() > 1 ? all_ranks() : 0), "other messages");
    }
    halo_quiescence_destroy(&q);
    EXPECT_AGREED();
}

/* ---- the single ring ------------------------------------------------------------------------- */

/* Each rank sends one message to every other one, and is passive when as many have come. */
static void test_expected(void)
{
    for (int i = 0; halo_detector_list(i) != NULL; i++) {
        halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
        int due = all_ranks() - 1;
        halo_quiescence *q = NULL;
        expect_ok(halo_quiescence_create(
            &q, mpi_check_world(),
            &(halo_quiescence_options){.detector = halo_detector_list(i)->name}));
        expect_ok(halo_quiescence_begin(q));
        for (int step = 1; step < all_ranks(); step++) {
            expect_ok(halo_quiescence_send(q, (my_rank() + step) % all_ranks(), NULL, 0));
        }
        while (event.kind != HALO_QUIESCENCE_OVER) {
            expect_ok(halo_quiescence_receive(
                q, due == 0 ? HALO_QUIESCENCE_REST : HALO_QUIESCENCE_AWAIT, &event));
            due -= event.kind == HALO_QUIESCENCE_MESSAGE;
        }
        expect(due == 0, "%s: %d messages have not come", halo_detector_list(i)->name, due);
        expect_case_ok(halo_detector_list(i)->name, halo_quiescence_end(q, HALO_OK));
        halo_quiescence_destroy(&q);
    }
    EXPECT_AGREED();
}

/* The last rank makes rank 0 active again before the token comes back there. */
static halo_status wake_first(halo_quiescence *q, int64_t *received)
{
    halo_quiescence_event event = {.kind = HALO_QUIESCENCE_NOTHING};
    bool first = my_rank() == 0;
    halo_quiescence_wait wait = HALO_QUIESCENCE_REST;
    if (my_rank() == all_ranks() - 1) {
        HALO_TRY(halo_quiescence_send(q, 0, NULL, 0));
    }
    while (event.kind != HALO_QUIESCENCE_OVER) {
        HALO_TRY(halo_quiescence_receive(q, wait, &event));
        if (first && event.kind == HALO_QUIESCENCE_MESSAGE) {
            HALO_TRY(halo_quiescence_send(q, 1, NULL, 0));
            wait = HALO_QUIESCENCE_AWAIT;
        }
        *received += event.kind == HALO_QUIESCENCE_MESSAGE;
    }
    return HALO_OK;
}

static void test_early(void)
{
    for (int run = 0; run < 2 * SEEDS && all_ranks() > 1; run++) {
        const halo_quiescence_options options = {.detector = "single-ring"};
        int64_t received = 0;
        halo_quiescence *q = NULL;
        expect_ok(halo_quiescence_create(&q, mpi_check_world(), &options));
        expect_ok(halo_quiescence_begin(q));
        expect_fails(halo_quiescence_end(q, wake_first(q, &received)), HALO_ARGUMENT,
                     "single-ring was early");
        expect(my_rank() > 0 || received == 1, "rank 0 was not active again");
        halo_quiescence_destroy(&q);
    }
    EXPECT_AGREED();
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void test_refusals(void)
{
    static char bytes[101];
    halo_quiescence_options options = {.detector = "sonar"};
    halo_quiescence *q = NULL;
    halo_quiescence_event event;
    int other = (my_rank() + 1) % all_ranks();
    expect_fails(halo_quiescence_create(&q, mpi_check_world(), &options), HALO_ARGUMENT,
                 "unknown termination detector \"sonar\"; use safra");
    expect(q == NULL, "something was made");
    options = (halo_quiescence_options){.max_bytes = (size_t)1 << 31};
    expect_fails(halo_quiescence_create(&q, mpi_check_world(), &options), HALO_ARGUMENT,
                 "use at most");
    options.max_bytes = 100;
    expect_ok(halo_quiescence_create(&q, mpi_check_world(), &options));
    expect_fails(halo_quiescence_rest(q), HALO_ARGUMENT, "halo_quiescence_begin before");
    expect_fails(halo_quiescence_receive(q, HALO_QUIESCENCE_LOOK, &event), HALO_ARGUMENT,
                 "is not running");
    expect_fails(halo_quiescence_end(q, HALO_OK), HALO_ARGUMENT, "without halo_quiescence_begin");
    expect_ok(halo_quiescence_begin(q));
    expect_fails(halo_quiescence_begin(q), HALO_ARGUMENT, "called twice");
    expect_fails(halo_quiescence_send(q, my_rank(), bytes, 1), HALO_ARGUMENT, "use another rank");
    expect_fails(halo_quiescence_send(q, all_ranks(), bytes, 1), HALO_ARGUMENT, "use another rank");
    if (all_ranks() > 1) {
        expect_fails(halo_quiescence_send(q, other, bytes, 101), HALO_ARGUMENT, "the limit is 100");
        expect_ok(halo_quiescence_rest(q));
        expect_fails(halo_quiescence_send(q, other, bytes, 1), HALO_ARGUMENT, "it is passive");
    }
    do {
        expect_ok(halo_quiescence_receive(q, HALO_QUIESCENCE_REST, &event));
    } while (event.kind != HALO_QUIESCENCE_OVER);
    expect_ok(halo_quiescence_receive(q, HALO_QUIESCENCE_REST, &event));
    expect(event.kind == HALO_QUIESCENCE_OVER, "it is not over any more");
    expect_ok(halo_quiescence_end(q, HALO_OK));
    halo_quiescence_destroy(&q);
    EXPECT_AGREED();
}

/* ---- without memory -------------------------------------------------------------------------- */

static halo_status walk_once(void *context)
{
    walk *w = context;
    const halo_quiescence_options options = {.detector = "ack-tree", .max_bytes = LARGE};
    HALO_TRY(halo_quiescence_create(&w->quiescence, mpi_check_world(), &options));
    halo_status status = run_walk(w);
    halo_quiescence_destroy(&w->quiescence);
    return status;
}

static void test_memory(void)
{
    walk *w = make_walk("ack-tree");
    halo_quiescence_destroy(&w->quiescence);
    w->walkers = 1;
    failing_memory_each(walk_once, NULL, w, false, "a walk");
    destroy_walk(w);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("quiescence", {"walks", test_walks}, {"failures", test_failures},
               {"stops", test_stops}, {"expected messages", test_expected},
               {"a ring that is early", test_early}, {"refusals", test_refusals},
               {"each allocation", test_memory})
