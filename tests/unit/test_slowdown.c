/* Ranks that are slow on purpose: what is understood, what is refused, and that time is spent, by a
 * clock that the test turns. */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "core/world/clock.h"
#include "core/world/slowdown.h"
#include "support/images.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <time.h>

/* A clock has no argument for it. Each reading of the library's turns it by a tick. */
static double now, tick;
static int64_t readings;

/* The linker sends the library's readings here (--wrap). */
double __wrap_halo_seconds(void);
double __wrap_halo_seconds(void)
{
    readings++;
    return now += tick;
}

static halo_slowdown *new_slowdown(void)
{
    halo_slowdown *slowdown;
    SUCCEEDS(halo_slowdown_create(&slowdown));
    return slowdown;
}

/* A factor of a rank at a beat and a second. */
typedef struct {
    int rank;
    int64_t beat;
    double seconds, factor;
} expected;

static void expect_factor(const halo_slowdown *slowdown, int rank, int64_t beat, double seconds,
                          double wanted)
{
    double factor = halo_slowdown_factor(slowdown, rank, beat, seconds);
    check(factor == wanted, "rank %d, beat %" PRId64 ", %g s: factor %g, not %g", rank, beat,
          seconds, factor, wanted);
}

/* These factors, and the last rank that has any; destroys it. */
static void expect(halo_slowdown *slowdown, const expected *wanted, size_t count, int last_rank)
{
    for (size_t i = 0; i < count; i++) {
        const expected *w = &wanted[i];
        expect_factor(slowdown, w->rank, w->beat, w->seconds, w->factor);
    }
    CU_ASSERT_EQUAL(halo_slowdown_last_rank(slowdown), last_rank);
    halo_slowdown_destroy(&slowdown);
    CU_ASSERT_PTR_NULL(slowdown);
    halo_slowdown_destroy(&slowdown);
}

TEST("nobody is slow")
{
    static const expected nobody = {0, 0, 0, 1};
    expect_factor(NULL, 0, 0, 0, 1);
    expect(new_slowdown(), &nobody, 1, -1);
}

TEST("slow ranks")
{
    /* Two slowdowns of one rank from the same beat are given: the later one counts. */
    static const char *const texts[] = {"3:2.5@100",
                                        "1:3",
                                        "3:1@250",
                                        "3:1e6@200",
                                        "0:4.@7",
                                        "0:.5e1@7",
                                        "2147483647:1.5@9007199254740992"};
    static const expected wanted[] = {{0, 6, 0, 1},
                                      {0, 7, 0, 5},
                                      {1, 0, 0, 3},
                                      {1, INT64_MAX, 1e9, 3},
                                      {2, 500, 0, 1},
                                      {3, 0, 0, 1},
                                      {3, 99, 0, 1},
                                      {3, 100, 0, 2.5},
                                      {3, 199, 0, 2.5},
                                      {3, 200, 0, 1e6},
                                      {3, 249, 0, 1e6},
                                      {3, 250, 0, 1},
                                      {3, 1000000, 0, 1},
                                      {4, 500, 0, 1},
                                      {2147483647, INT64_C(9007199254740991), 0, 1},
                                      {2147483647, INT64_C(9007199254740992), 0, 1.5}};
    halo_slowdown *slowdown = new_slowdown();
    for (size_t i = 0; i < COUNT(texts); i++) {
        SUCCEEDS(halo_slowdown_add(slowdown, texts[i]));
    }
    expect(slowdown, wanted, COUNT(wanted), 2147483647);
}

TEST("texts that name none")
{
    char texts[] =
        "1|1:|:3|1:3@|1:3@x|1:3@1.5|1:3@-1|-1:3|+1:3| 1:3|1: 3|1:3 "
        "|1:.99|1:0|1:-2|1:1e7|1:nan|1:inf|1:0x10|1:3x|1:3@1,2:3|1.5:3|2147483648:2|1:1..5|1:+3|1:"
        "3@1@2|x:3|1:3e|1:1e999|1:1000001|1:3@9007199254740993|1:3@99999999999999999999";
    halo_slowdown *slowdown = new_slowdown();
    FAILS(HALO_ARGUMENT, "RANK:FACTOR@BEAT", halo_slowdown_add(slowdown, ""));
    for (char *text = strtok(texts, "|"); text != NULL; text = strtok(NULL, "|")) {
        if (!FAILS(HALO_ARGUMENT, "RANK:FACTOR@BEAT", halo_slowdown_add(slowdown, text))) {
            printf("\"%s\"\n", text);
        }
    }
    expect(slowdown, NULL, 0, -1);
}

/* Beside the last of those given for a rank and a beat that is not later, one by one. */
TEST("many at random")
{
    enum { GIVEN = 200, RANKS = 7, BEATS = 60 };
    uint64_t random = 5;
    for (int round = 0; round < 20; round++) {
        halo_slowdown *slowdown = new_slowdown();
        int factors[RANKS + 1][BEATS] = {{0}};
        for (int i = 0; i < GIVEN; i++) {
            int rank = (int)random_below(&random, RANKS), beat = (int)random_below(&random, BEATS);
            factors[rank][beat] = 1 + (int)random_below(&random, 1000);
            char text[64];
            snprintf(text, sizeof text, "%d:%d@%d", rank, factors[rank][beat], beat);
            SUCCEEDS(halo_slowdown_add(slowdown, text));
            rank = (int)random_below(&random, RANKS + 1);
            int at = beat = (int)random_below(&random, BEATS);
            while (at > 0 && factors[rank][at] == 0) {
                at--;
            }
            expect_factor(slowdown, rank, beat, 0, factors[rank][at] > 0 ? factors[rank][at] : 1);
        }
        halo_slowdown_destroy(&slowdown);
    }
}

static halo_status read_trace(halo_slowdown *slowdown, const char *text, size_t bytes)
{
    scratch_write("trace", text, bytes);
    return halo_slowdown_read_trace(slowdown, "trace");
}

TEST("a trace")
{
    static const char text[] = "# who is loaded when\n"
                               "\n"
                               "1 2 1\n"
                               "  0.5\t0 2.5# at once\r\n"
                               "2.5 2 .5   # less\n"
                               "1 0 0\n"
                               " # nothing\n"
                               "1e1 2 0";
    static const expected before[] = {
        {0, 0, 0, 1},   {0, 0, .49, 1}, {0, 0, .5, 3.5},  {0, 0, .99, 3.5}, {0, 0, 1, 1},
        {0, 0, 1e9, 1}, {2, 0, .99, 1}, {2, 0, 1, 2},     {2, 0, 2.49, 2},  {2, 0, 2.5, 1.5},
        {1, 0, 1, 1},   {3, 0, 1, 1},   {2, 0, 9.9, 1.5}, {2, 0, 10, 1},    {2, 0, 1e9, 1}};
    /* Slowdowns that are given in both ways are multiplied; another trace is for other ranks. */
    static const expected after[] = {
        {2, 9, 2, 2}, {2, 10, 2, 6}, {2, 10, 0, 3}, {1, 0, 4, 10}, {2, 0, 4, 1.5}};
    halo_slowdown *slowdown = new_slowdown();
    SUCCEEDS(read_trace(slowdown, text, strlen(text)));
    CU_ASSERT_EQUAL(halo_slowdown_last_rank(slowdown), 2);
    for (size_t i = 0; i < COUNT(before); i++) {
        expect_factor(slowdown, before[i].rank, 0, before[i].seconds, before[i].factor);
    }
    SUCCEEDS(halo_slowdown_add(slowdown, "2:3@10"));
    SUCCEEDS(halo_slowdown_add(slowdown, "5:2"));
    SUCCEEDS(read_trace(slowdown, "4 1 9\n", 6));
    expect(slowdown, after, COUNT(after), 5);
}

TEST("bad traces")
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"1 2\n", "line 1: \"1 2\""},
        {"# x\n\n1 2 3 4\n", "line 3: \"1 2 3 4\""},
        {"1 2 -1\n", "line 1"},
        {"-1 2 1\n", "line 1"},
        {"1 -2 1\n", "line 1"},
        {"1 2.5 1\n", "line 1"},
        {"1 2 nan\n", "line 1"},
        {"inf 2 1\n", "line 1"},
        {"1 2 1000000\n", "line 1"},
        {"1 2 1\nspeed 0 1\n", "line 2: \"speed 0 1\""},
        {"1,2,3\n", "line 1"},
        {"1 2 3\n2 2 3\n# then\n2 2 4\n", "line 4: second 2 of rank 2 comes after second 2"},
        {"1 2 3\n5 1 1\n.5 2 3\n", "line 3: second 0.5 of rank 2 comes after second 1 in line 1"},
        {"", "has no loads"},
        {"# 1 2 3\n", "has no loads"},
    };
    static const expected kept[] = {{1, 0, 8, 1}, {2, 0, 10, 4}};
    halo_slowdown *slowdown = new_slowdown();
    for (size_t i = 0; i < COUNT(bad); i++) {
        FAILS(HALO_FORMAT, bad[i].message, read_trace(slowdown, bad[i].text, strlen(bad[i].text)));
        CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "trace"));
    }
    FAILS(HALO_FORMAT, "trace", read_trace(slowdown, "1 2 3\0\n", 7));
    FAILS(HALO_FILE, "/nonexistent/trace: No such file",
          halo_slowdown_read_trace(slowdown, "/nonexistent/trace"));
    FAILS(HALO_FILE, "", halo_slowdown_read_trace(slowdown, "/"));
    CU_ASSERT_EQUAL(halo_slowdown_last_rank(slowdown), -1);
    SUCCEEDS(read_trace(slowdown, "1 2 3\n", 6));
    FAILS(HALO_FORMAT, "line 2: rank 2 has loads from another",
          read_trace(slowdown, "7 1 1\n9 2 1\n", 12));
    expect(slowdown, kept, COUNT(kept), 2);
}

/* A trace is read as it was written, whatever the order of ranks. */
TEST("a long trace")
{
    enum { LINES = 20000, RANKS = 16 };
    halo_buffer text = {0};
    uint64_t random = 11;
    for (int i = 0; i < LINES; i++) {
        char line[64];
        int rank = (int)random_below(&random, RANKS);
        int length = snprintf(line, sizeof line, "%d %d %d\n", i + 1, rank, i % 100);
        SUCCEEDS(halo_buffer_append(&text, line, (size_t)length));
    }
    halo_slowdown *slowdown = new_slowdown();
    SUCCEEDS(read_trace(slowdown, (char *)text.data, text.size));
    halo_buffer_free(&text);
    random = 11;
    for (int i = 0; i < LINES; i++) {
        int rank = (int)random_below(&random, RANKS);
        expect_factor(slowdown, rank, 0, i + 1, 1 + i % 100);
        expect_factor(slowdown, rank, 0, i + 1.5, 1 + i % 100);
    }
    halo_slowdown_destroy(&slowdown);
}

/* How often the clock is read while so many seconds are spent, of which each reading takes `each`:
 * powers of two, so that sums are exact. */
static int64_t spend(double seconds, double each)
{
    now = 1000;
    tick = each;
    readings = 0;
    halo_slowdown_inject(seconds);
    return readings;
}

/* One reading when it begins, then until the seconds are over, and none after that. */
TEST("time is spent, if there is any")
{
    static const struct {
        double seconds, each;
        int64_t readings;
    } cases[] = {
        {1, .25, 5},    {1.125, .25, 6}, {.875, .25, 5},       {.25, .25, 2},
        {1e-9, .5, 2},  {100, 256, 2},   {0, .5, 0},           {.5, 1. / 1024, 513},
        {-1e-9, .5, 0}, {-1e9, .5, 0},   {(double)NAN, .5, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t found = spend(cases[i].seconds, cases[i].each);
        check(found == cases[i].readings, "%g s: %" PRId64 " readings %g s apart, not %" PRId64,
              cases[i].seconds, found, cases[i].each, cases[i].readings);
    }
}

static double processor_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Between two readings it computes: a rank that slept would leave its core to others. Time of the
 * process itself does not depend on what else the machine does, and no processor needs less than
 * .02 us for 200 multiplications that wait for each other. */
TEST("time is spent computing")
{
    enum { READINGS = 1 << 18 };
    double begun = processor_seconds();
    int64_t found = spend(READINGS - 1, 1);
    double used = processor_seconds() - begun;
    check(found == READINGS, "%" PRId64 " readings, not %d", found, (int)READINGS);
    check(used > .02e-6 * READINGS, "%g s of computing between %d readings", used, (int)READINGS);
}

int main(void)
{
    return scratch_run();
}
