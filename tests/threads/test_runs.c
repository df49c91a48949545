#define _POSIX_C_SOURCE 200809L
#include "core/transport/threads/run.h"
#include "core/world/collect.h"
#include "kernels/life/life.h"
#include "threads/expect.h"
#include "threads/faults.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Worlds of threads as a program uses them: numbers and results, failures of one rank, teams, and
 * memory or threads that are not there. */

enum { PATIENCE = 120 }; /* seconds; what takes longer hangs */

/* ---- numbers --------------------------------------------------------------------------------- */

static halo_status count_ranks(halo_world *world, void *context)
{
    int ranks = *(int *)context;
    int64_t sum = halo_world_rank(world), near = 1;
    int64_t before[] = {1, halo_world_rank(world)};
    int64_t rank = sum;
    HALO_TRY(halo_allreduce_sum(world, &sum, 1));
    HALO_TRY(halo_allreduce_near_sum(world, &near, 1));
    HALO_TRY(halo_exscan(world, before, 2));
    EXPECT(halo_world_ranks(world) == ranks, "%d", halo_world_ranks(world));
    EXPECT(sum == (int64_t)ranks * (ranks - 1) / 2, "%" PRId64, sum);
    EXPECT(near == ranks && halo_world_node_ranks(world) == ranks, "%" PRId64, near);
    EXPECT(halo_world_is_near(world, ranks - 1), "rank %d is on this machine", ranks - 1);
    EXPECT(before[0] == rank && before[1] == rank * (rank - 1) / 2, "%" PRId64, before[0]);
    EXPECT(halo_world_allows_threads(world), "ranks may have threads");
    return HALO_OK;
}

static void test_numbers(void)
{
    const int numbers[] = {1, 2, 3, 5, 8, 64, 1000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int ranks = numbers[i];
        halo_status status = halo_run(ranks, NULL, count_ranks, &ranks);
        EXPECT(status == HALO_OK, "%d ranks: %s", ranks, halo_last_message());
    }
}

/* A thread alone needs no world to make its own from. */
static void test_alone(void)
{
    halo_world *world;
    int one = 1;
    EXPECT(halo_world_create_alone(&world, NULL) == HALO_OK, "%s", halo_last_message());
    EXPECT(count_ranks(world, &one) == HALO_OK, "%s", halo_last_message());
    EXPECT(halo_world_is_alone(world) && halo_world_is_process(world), "of one rank");
    EXPECT(halo_world_sharers(world) == 1 && halo_world_cores(world) >= 1, "%d cores",
           halo_world_cores(world));
    halo_world_destroy(&world);
}

static void test_arguments(void)
{
    int ranks = 2;
    const halo_world_options unknown = {.wait = "soon"};
    halo_team *team;
    EXPECT(halo_run(0, NULL, count_ranks, &ranks) == HALO_ARGUMENT, "no ranks");
    EXPECT(halo_run(-3, NULL, count_ranks, &ranks) == HALO_ARGUMENT, "fewer");
    EXPECT(halo_run(2, &unknown, count_ranks, &ranks) == HALO_ARGUMENT, "an unknown policy");
    EXPECT(strstr(halo_last_message(), "soon") != NULL, "%s", halo_last_message());
    EXPECT(halo_team_create(&team, 0) == HALO_ARGUMENT && team == NULL, "no ranks");
    EXPECT(halo_team_create(&team, 3) == HALO_OK, "%s", halo_last_message());
    halo_team_destroy(&team);
    halo_team_destroy(&team);
}

/* ---- worlds of worlds ------------------------------------------------------------------------ */

/* Every third rank is of no part. */
static halo_status split(halo_world *world, void *context)
{
    (void)context;
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    halo_world *part, *copy, *near;
    HALO_TRY(halo_world_split(&part, world, rank % 3 - 1, NULL));
    EXPECT((part == NULL) == (rank % 3 == 0), "rank %d", rank);
    HALO_TRY(halo_world_duplicate(&copy, world, NULL));
    HALO_TRY(halo_world_create_near(&near, world, NULL));
    EXPECT(halo_world_rank(copy) == rank && halo_world_ranks(near) == ranks, "%d", ranks);
    if (part != NULL) {
        int64_t sum = rank, expected = 0;
        for (int r = rank % 3; r < ranks; r += 3) {
            expected += r;
        }
        EXPECT(halo_world_rank(part) == rank / 3, "rank %d of %d", halo_world_rank(part), ranks);
        HALO_TRY(halo_allreduce_sum(part, &sum, 1));
        EXPECT(sum == expected, "%" PRId64 " of %" PRId64, sum, expected);
    }
    /* The same message in three worlds. */
    int64_t got[3] = {0}, sent[3] = {10 + rank, 20 + rank, 30 + rank};
    halo_world *worlds[] = {world, copy, near};
    halo_request requests[6];
    for (int i = 0; i < 3; i++) {
        int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
        HALO_TRY(halo_irecv(worlds[2 - i], &got[2 - i], sizeof(int64_t), left, 5, &requests[i]));
        HALO_TRY(halo_isend(worlds[i], &sent[i], sizeof(int64_t), right, 5, &requests[3 + i]));
    }
    HALO_TRY(halo_wait(world, 6, requests));
    for (int i = 0; i < 3; i++) {
        EXPECT(got[i] == 10 * (i + 1) + (rank + ranks - 1) % ranks, "%" PRId64, got[i]);
    }
    halo_world_destroy(&part);
    halo_world_destroy(&near);
    halo_world_destroy(&copy);
    return HALO_OK;
}

static void test_split(void)
{
    for (int ranks = 1; ranks <= 7; ranks++) {
        EXPECT(halo_run(ranks, NULL, split, NULL) == HALO_OK, "%s", halo_last_message());
    }
}

/* ---- failures of one rank -------------------------------------------------------------------- */

enum { FOR_MESSAGE, FOR_ANY, FOR_SEND, FOR_ALL, FOR_MEMORY, WAITS };

typedef struct {
    int wait, failing;
    atomic_int begun, told;
} failing;

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Waits for what never comes. */
static halo_status wait_in_vain(halo_world *world, int wait)
{
    int64_t number = 0;
    int index, bytes, silent = 1;
    halo_request request;
    switch (wait) {
    case FOR_MESSAGE:
        HALO_TRY(halo_irecv(world, &number, sizeof number, silent, 1, &request));
        return halo_wait(world, 1, &request);
    case FOR_ANY:
        HALO_TRY(halo_irecv(world, &number, sizeof number, HALO_ANY_SOURCE, 1, &request));
        return halo_wait_any(world, 1, &request, &index, &bytes);
    case FOR_SEND:
        HALO_TRY(halo_issend(world, &number, sizeof number, silent, 1, &request));
        return halo_wait(world, 1, &request);
    case FOR_ALL:
        return halo_allreduce_sum(world, &number, 1);
    default:
        return halo_wait_until(world, never, NULL);
    }
}

static halo_status fail_alone(halo_world *world, void *context)
{
    failing *f = context;
    if (halo_world_rank(world) == f->failing) {
        /* A rank that still makes its world is told there, and never runs this function. */
        while (atomic_load(&f->begun) < halo_world_ranks(world) - 1) {
            sched_yield();
        }
        return halo_fail(HALO_FORMAT, "rank %d fails", f->failing);
    }
    atomic_fetch_add(&f->begun, 1);
    halo_status status = wait_in_vain(world, f->wait);
    bool told = status == HALO_FORMAT && strcmp(halo_last_message(), "rank 1 fails") == 0;
    atomic_fetch_add(&f->told, told);
    return status;
}

static void test_failures(void)
{
    static const char *const policies[] = {"spin", "yield", "sleep"};
    for (int wait = 0; wait < WAITS; wait++) {
        for (int i = 0; i < 3; i++) {
            const halo_world_options options = {.wait = policies[i]};
            failing f = {.wait = wait, .failing = 1};
            halo_status status = halo_run(5, &options, fail_alone, &f);
            EXPECT(status == HALO_FORMAT && strcmp(halo_last_message(), "rank 1 fails") == 0,
                   "wait %d, %s: %s", wait, policies[i], halo_last_message());
            EXPECT(atomic_load(&f.told) == 4, "wait %d: %d ranks were told", wait,
                   atomic_load(&f.told));
        }
    }
}

/* A message is longer than the memory for it. */
static halo_status send_too_much(halo_world *world, void *context)
{
    (void)context;
    char data[100] = "";
    int64_t number = 0;
    halo_request request;
    if (halo_world_rank(world) == 0) {
        HALO_TRY(halo_isend(world, data, sizeof data, 1, 1, &request));
    } else {
        HALO_TRY(halo_irecv(world, &number, sizeof number, 0, 1, &request));
    }
    return halo_wait(world, 1, &request);
}

static void test_long_message(void)
{
    halo_status status = halo_run(2, NULL, send_too_much, NULL);
    EXPECT(status == HALO_TRANSPORT && strstr(halo_last_message(), "100 bytes") != NULL, "%s",
           halo_last_message());
}

/* ---- what is not there ----------------------------------------------------------------------- */

/* Messages and operations of all kinds, large enough to be left, small enough to be copied. */
static halo_status talk(halo_world *world, void *context)
{
    enum { ROUNDS = 3, NUMBERS = 2000 };
    (void)context;
    static _Thread_local int64_t out[NUMBERS], in[NUMBERS], number;
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    for (int i = 0; i < ROUNDS; i++) {
        halo_world *part;
        halo_request requests[4];
        int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
        HALO_TRY(halo_isend(world, out, sizeof out, right, 1, &requests[0]));
        HALO_TRY(halo_isend(world, out, 8, right, 2, &requests[1]));
        HALO_TRY(halo_irecv(world, &number, 8, left, 2, &requests[2]));
        HALO_TRY(halo_irecv(world, in, sizeof in, left, 1, &requests[3]));
        HALO_TRY(halo_wait(world, 4, requests));
        HALO_TRY(halo_allreduce_max(world, in, NUMBERS));
        HALO_TRY(halo_world_split(&part, world, rank % 2, NULL));
        halo_status status = halo_allreduce_sum(part, in, 3);
        halo_world_destroy(&part);
        HALO_TRY(status);
    }
    return HALO_OK;
}

static void test_faults(fault_kind kind, int least)
{
    int64_t nth = 0;
    for (bool failed = true; failed; nth++) {
        fault_arm(kind, nth);
        halo_status status = halo_run(4, NULL, talk, NULL);
        failed = fault_disarm();
        EXPECT(status == (failed ? HALO_MEMORY : HALO_OK), "call %" PRId64 ": %d, %s", nth, status,
               halo_last_message());
    }
    EXPECT(nth > least, "%" PRId64 " calls", nth);
}

/* Halos and votes that are heard of late, by messages; grids that grow. */
static halo_status live(halo_world *world, void *context)
{
    const halo_life_options options = {.rule = *(const halo_life_rule *)context,
                                       .box = {.n = {60, 90}},
                                       .edges = {HALO_LIFE_GROW, HALO_LIFE_GROW},
                                       .exchange = "p2p",
                                       .vote = "pipeline",
                                       .beats_per_exchange = 2};
    halo_life *life;
    HALO_TRY(halo_life_create(&life, world, &options));
    halo_status status = halo_life_soup(life, 0.4, 1);
    if (status == HALO_OK) {
        status = halo_life_run(life, 60);
    }
    halo_life_destroy(&life);
    return status;
}

/* Some calls may be done without; most are not in the same order each time. */
static void test_faults_of_beats(void)
{
    enum { STRIDE = 7, LEAST = 10 };
    halo_life_rule rule;
    const char *grid;
    EXPECT(halo_life_rule_parse("B3/S23", &rule, &grid) == HALO_OK, "%s", halo_last_message());
    int64_t nth = 0, failures_here = 0;
    for (bool failed = true; failed; nth += STRIDE) {
        fault_arm(FAULT_MEMORY, nth);
        halo_status status = halo_run(3, NULL, live, &rule);
        failed = fault_disarm();
        failures_here += status != HALO_OK;
        EXPECT(status == HALO_OK || (failed && status == HALO_MEMORY), "call %" PRId64 ": %d, %s",
               nth, status, halo_last_message());
    }
    EXPECT(failures_here > LEAST, "%" PRId64 " of %" PRId64, failures_here, nth / STRIDE);
}

/* ---- fewer than were wanted ------------------------------------------------------------------ */

static void test_fewer(void)
{
    for (int made = 1; made <= 6; made++) { /* the program's own thread is one */
        int ranks = 6, expected = made < 6 ? (made + 1) / 2 : 6;
        fault_arm(FAULT_THREADS, made - 1);
        halo_status status = halo_run_fewer(&ranks, NULL, count_ranks, &ranks);
        fault_disarm();
        EXPECT(status == HALO_OK, "%s", halo_last_message());
        EXPECT(ranks == expected, "%d threads: %d ranks, not %d", made, ranks, expected);
    }
    int none = 0;
    EXPECT(halo_run_fewer(&none, NULL, count_ranks, &none) == HALO_ARGUMENT, "no ranks");
}

/* ---- several at once ------------------------------------------------------------------------- */

static halo_status run_within(halo_world *world, void *context)
{
    int ranks = 3;
    HALO_TRY(talk(world, context));
    HALO_TRY(halo_run(ranks, NULL, count_ranks, &ranks));
    return talk(world, context);
}

static void *run_beside(void *context)
{
    (void)context;
    EXPECT(halo_run(3, NULL, run_within, NULL) == HALO_OK, "%s", halo_last_message());
    return NULL;
}

static void test_beside(void)
{
    pthread_t other;
    EXPECT(pthread_create(&other, NULL, run_beside, NULL) == 0, "a thread");
    run_beside(NULL);
    pthread_join(other, NULL);
}

typedef struct {
    halo_team *team;
    int rank;
    pthread_t thread;
} own_thread;

static void *join_team(void *context)
{
    own_thread *own = context;
    halo_world *world;
    int ranks = 3;
    halo_status status = halo_world_create_threads(&world, own->team, own->rank, NULL);
    EXPECT(status == HALO_OK, "%s", halo_last_message());
    EXPECT(halo_world_rank(world) == own->rank, "%d", own->rank);
    EXPECT(count_ranks(world, &ranks) == HALO_OK, "%s", halo_last_message());
    halo_world_destroy(&world);
    return NULL;
}

static void test_own_threads(void)
{
    own_thread own[3] = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
    halo_team *team;
    EXPECT(halo_team_create(&team, 3) == HALO_OK, "%s", halo_last_message());
    for (int r = 0; r < 3; r++) {
        own[r].team = team;
        EXPECT(pthread_create(&own[r].thread, NULL, join_team, &own[r]) == 0, "a thread");
    }
    for (int r = 0; r < 3; r++) {
        pthread_join(own[r].thread, NULL);
    }
    halo_team_destroy(&team);
}

/* Signals are for the thread that has called, as in a program without ranks. */
static halo_status look_at_signals(halo_world *world, void *context)
{
    (void)context;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    EXPECT((sigismember(&blocked, SIGTERM) == 1) == (halo_world_rank(world) > 0), "rank %d",
           halo_world_rank(world));
    return HALO_OK;
}

int main(void)
{
    alarm(PATIENCE);
    test_numbers();
    test_alone();
    test_arguments();
    test_split();
    test_failures();
    test_long_message();
    test_faults(FAULT_MEMORY, 20);
    test_faults(FAULT_THREADS, 3);
    test_faults_of_beats();
    test_fewer();
    test_beside();
    test_own_threads();
    EXPECT(halo_run(3, NULL, look_at_signals, NULL) == HALO_OK, "%s", halo_last_message());
    if (atomic_load(&failures) == 0) {
        puts("worlds of threads: all as expected");
    }
    return atomic_load(&failures) > 0;
}
