#define _DEFAULT_SOURCE
#include "support/mpi_check.h"

#include "base/memory.h"
#include "core/transport/threads/run.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "support/check_worlds.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rank's state in the tests. */
typedef struct {
    halo_world *world;
    _Atomic(halo_memory_account *) account;
    atomic_int_fast64_t failures; /* since ranks agreed last */
    char first_failure[256];
    int agreements; /* of this test */
    bool failed;    /* this test has, on some rank */
} rank_notes;

/* Tests take no argument, so what they share has to be here. */
static rank_notes all_notes[CHECK_MAX_RANKS];
static int places = 1; /* in use: ranks of this process */
static _Thread_local rank_notes *own_notes;

/* A further thread of a rank finds it by the account that its memory is in. */
static rank_notes *notes(void)
{
    if (own_notes == NULL) {
        halo_memory_account *account = halo_memory_account_used();
        int place = 0;
        while (place + 1 < places && atomic_load(&all_notes[place].account) != account) {
            place++;
        }
        own_notes = &all_notes[place];
    }
    return own_notes;
}

void expect(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!holds) {
        rank_notes *own = notes();
        if (atomic_fetch_add(&own->failures, 1) == 0) {
            vsnprintf(own->first_failure, sizeof own->first_failure, format, arguments);
        }
    }
    va_end(arguments);
}

void expect_ok(halo_status status)
{
    expect(status == HALO_OK, "%s", halo_last_message());
}

void expect_case_ok(const char *text, halo_status status)
{
    expect(status == HALO_OK, "%s: %s", text, halo_last_message());
}

void expect_fails(halo_status status, halo_status wanted, const char *text)
{
    expect(status == wanted && strstr(halo_last_message(), text) != NULL,
           "%s, not %s with \"%s\": %s", halo_status_text(status), halo_status_text(wanted), text,
           halo_last_message());
}

void expect_agreed(void)
{
    rank_notes *own = notes();
    halo_world *world = own->world;
    int64_t mine = atomic_exchange(&own->failures, 0), sum = mine;
    halo_status status = halo_allreduce_sum(world, &sum, 1);
    if (status == HALO_OK && sum > 0) {
        status = mine == 0 ? HALO_OK : halo_fail(HALO_ARGUMENT, "%s", own->first_failure);
        status = halo_agree(world, status);
        if (halo_world_rank(world) == 0) {
            printf("\n    on %d ranks %" PRId64 " checks failed; %s\n", halo_world_ranks(world),
                   sum, halo_last_message());
        }
    }
    own->agreements++;
    own->failed |= status != HALO_OK;
}

halo_world *mpi_check_world(void)
{
    return notes()->world;
}

int my_rank(void)
{
    return halo_world_rank(mpi_check_world());
}

int all_ranks(void)
{
    return halo_world_ranks(mpi_check_world());
}

/* ---- one world ------------------------------------------------------------------------------ */

/* Seconds of processors that this process has used. */
static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool run_hook(rank_notes *own, void (*hook)(void))
{
    own->failed = false;
    if (hook != NULL) {
        hook();
        expect_agreed();
    }
    return !own->failed;
}

/* A test that finds nothing to do here agrees on nothing. On a machine that does other things too,
 * only the second number says what a test costs. */
static bool run_test(rank_notes *own, const check_test *test)
{
    bool speaks = halo_world_rank(own->world) == 0;
    double begun = halo_seconds(), used = processor_seconds();
    if (speaks) {
        printf("  Test: %s ...", test->name);
    }
    own->agreements = 0;
    own->failed = false;
    test->run();
    if (own->agreements == 0) {
        expect_agreed();
    }
    bool good = !own->failed;
    if (speaks) {
        printf("%.2f s, %.2f s of its processor, %s\n", halo_seconds() - begun,
               processor_seconds() - used, good ? "passed" : "FAILED");
    }
    return good;
}

/* Returns whether all tests passed, and adds them to `run`. */
static bool run_suite(rank_notes *own, const check_request *requested, int64_t *run)
{
    bool begun = run_hook(own, requested->begin), good = begun;
    int64_t before = *run;
    for (const check_test *test = requested->tests; begun && test->name != NULL; test++) {
        if (requested->only == NULL || strstr(test->name, requested->only) != NULL) {
            *run += 1;
            good = run_test(own, test) && good;
        }
    }
    return run_hook(own, requested->end) && good && *run > before;
}

bool check_run_world(halo_world *world, int place, const check_request *requested, int64_t *run)
{
    rank_notes *own = &all_notes[place];
    int ranks = halo_world_ranks(world);
    bool speaks = halo_world_rank(world) == 0;
    double begun = halo_seconds(), used = processor_seconds();
    own_notes = own;
    own->world = world;
    atomic_store(&own->failures, 0);
    atomic_store(&own->account, halo_memory_account_used());
    if (speaks) {
        printf("\n==== %s on %d rank%s\n", requested->suite, ranks, ranks == 1 ? "" : "s");
    }
    bool good = run_suite(own, requested, run);
    int64_t seconds = place == 0 ? (int64_t)(1e6 * (processor_seconds() - used)) : 0;
    good = halo_allreduce_sum(world, &seconds, 1) == HALO_OK && good;
    if (speaks) {
        printf("==== %s on %d %s%s: %s, %.1f s, %.1f s of all processors\n", requested->suite,
               ranks, requested->threads ? "thread" : "rank", ranks == 1 ? "" : "s",
               good ? "good" : "FAILED", halo_seconds() - begun, (double)seconds / 1e6);
        fflush(stdout);
    }
    own_notes = NULL;
    return good;
}

/* ---- all worlds ----------------------------------------------------------------------------- */

void check_add(check_tally *tally, int ranks, bool good)
{
    if (!good) {
        size_t length = strlen(tally->where);
        snprintf(tally->where + length, sizeof tally->where - length, "%s %d",
                 tally->failed == 0 ? "" : ",", ranks);
        tally->failed++;
    }
}

void check_print_tally(const check_request *requested, const check_tally *tally, double begun)
{
    printf("\n%s: %" PRId64 " tests in %d worlds, %.1f s: %s%s%s\n", requested->suite, tally->run,
           requested->worlds, halo_seconds() - begun, tally->failed == 0 ? "all good" : "FAILED on",
           tally->where, tally->failed == 0 ? "" : " ranks");
}

bool check_sizes_fit(check_request *requested, int ranks, bool speaks)
{
    bool fit = true;
    if (requested->worlds == 0) {
        requested->sizes[requested->worlds++] = ranks;
    }
    for (int w = 0; w < requested->worlds; w++) {
        fit = fit && requested->sizes[w] <= ranks;
    }
    if (!fit && speaks) {
        fprintf(stderr, "%s: a number of --ranks is above %d\n", requested->suite, ranks);
    }
    return fit;
}

/* A world of threads, and what its rank 0 found. */
typedef struct {
    const check_request *requested;
    int64_t run;
    bool good;
} thread_world;

static halo_status run_thread(halo_world *world, void *context)
{
    thread_world *shared = context;
    int64_t run = 0;
    int rank = halo_world_rank(world);
    bool good = check_run_world(world, rank, shared->requested, &run);
    if (rank == 0) {
        shared->run = run;
        shared->good = good;
    }
    return HALO_OK;
}

static int run_threads(check_request *requested)
{
    check_tally tally = {0};
    double begun = halo_seconds();
    if (!check_sizes_fit(requested, CHECK_MAX_RANKS, true)) {
        return 1;
    }
    for (int w = 0; w < requested->worlds; w++) {
        thread_world shared = {.requested = requested};
        places = requested->sizes[w];
        if (halo_run(places, NULL, run_thread, &shared) != HALO_OK) {
            fprintf(stderr, "%s\n", halo_last_message());
            shared.good = false;
        }
        tally.run += shared.run;
        check_add(&tally, places, shared.good);
    }
    check_print_tally(requested, &tally, begun);
    return tally.failed > 0;
}

static bool read_sizes(const char *text, check_request *requested)
{
    requested->worlds = 0;
    for (;; text++) {
        char *end;
        long size = strtol(text, &end, 10);
        if (end == text || size < 1 || size > CHECK_MAX_RANKS ||
            requested->worlds == CHECK_MAX_WORLDS) {
            return false;
        }
        requested->sizes[requested->worlds++] = (int)size;
        text = end;
        if (*text != ',') {
            return *text == '\0';
        }
    }
}

static bool read_arguments(int argc, char **argv, check_request *requested)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--threads") == 0) {
            requested->threads = true;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(argv[i], "--only") == 0) {
            requested->only = value;
        } else if (strcmp(argv[i], "--ranks") != 0 || !read_sizes(value, requested)) {
            return false;
        }
        i++;
    }
    return true;
}

int mpi_check_run(int argc, char **argv, const char *suite, const check_test *tests,
                  void (*begin)(void), void (*end)(void))
{
    check_request requested = {.suite = suite, .tests = tests, .begin = begin, .end = end};
    if (!read_arguments(argc, argv, &requested)) {
        fprintf(stderr,
                "%s: use --ranks LIST, of numbers from 1 to the ranks that were started,"
                " --only TEXT and --threads\n",
                argv[0]);
        return 1;
    }
    return requested.threads ? run_threads(&requested)
                             : check_run_processes(argc, argv, &requested);
}
