#define _DEFAULT_SOURCE
#include "support/mpi_check.h"

#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_WORLDS = 16, MAX_TESTS = 64, POLL_NANOSECONDS = 2000000 };

/* What the command line asks for. */
typedef struct {
    int sizes[MAX_WORLDS], worlds;
    const char *only; /* NULL: all tests */
} request;

/* CUnit's tests take no argument, so what they share has to be here. */
static halo_world *world;
static int64_t failures;
static char first_failure[256];
static void (*begin_world)(void), (*end_world)(void);
static double test_begun, test_processor;

void expect(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!holds && failures++ == 0) {
        vsnprintf(first_failure, sizeof first_failure, format, arguments);
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

bool expect_agreed(void)
{
    int64_t sum = failures;
    halo_status status = halo_allreduce_sum(world, &sum, 1);
    if (status == HALO_OK && sum > 0) {
        halo_status mine = failures == 0 ? HALO_OK : halo_fail(HALO_ARGUMENT, "%s", first_failure);
        status = halo_agree(world, mine);
        if (halo_world_rank(world) == 0) {
            printf("\n    on %d ranks %" PRId64 " checks failed; %s\n", halo_world_ranks(world),
                   sum, halo_last_message());
        }
    }
    failures = 0;
    return status == HALO_OK;
}

halo_world *mpi_check_world(void)
{
    return world;
}

int my_rank(void)
{
    return halo_world_rank(world);
}

int all_ranks(void)
{
    return halo_world_ranks(world);
}

/* ---- one world ------------------------------------------------------------------------------ */

static int run_begin(void)
{
    begin_world();
    return expect_agreed() ? 0 : 1;
}

static int run_end(void)
{
    end_world();
    return expect_agreed() ? 0 : 1;
}

/* Seconds of a processor that this rank has used. */
static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void begin_test(void)
{
    test_begun = halo_seconds();
    test_processor = processor_seconds();
}

/* On a machine that does other things too, only the second number says what a test costs. */
static void end_test(void)
{
    printf("%.2f s, %.2f s of its processor, ", halo_seconds() - test_begun,
           processor_seconds() - test_processor);
}

/* Returns whether all tests passed, and adds them to `run`. */
static bool run_suite(const char *name, CU_TestInfo *tests, int64_t *run)
{
    CU_SuiteInfo suites[] = {{name, begin_world != NULL ? run_begin : NULL,
                              end_world != NULL ? run_end : NULL, begin_test, end_test, tests},
                             CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        return false;
    }
    CU_basic_set_mode(halo_world_rank(world) == 0 ? CU_BRM_VERBOSE : CU_BRM_SILENT);
    CU_basic_run_tests();
    bool good = CU_get_number_of_failures() == 0 && CU_get_number_of_tests_run() > 0;
    *run += CU_get_number_of_tests_run();
    CU_cleanup_registry();
    return good;
}

static bool run_world(MPI_Comm comm, const char *suite, CU_TestInfo *tests, int64_t *run)
{
    if (halo_world_create_mpi(&world, comm, NULL) != HALO_OK) {
        fprintf(stderr, "%s\n", halo_last_message());
        return false;
    }
    int ranks = halo_world_ranks(world);
    bool first = halo_world_rank(world) == 0;
    double begun = halo_seconds(), used = processor_seconds();
    if (first) {
        printf("\n==== %s on %d rank%s\n", suite, ranks, ranks == 1 ? "" : "s");
    }
    failures = 0;
    bool good = run_suite(suite, tests, run);
    int64_t all = (int64_t)(1e6 * (processor_seconds() - used));
    good = halo_allreduce_sum(world, &all, 1) == HALO_OK && good;
    if (first) {
        printf("==== %s on %d rank%s: %s, %.1f s, %.1f s of all processors\n", suite, ranks,
               ranks == 1 ? "" : "s", good ? "good" : "FAILED", halo_seconds() - begun,
               (double)all / 1e6);
        fflush(stdout);
    }
    halo_world_destroy(&world);
    return good;
}

/* ---- all worlds ----------------------------------------------------------------------------- */

/* Collective over MPI_COMM_WORLD. Is `good` true on all ranks? Whoever comes early sleeps: MPI's
 * own waits spin, and take the cores from those who work. */
static bool all_good(bool good)
{
    int everywhere = good, complete = 0;
    MPI_Request agreement;
    MPI_Iallreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &agreement);
    for (;;) {
        MPI_Test(&agreement, &complete, MPI_STATUS_IGNORE);
        if (complete) {
            return everywhere != 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_NANOSECONDS}, NULL);
    }
}

static bool read_sizes(const char *text, int ranks, request *asked)
{
    asked->worlds = 0;
    for (;; text++) {
        char *end;
        long size = strtol(text, &end, 10);
        if (end == text || size < 1 || size > ranks || asked->worlds == MAX_WORLDS) {
            return false;
        }
        asked->sizes[asked->worlds++] = (int)size;
        text = end;
        if (*text != ',') {
            return *text == '\0';
        }
    }
}

static bool read_arguments(int argc, char **argv, int ranks, request *asked)
{
    *asked = (request){.sizes = {ranks}, .worlds = 1};
    for (int i = 1; i < argc; i += 2) {
        bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "--only") == 0) {
            asked->only = argv[i + 1];
        } else if (!has_value || strcmp(argv[i], "--ranks") != 0 ||
                   !read_sizes(argv[i + 1], ranks, asked)) {
            return false;
        }
    }
    return true;
}

/* The tests that are asked for, ended as CUnit wants it. False: they are too many. */
static bool choose_tests(const CU_TestInfo *tests, const char *only, CU_TestInfo *chosen)
{
    int count = 0;
    for (; tests->pName != NULL; tests++) {
        if (count + 1 == MAX_TESTS) {
            return false;
        }
        if (only == NULL || strstr(tests->pName, only) != NULL) {
            chosen[count++] = *tests;
        }
    }
    chosen[count] = (CU_TestInfo)CU_TEST_INFO_NULL;
    return true;
}

/* Returns how many of the worlds failed. */
static int run_worlds(const request *asked, const char *suite, CU_TestInfo *tests)
{
    int rank, failed = 0;
    int64_t run = 0;
    char where[100] = "";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begun = halo_seconds();
    for (int w = 0; w < asked->worlds; w++) {
        MPI_Comm comm;
        bool belongs = rank < asked->sizes[w];
        MPI_Comm_split(MPI_COMM_WORLD, belongs ? 0 : MPI_UNDEFINED, rank, &comm);
        bool good = !belongs || run_world(comm, suite, tests, &run);
        if (belongs) {
            MPI_Comm_free(&comm);
        }
        if (!all_good(good)) {
            size_t length = strlen(where);
            snprintf(where + length, sizeof where - length, "%s %d", failed == 0 ? "" : ",",
                     asked->sizes[w]);
            failed++;
        }
    }
    if (rank == 0) {
        printf("\n%s: %" PRId64 " tests in %d worlds, %.1f s: %s%s%s\n", suite, run, asked->worlds,
               halo_seconds() - begun, failed == 0 ? "all good" : "FAILED on", where,
               failed == 0 ? "" : " ranks");
    }
    return failed;
}

int mpi_check_run(int argc, char **argv, const char *suite, CU_TestInfo *tests, void (*begin)(void),
                  void (*end)(void))
{
    int rank, ranks, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    begin_world = begin;
    end_world = end;
    request asked;
    CU_TestInfo chosen[MAX_TESTS];
    bool good =
        read_arguments(argc, argv, ranks, &asked) && choose_tests(tests, asked.only, chosen);
    if (!good && rank == 0) {
        fprintf(stderr,
                "%s: use --ranks LIST, of numbers from 1 to the %d ranks that were "
                "started, and --only TEXT\n",
                argv[0], ranks);
    }
    /* CUnit's summary knows no silence. */
    good = good && (rank == 0 || freopen("/dev/null", "w", stdout) != NULL);
    good = all_good(good) && run_worlds(&asked, suite, chosen) == 0;
    MPI_Finalize();
    return good ? 0 : 1;
}
