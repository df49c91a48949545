/* Ranks that are slow on purpose: what is understood, what is refused, and that time is spent, by a
 * clock that the test turns. */

#define _POSIX_C_SOURCE 200809L /* mkdtemp, clock_gettime */

#include "core/world/clock.h"
#include "core/world/slowdown.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 256 };

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
    if (halo_slowdown_create(&slowdown) != HALO_OK) {
        exit(1);
    }
    return slowdown;
}

static void add(halo_slowdown *slowdown, const char *text)
{
    check(halo_slowdown_add(slowdown, text) == HALO_OK, "%s: %s", text, halo_last_message());
}

static void expect_factor(const halo_slowdown *slowdown, int rank, int64_t beat, double seconds,
                          double wanted)
{
    double factor = halo_slowdown_factor(slowdown, rank, beat, seconds);
    check(factor == wanted, "rank %d, beat %" PRId64 ", %g s: factor %g, not %g", rank, beat,
          seconds, factor, wanted);
}

TEST("nobody is slow")
{
    expect_factor(NULL, 0, 0, 0, 1);
    halo_slowdown *slowdown = new_slowdown();
    expect_factor(slowdown, 0, 0, 0, 1);
    check(halo_slowdown_last_rank(slowdown) == -1, "last rank %d",
          halo_slowdown_last_rank(slowdown));
    halo_slowdown_destroy(&slowdown);
    check(slowdown == NULL, "not NULL");
    halo_slowdown_destroy(&slowdown);
}

TEST("slow ranks")
{
    halo_slowdown *slowdown = new_slowdown();
    add(slowdown, "3:2.5@100");
    add(slowdown, "1:3");
    add(slowdown, "3:1@250");
    add(slowdown, "3:1e6@200");
    add(slowdown, "0:4.@7");
    add(slowdown, "0:.5e1@7"); /* the later one counts */
    add(slowdown, "2147483647:1.5@9007199254740992");
    expect_factor(slowdown, 0, 6, 0, 1);
    expect_factor(slowdown, 0, 7, 0, 5);
    expect_factor(slowdown, 1, 0, 0, 3);
    expect_factor(slowdown, 1, INT64_MAX, 1e9, 3);
    expect_factor(slowdown, 2, 500, 0, 1);
    static const int64_t beats[] = {0, 99, 100, 199, 200, 249, 250, 1000000};
    static const double factors[] = {1, 1, 2.5, 2.5, 1e6, 1e6, 1, 1};
    for (size_t i = 0; i < COUNT(beats); i++) {
        expect_factor(slowdown, 3, beats[i], 0, factors[i]);
    }
    expect_factor(slowdown, 4, 500, 0, 1);
    expect_factor(slowdown, 2147483647, INT64_C(9007199254740991), 0, 1);
    expect_factor(slowdown, 2147483647, INT64_C(9007199254740992), 0, 1.5);
    check(halo_slowdown_last_rank(slowdown) == 2147483647, "last rank %d",
          halo_slowdown_last_rank(slowdown));
    halo_slowdown_destroy(&slowdown);
}

TEST("texts that name none")
{
    static const char *const texts[] = {"",
                                        "1",
                                        "1:",
                                        ":3",
                                        "1:3@",
                                        "1:3@x",
                                        "1:3@1.5",
                                        "1:3@-1",
                                        "-1:3",
                                        "+1:3",
                                        " 1:3",
                                        "1: 3",
                                        "1:3 ",
                                        "1:.99",
                                        "1:0",
                                        "1:-2",
                                        "1:1e7",
                                        "1:nan",
                                        "1:inf",
                                        "1:0x10",
                                        "1:3x",
                                        "1:3@1,2:3",
                                        "1.5:3",
                                        "2147483648:2",
                                        "1:1..5",
                                        "1:+3",
                                        "1:3@1@2",
                                        "x:3",
                                        "1:3e",
                                        "1:1e999",
                                        "1:1000001",
                                        "1:3@9007199254740993",
                                        "1:3@99999999999999999999"};
    halo_slowdown *slowdown = new_slowdown();
    for (size_t i = 0; i < COUNT(texts); i++) {
        check(halo_slowdown_add(slowdown, texts[i]) == HALO_ARGUMENT, "\"%s\" is accepted",
              texts[i]);
        check(strstr(halo_last_message(), "RANK:FACTOR@BEAT") != NULL, "\"%s\": no remedy in %s",
              texts[i], halo_last_message());
    }
    check(halo_slowdown_last_rank(slowdown) == -1, "a refused text counts");
    halo_slowdown_destroy(&slowdown);
}

/* The last of the spells given for a rank and a beat that is not later, one by one. */
static double slow_factor(int given, const int *ranks, const int64_t *since, const int *factors,
                          int rank, int64_t beat)
{
    double factor = 1;
    int64_t best = -1;
    for (int i = 0; i < given; i++) {
        if (ranks[i] == rank && since[i] <= beat && since[i] >= best) {
            best = since[i];
            factor = factors[i];
        }
    }
    return factor;
}

TEST("many at random")
{
    enum { GIVEN = 200, RANKS = 7, BEATS = 60 };
    uint64_t random = 5;
    for (int round = 0; round < 20; round++) {
        halo_slowdown *slowdown = new_slowdown();
        int ranks[GIVEN], factors[GIVEN];
        int64_t since[GIVEN];
        for (int i = 0; i < GIVEN; i++) {
            ranks[i] = (int)random_below(&random, RANKS);
            factors[i] = 1 + (int)random_below(&random, 1000);
            since[i] = random_below(&random, BEATS);
            char text[64];
            snprintf(text, sizeof text, "%d:%d@%" PRId64, ranks[i], factors[i], since[i]);
            add(slowdown, text);
            int rank = (int)random_below(&random, RANKS + 1);
            int64_t beat = random_below(&random, BEATS);
            expect_factor(slowdown, rank, beat, 0,
                          slow_factor(i + 1, ranks, since, factors, rank, beat));
        }
        halo_slowdown_destroy(&slowdown);
    }
}

/* A file with this text in the folder for temporary ones. */
static void write_trace(char path[PATH_SIZE], const char *text, size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_SIZE, "%s/halobeat-trace-XXXXXX", folder != NULL ? folder : "/tmp");
    int handle = mkstemp(path);
    if (handle < 0 || write(handle, text, bytes) != (ssize_t)bytes || close(handle) != 0) {
        perror(path);
        exit(1);
    }
}

static halo_status read_trace(halo_slowdown *slowdown, const char *text, size_t bytes)
{
    char path[PATH_SIZE];
    write_trace(path, text, bytes);
    halo_status status = halo_slowdown_read_trace(slowdown, path);
    unlink(path);
    return status;
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
    halo_slowdown *slowdown = new_slowdown();
    check(read_trace(slowdown, text, strlen(text)) == HALO_OK, "%s", halo_last_message());
    check(halo_slowdown_last_rank(slowdown) == 2, "last rank %d",
          halo_slowdown_last_rank(slowdown));
    static const double times[] = {0, .49, .5, .99, 1, 2.49, 2.5, 9.9, 10, 1e9};
    static const double first[] = {1, 1, 3.5, 3.5, 1, 1, 1, 1, 1, 1};
    static const double third[] = {1, 1, 1, 1, 2, 2, 1.5, 1.5, 1, 1};
    for (size_t i = 0; i < COUNT(times); i++) {
        expect_factor(slowdown, 0, 0, times[i], first[i]);
        expect_factor(slowdown, 1, 0, times[i], 1);
        expect_factor(slowdown, 2, 0, times[i], third[i]);
        expect_factor(slowdown, 3, 0, times[i], 1);
    }
    add(slowdown, "2:3@10"); /* both multiply */
    add(slowdown, "5:2");
    expect_factor(slowdown, 2, 9, 2, 2);
    expect_factor(slowdown, 2, 10, 2, 6);
    expect_factor(slowdown, 2, 10, 0, 3);
    check(halo_slowdown_last_rank(slowdown) == 5, "last rank %d",
          halo_slowdown_last_rank(slowdown));

    check(read_trace(slowdown, "4 1 9\n", 6) == HALO_OK, "%s", halo_last_message());
    expect_factor(slowdown, 1, 0, 4, 10);
    expect_factor(slowdown, 2, 0, 4, 1.5);
    halo_slowdown_destroy(&slowdown);
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
    halo_slowdown *slowdown = new_slowdown();
    for (size_t i = 0; i < COUNT(bad); i++) {
        check(read_trace(slowdown, bad[i].text, strlen(bad[i].text)) == HALO_FORMAT,
              "\"%s\" is accepted", bad[i].text);
        check(strstr(halo_last_message(), bad[i].message) != NULL, "\"%s\": %s", bad[i].text,
              halo_last_message());
        check(strstr(halo_last_message(), "halobeat-trace-") != NULL, "no path in %s",
              halo_last_message());
    }
    check(read_trace(slowdown, "1 2 3\0\n", 7) == HALO_FORMAT, "a zero byte is accepted");
    check(halo_slowdown_last_rank(slowdown) == -1, "a refused trace counts");

    check(read_trace(slowdown, "1 2 3\n", 6) == HALO_OK, "%s", halo_last_message());
    check(read_trace(slowdown, "7 1 1\n9 2 1\n", 12) == HALO_FORMAT, "two traces for a rank");
    check(strstr(halo_last_message(), "line 2: rank 2 has loads from another") != NULL, "%s",
          halo_last_message());
    expect_factor(slowdown, 1, 0, 8, 1);
    expect_factor(slowdown, 2, 0, 10, 4);
    halo_slowdown_destroy(&slowdown);
}

TEST("no trace")
{
    halo_slowdown *slowdown = new_slowdown();
    check(halo_slowdown_read_trace(slowdown, "/nonexistent/trace") == HALO_FILE,
          "no such file is read");
    check(strstr(halo_last_message(), "/nonexistent/trace: No such file") != NULL, "%s",
          halo_last_message());
    check(halo_slowdown_read_trace(slowdown, "/") == HALO_FILE, "a folder is read");
    check(halo_slowdown_last_rank(slowdown) == -1, "a trace that cannot be read counts");
    halo_slowdown_destroy(&slowdown);
}

/* Noise of a long trace: what is read is what was written, whatever the order of ranks. */
TEST("a long trace")
{
    enum { LINES = 20000, RANKS = 16 };
    char *text = malloc((size_t)LINES * 64);
    if (text == NULL) {
        exit(1);
    }
    uint64_t random = 11;
    size_t size = 0;
    for (int i = 0; i < LINES; i++) {
        size += (size_t)snprintf(text + size, 64, "%d %d %d\n", i + 1,
                                 (int)random_below(&random, RANKS), i % 100);
    }
    halo_slowdown *slowdown = new_slowdown();
    check(read_trace(slowdown, text, size) == HALO_OK, "%s", halo_last_message());
    free(text);
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
TEST("time is spent")
{
    static const struct {
        double seconds, each;
        int64_t readings;
    } cases[] = {
        {1, .25, 5},   {1.125, .25, 6}, {.875, .25, 5},       {.25, .25, 2},
        {1e-9, .5, 2}, {100, 256, 2},   {.5, 1. / 1024, 513},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t found = spend(cases[i].seconds, cases[i].each);
        check(found == cases[i].readings, "%g s: %" PRId64 " readings %g s apart, not %" PRId64,
              cases[i].seconds, found, cases[i].each, cases[i].readings);
    }
}

TEST("no time is spent")
{
    static const double nothing[] = {0, -1e-9, -1e9, (double)NAN};
    for (size_t i = 0; i < COUNT(nothing); i++) {
        int64_t found = spend(nothing[i], .5);
        check(found == 0, "%g s: %" PRId64 " readings", nothing[i], found);
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
