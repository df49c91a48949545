#define _POSIX_C_SOURCE 200809L /* sched_yield */
#include "core/beat/beat.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/collect.h"
#include "support/blocks.h"
#include "support/mpi_check.h"
#include "support/virtual_clock.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 5, MAX_RANKS = 64 };

/* Every rank has one at least. */
static int64_t rows(void)
{
    enum { FEW = 24 };
    return all_ranks() > FEW ? all_ranks() : FEW;
}

/* A slow rank's step takes this long, and the others pause meanwhile. */
enum { PAUSES = 200 };
static const double STEP_SECONDS = .01, PAUSE_SECONDS = 1e-5;

/* A test's orders to the kernel below. */
typedef struct {
    int rank;
    int fail_rank, fail_beat; /* step fails there; -1 for never */
    int fail_agreed;          /* the rank whose `beat` fails with the agreed sums; -1 for none */
    int fail_create;          /* the rank whose create fails; -1 for none */
    MPI_Win pauses;           /* a number of each rank, if rank 0 is slow; or MPI_WIN_NULL */
    int64_t agreed;           /* the last agreed sum */
} order;

static halo_status order_create(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    order *o = *(order *const *)options;
    if (o->fail_create == o->rank) {
        return halo_fail(HALO_FILE, "the kernel found no file for rank %d", o->rank);
    }
    *state = o;
    return HALO_OK;
}

/* Return the counter of the pauses that a rank makes while it waits. */
static volatile int64_t *pauses_of(MPI_Win win, int rank)
{
    MPI_Aint bytes;
    int unit;
    int64_t *pauses;
    MPI_Win_shared_query(win, rank, &bytes, &unit, &pauses);
    return pauses;
}

/* Hold up a beat until every other rank has waited for it, whatever else the machine does. */
static void keep_others_waiting(const order *o)
{
    int64_t before[MAX_RANKS];
    for (int r = 1; r < all_ranks(); r++) {
        before[r] = *pauses_of(o->pauses, r);
    }
    for (int r = 1; r < all_ranks(); r++) {
        const volatile int64_t *pauses = pauses_of(o->pauses, r);
        while (*pauses < before[r] + PAUSES) {
            sched_yield();
        }
    }
}

static halo_status order_step(halo_step *s)
{
    const order *o = s->state;
    if (o->fail_rank == o->rank && o->fail_beat == s->beat) {
        return halo_fail(HALO_FORMAT, "beat %" PRId64 " is too much", s->beat);
    }
    if (o->pauses != MPI_WIN_NULL && o->rank == 0) {
        keep_others_waiting(o);
        virtual_clock_pass(STEP_SECONDS);
    }
    s->changed += halo_box_cells(&s->todo);
    return HALO_OK;
}

static halo_status order_beat(void *state, int64_t *sums, bool agreed)
{
    order *o = state;
    if (!agreed) {
        sums[0] = o->rank + 1;
        sums[1] = 1;
        return HALO_OK;
    }
    o->agreed = sums[0] * 100 + sums[1];
    return o->fail_agreed == o->rank ? halo_fail(HALO_FORMAT, "sums do not add up") : HALO_OK;
}

static const halo_kernel ordered = {.name = "ordered",
                                    .help = "does what a test says",
                                    .cell_bits = {32},
                                    .depth = 1,
                                    .whole = true,
                                    .converges = true,
                                    .sums = 2,
                                    .step = order_step,
                                    .create = order_create,
                                    .beat = order_beat};

static order no_orders(void)
{
    return (order){my_rank(), -1, -1, -1, -1, MPI_WIN_NULL, 0};
}

static halo_status create_ordered(halo_beat **beat, order *o, halo_beat_options options)
{
    halo_domain domain = {.axes = 2, .n = {rows(), COLUMNS, 1}};
    halo_world *world = mpi_check_world();
    options.kernel_options = &o;
    halo_partition partition = even_strips(&domain);
    halo_status status = halo_beat_create(beat, world, &domain, &partition, &ordered, &options);
    halo_partition_free(&partition);
    return status;
}

/* Every rank fails with the one message of `culprit`. */
static void expect_failure(halo_status status, halo_status wanted, int culprit, const char *text)
{
    char message[HALO_MESSAGE_SIZE];
    if (all_ranks() > 1) {
        snprintf(message, sizeof message, "rank %d: %s", culprit, text);
    } else {
        snprintf(message, sizeof message, "%s", text);
    }
    expect(status == wanted, "status is %s", halo_status_text(status));
    expect(strcmp(halo_last_message(), message) == 0, "\"%s\", not \"%s\"", halo_last_message(),
           message);
}

static void test_a_failing_kernel_ends_all(void)
{
    int ranks = all_ranks();
    for (int culprit = 0; culprit < ranks; culprit++) {
        order o = no_orders();
        o.fail_rank = culprit;
        o.fail_beat = 3;
        halo_beat *beat;
        expect_ok(create_ordered(&beat, &o, (halo_beat_options){0}));
        halo_status status = halo_beat_run(beat, 10);
        expect_failure(status, HALO_FORMAT, culprit, "beat 3 is too much");
        expect(halo_beat_get_report(beat).beats == 3, "beats");
        halo_beat_destroy(&beat);
    }
    EXPECT_AGREED();
}

static void test_other_failures_end_all(void)
{
    int last = all_ranks() - 1;
    char text[HALO_MESSAGE_SIZE];
    snprintf(text, sizeof text, "the kernel found no file for rank %d", last);
    order o = no_orders();
    o.fail_create = last;
    halo_beat *beat;
    halo_status status = create_ordered(&beat, &o, (halo_beat_options){0});
    expect_failure(status, HALO_FILE, last, text);
    expect(beat == NULL, "a run is left");
    o = no_orders();
    o.fail_agreed = last;
    for (int max = 1; max <= 5; max += 4) { /* at the last beat, and with some to come */
        expect_ok(create_ordered(&beat, &o, (halo_beat_options){0}));
        status = halo_beat_run(beat, max);
        expect_failure(status, HALO_FORMAT, last, "sums do not add up");
        halo_beat_destroy(&beat);
    }
    EXPECT_AGREED();
}

static void test_sums_are_agreed(void)
{
    int64_t ranks = all_ranks();
    order o = no_orders();
    halo_beat *beat;
    expect_ok(create_ordered(&beat, &o, (halo_beat_options){.vote = "tree"}));
    expect_ok(halo_beat_run(beat, 2));
    expect(o.agreed == ranks * (ranks + 1) / 2 * 100 + ranks, "sums %" PRId64, o.agreed);
    halo_beat_report report = halo_beat_get_report(beat);
    int64_t votes = report.vote_messages, messages = report.messages, bytes = report.bytes;
    expect(halo_allreduce_sum(mpi_check_world(), &votes, 1) == HALO_OK &&
               halo_allreduce_sum(mpi_check_world(), &messages, 1) == HALO_OK,
           "sum");
    expect(votes == 2 * 2 * (ranks - 1), "%" PRId64 " messages of votes", votes);
    expect(messages == 2 * 2 * (ranks - 1), "%" PRId64 " halo messages", messages);
    expect(bytes == report.messages * (COLUMNS + 2) * 4, "%" PRId64 " bytes", bytes);
    halo_beat_destroy(&beat);
    EXPECT_AGREED();
}

typedef struct {
    int64_t stop_at; /* beats; 0 for never */
    int64_t calls;
} watcher;

static bool watch(void *context, int64_t beats, int64_t changed)
{
    watcher *w = context;
    w->calls++;
    expect(beats == w->calls && changed == rows() * COLUMNS, "watched beat %" PRId64, beats);
    return beats == w->stop_at;
}

static void test_one_rank_can_stop_all(void)
{
    halo_world *world = mpi_check_world();
    order o = no_orders();
    bool asks = halo_world_rank(world) == halo_world_ranks(world) - 1;
    watcher w = {asks ? 4 : 0, 0};
    halo_beat *beat;
    expect_ok(create_ordered(&beat, &o, (halo_beat_options){.watch = watch, .context = &w}));
    expect_ok(halo_beat_run(beat, 0));
    expect(w.calls == 5 && halo_beat_get_report(beat).beats == 5, "%" PRId64 " beats", w.calls);
    expect(!halo_beat_get_report(beat).converged, "settled");
    expect(halo_beat_run(beat, 3) == HALO_OK && halo_beat_get_report(beat).beats == 8,
           "a run that was stopped does not go on");
    halo_beat_destroy(&beat);
    EXPECT_AGREED();
}

/* Waiting for a slow rank is no work. Threads that wait do not pause again and again, but sleep
 * until they are woken: there is nothing to count by. */
static void test_waiting_is_kept_apart(void)
{
    enum { BEATS = 10 };
    halo_world *world = mpi_check_world();
    order o = no_orders();
    halo_beat *beat;
    int64_t *mine;
    if (strcmp(halo_world_transport(world), "threads") == 0) {
        return;
    }
    MPI_Win_allocate_shared(sizeof *mine, 1, MPI_INFO_NULL, halo_world_comm(world), &mine,
                            &o.pauses);
    *mine = 0;
    expect_ok(create_ordered(&beat, &o, (halo_beat_options){0}));
    virtual_clock_count(mine);
    virtual_clock_start(0, PAUSE_SECONDS);
    expect_ok(halo_beat_run(beat, BEATS));
    virtual_clock_stop();
    virtual_clock_count(NULL);
    halo_beat_report report = halo_beat_get_report(beat);
    const double *seconds = report.clock.seconds, computed = seconds[HALO_PHASE_COMPUTE];
    if (halo_world_rank(world) == 0) {
        expect(computed > .99 * BEATS * STEP_SECONDS, "computed %g s", computed);
    } else {
        double waited = .99 * BEATS * PAUSES * PAUSE_SECONDS;
        expect(seconds[HALO_PHASE_WAIT] > waited, "waited %g s", seconds[HALO_PHASE_WAIT]);
        expect(computed < 1e-6, "computed %g s", computed);
    }
    halo_beat_destroy(&beat);
    MPI_Win_free(&o.pauses);
    EXPECT_AGREED();
}

static void test_bad_arguments_are_refused(void)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {rows(), COLUMNS, 1}};
    halo_partition partition = even_strips(&domain);
    halo_beat *beat;
    halo_kernel empty = {.name = "empty"};
    halo_kernel endless = {
        .name = "endless", .cell_bits = {32}, .depth = 1, .step = order_step}; /* never stepped */
    expect(halo_beat_create(&beat, world, &domain, &partition, &empty, NULL) == HALO_ARGUMENT &&
               beat == NULL,
           "a kernel without a step");
    halo_beat_options options = {.vote = "lottery"};
    expect(halo_beat_create(&beat, world, &domain, &partition, &endless, &options) == HALO_ARGUMENT,
           "vote lottery");
    options = (halo_beat_options){.exchange = "pigeon"};
    expect(halo_beat_create(&beat, world, &domain, &partition, &endless, &options) == HALO_ARGUMENT,
           "exchange pigeon");
    expect_ok(halo_beat_create(&beat, world, &domain, &partition, &endless, NULL));
    expect(halo_beat_run(beat, 0) == HALO_ARGUMENT, "beats for ever");
    expect(halo_beat_run(beat, -1) == HALO_ARGUMENT, "-1 beats");
    halo_beat_destroy(&beat);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("beat_ends", {"a failing kernel ends all ranks", test_a_failing_kernel_ends_all},
               {"other failures end all ranks", test_other_failures_end_all},
               {"sums ride on the vote", test_sums_are_agreed},
               {"one rank can stop all", test_one_rank_can_stop_all},
               {"waiting is kept apart", test_waiting_is_kept_apart},
               {"bad arguments are refused", test_bad_arguments_are_refused})
