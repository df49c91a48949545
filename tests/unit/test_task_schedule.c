#include "base/random.h"
#include "support/schedules.h"

#include <stdlib.h>
#include <string.h>

/* Strategies that hand out tasks: the chunks that their sources give, and that nothing is lost. */

/* A list of chunks, of which "2x5" are two. */
static void read_chunks(const char *text, int64_t *chunks, int *count)
{
    *count = 0;
    while (*text != '\0') {
        char *end;
        long first = strtol(text, &end, 10), times = 1;
        if (*end == 'x') {
            times = first;
            first = strtol(end + 1, &end, 10);
        }
        for (long i = 0; i < times; i++) {
            chunks[(*count)++] = first;
        }
        text = *end == ' ' ? end + 1 : end;
    }
}

enum { MOST = 2000 };

/* Requests of all workers in turn get these chunks. */
static void expect_chunks(halo_schedule *schedule, int workers, const char *what, const char *text)
{
    int64_t wanted[MOST];
    int count;
    read_chunks(text, wanted, &count);
    for (int i = 0; i < count; i++) {
        int64_t got = halo_schedule_next(schedule, i % workers, 1);
        check(got == wanted[i], "%s: chunk %d is %lld, not %lld", what, i, (long long)got,
              (long long)wanted[i]);
    }
    check(halo_schedule_left(schedule) == 0, "%s: %lld tasks are left", what,
          (long long)halo_schedule_left(schedule));
}

TEST("chunks of the sources")
{
    static const struct {
        const char *words;
        int64_t tasks;
        bool weighted;
        const char *chunks;
    } vectors[] = {
        {"guided", 1000, 0, "250 188 141 106 80 60 45 34 26 19 15 11 8 6 5 4 2"},
        {"guided:1987", 1000, 0, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3 3 2 1 1 1 1"},
        {"factoring", 1000, 0, "4x125 4x63 4x32 4x16 4x8 4x4 4x2"},
        {"factoring:1992", 1000, 0, "4x125 4x63 4x31 4x16 4x8 4x4 4x2 4x1"},
        {"weighted-factoring", 1000, 1,
         "63 63 125 250 32 32 63 126 16 16 31 62 8 8 16 32 4 4 8 16 2 2 4 8 1 1 2 4 1"},
        {"uniform:8", 1000, 0, "8x125"},
        {"exponential:2", 1000, 0,
         "4x125 63 63 62 62 32 31 31 31 16 16 16 15 8 8 8 7 4x4 4x2 4x1 1 1 1"},
        {"exponential:3/2", 1000, 0, "167 167 167 166 56 56 55 55 19 19 18 18 7 6 6 6 4x2 4x1"},
        {"tss", 1000, 0, "125 117 109 101 93 85 77 69 61 53 45 37 28"},
        {"mfsc", 1000, 0, "31x32 8"},
        {"fsc", 1000, 0, "100x10"},
        {"static", 1000, 0, "4x250"},
        {"static-weighted", 1000, 1, "125 125 250 500"},
        {"guided", 100, 0, "25 19 15 11 8 6 5 4 3 2 2"},
        {"factoring", 100, 0, "4x13 4x7 4x4 2 2"},
        {"static-weighted", 100, 1, "13 12 25 50"},
        {"guided", 17, 0, "5 4 3 2 2 1"},
        {"factoring", 17, 0, "3 3 3 3 2 2 1"},
        {"static-weighted", 17, 1, "2 2 4 9"},
        {"fixed:8", 17, 0, "8 8 1"},
    };
    for (size_t i = 0; i < COUNT(vectors); i++) {
        halo_schedule *schedule = make_schedule(vectors[i].words, vectors[i].tasks, 4,
                                                vectors[i].weighted ? BY_HAND : NULL);
        expect_chunks(schedule, 4, vectors[i].words, vectors[i].chunks);
        halo_schedule_destroy(&schedule);
    }
}

TEST("groups")
{
    static const int groups[] = {0, 0, 1, 1, 1};
    halo_schedule *schedule;
    SUCCEEDS(halo_schedule_create(
        &schedule, "hierarchical:3",
        &(halo_schedule_options){.tasks = 20, .workers = 5, .groups = groups}));
    CU_ASSERT_EQUAL(halo_schedule_where(schedule), HALO_SCHEDULE_GROUPS);
    CU_ASSERT_EQUAL(halo_schedule_next_group(schedule, 0), 6);
    CU_ASSERT_EQUAL(halo_schedule_next_group(schedule, 1), 9);
    CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 6), 1);
    CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 0), 0);
    CU_ASSERT_EQUAL(halo_schedule_next_group(schedule, 1), 5);
    CU_ASSERT_EQUAL(halo_schedule_next_group(schedule, 0), 0);
    halo_schedule_destroy(&schedule);
}

TEST("queues")
{
    static const int64_t stolen[] = {125, 62, 31, 16, 8, 4, 2, 1, 1};
    halo_schedule *schedule = make_schedule("diffusive", 1000, 4, NULL);
    int64_t queue = halo_schedule_share(schedule, 0);
    CU_ASSERT_EQUAL(queue, 250);
    for (size_t i = 0; i < COUNT(stolen); i++) {
        CU_ASSERT_EQUAL(halo_schedule_take(schedule, queue), stolen[i]);
        queue -= halo_schedule_take(schedule, queue);
    }
    CU_ASSERT_EQUAL(queue, 0);
    CU_ASSERT_EQUAL(halo_schedule_take(schedule, 0), 0);
    halo_schedule_destroy(&schedule);
}

TEST("victims")
{
    static const double left[] = {4, 0, 9, -1}, known[] = {4, 0, 9, 2}, none[] = {4, 0, 0, 0};
    halo_schedule *turn = make_schedule("diffusive:2,turn", 100, 4, NULL);
    halo_schedule *seconds = make_schedule("diffusive:3/2,seconds", 100, 4, NULL);
    halo_schedule *random = make_schedule("diffusive:random", 100, 4, NULL);
    for (int requested = 0; requested < 6; requested++) {
        int victim = halo_schedule_victim(turn, 1, requested, left);
        check(victim != 1, "worker 1 asks itself");
        check(requested % 4 == 3 || victim == (2 + requested) % 4, "worker 1 asks %d", victim);
    }
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 0, 0, left), 3); /* nothing is known of it */
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 0, 0, known), 2);
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 2, 0, known), 0);
    int times[4] = {0};
    for (int requested = 0; requested < 3000; requested++) {
        times[halo_schedule_victim(random, 2, requested, left)]++;
    }
    CU_ASSERT_EQUAL(times[2], 0);
    for (int i = 0; i < 4; i++) {
        check(i == 2 || (times[i] > 850 && times[i] < 1150), "worker %d: %d of 3000", i, times[i]);
    }
    CU_ASSERT_EQUAL(halo_schedule_victim(turn, 0, 0, none), -1);
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 0, 0, none), -1);
    halo_schedule_destroy(&turn);
    halo_schedule_destroy(&seconds);
    halo_schedule_destroy(&random);
}

/* Two workers, tasks of a millisecond that become slow: chunks of 20 ms. */
TEST("as many tasks as take so long")
{
    static const struct {
        int worker;
        int64_t done; /* since its last request */
        double seconds;
        int64_t gets;
    } requests[] = {{0, 0, 0, 1},      {1, 0, 0, 1},    {0, 1, .001, 2},  {0, 2, .002, 4},
                    {1, 1, .1, 1},     {0, 4, .004, 8}, {0, 8, .008, 16}, {0, 16, .016, 20},
                    {0, 20, .02, 20},  {1, 1, .001, 1}, {0, 20, 2, 1},    {0, 1, .001, 1},
                    {0, 199, .0199, 2}};
    halo_schedule *schedule = make_schedule("timed", 160, 2, NULL);
    for (size_t i = 0; i < COUNT(requests); i++) {
        const halo_schedule_done done = {.tasks = requests[i].done, .seconds = requests[i].seconds};
        if (done.tasks > 0) {
            halo_schedule_note(schedule, requests[i].worker, &done);
        }
        int64_t got = halo_schedule_next(schedule, requests[i].worker, 1);
        check(got == requests[i].gets, "request %zu gets %lld", i, (long long)got);
    }
    halo_schedule_destroy(&schedule);
}

TEST("tasks done again")
{
    CU_ASSERT_EQUAL(halo_schedule_redundant(0, 4), 0);
    CU_ASSERT_EQUAL(halo_schedule_redundant(1, 4), 1);
    CU_ASSERT_EQUAL(halo_schedule_redundant(8, 4), 1);
    CU_ASSERT_EQUAL(halo_schedule_redundant(9, 4), 2);
}

static uint32_t draw(int round, int64_t number)
{
    return halo_random_at(7, (uint64_t)round, number);
}

/* Requests of random workers, with random times; each gets 1 to what is left, until nothing is. */
static void hand_out(halo_schedule *schedule, int workers, int round)
{
    int64_t before = halo_schedule_left(schedule);
    halo_schedule_place place = halo_schedule_where(schedule);
    for (int64_t request = 0; before > 0; request++) {
        int worker = (int)(draw(round, 4 * request) % (uint32_t)workers);
        int64_t got =
            place == HALO_SCHEDULE_GROUPS
                ? halo_schedule_next_group(schedule, worker % 3)
                : halo_schedule_next(schedule, place == HALO_SCHEDULE_CHAIN ? 0 : worker, 1);
        if (!check(got >= 1 && got <= before, "%lld tasks of %lld", (long long)got,
                   (long long)before)) {
            return;
        }
        CU_ASSERT_EQUAL(halo_schedule_left(schedule), before - got);
        before -= got;
        double seconds = 1e-6 * draw(round, 4 * request + 1);
        halo_schedule_note(schedule, worker,
                           &(halo_schedule_done){.tasks = got,
                                                 .seconds = seconds,
                                                 .squares = draw(round, 4 * request + 2) % 2 == 0
                                                                ? seconds * seconds
                                                                : 0,
                                                 .waited = 1e-6 * draw(round, 4 * request + 3)});
    }
    CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 0), 0);
}

static int64_t sum_of_shares(const halo_schedule *schedule, int workers)
{
    int64_t sum = 0;
    for (int i = 0; i < workers; i++) {
        sum += halo_schedule_share(schedule, i);
    }
    return sum;
}

enum { MOST_WORKERS = 40 };

static void try_strategy(const char *words, int round)
{
    double weights[MOST_WORKERS];
    int groups[MOST_WORKERS], workers = (int)(1 + draw(round, 1000) % MOST_WORKERS);
    int64_t tasks = draw(round, 1001) % 3 == 0 ? draw(round, 1002) % 20 : draw(round, 1002) % 3000;
    for (int i = 0; i < workers; i++) {
        weights[i] = 1e-3 * (1 + draw(round, 2000 + i) % 100000);
        groups[i] = i % 3;
    }
    halo_schedule *schedule;
    SUCCEEDS(halo_schedule_create(&schedule, words,
                                  &(halo_schedule_options){.tasks = tasks,
                                                           .workers = workers,
                                                           .weights = weights,
                                                           .groups = groups,
                                                           .seed = (uint64_t)round}));
    if (halo_schedule_where(schedule) == HALO_SCHEDULE_QUEUES) {
        CU_ASSERT_EQUAL(sum_of_shares(schedule, workers), tasks);
    } else if (workers >= 3 || halo_schedule_where(schedule) != HALO_SCHEDULE_GROUPS) {
        hand_out(schedule, workers, round);
    }
    halo_schedule_destroy(&schedule);
}

TEST("each task once, whatever the numbers")
{
    static const char *const more[] = {"fixed:1",
                                       "fixed:7",
                                       "fixed:9223372036854775807",
                                       "uniform:1",
                                       "uniform:100",
                                       "hierarchical:1",
                                       "hierarchical:9223372036854775807",
                                       "hierarchical:2,2147483647",
                                       "guided:1987",
                                       "factoring:1992",
                                       "exponential",
                                       "exponential:1.0001",
                                       "exponential:1e9",
                                       "weighted-factoring:start",
                                       "weighted-factoring:batch",
                                       "weighted-factoring:2008",
                                       "timed:1e-6",
                                       "timed:100",
                                       "adaptive:2008",
                                       "adaptive-latency:2008",
                                       "diffusive:7"};
    for (int round = 0; round < 60; round++) {
        const halo_schedule_entry *entry;
        for (int i = 0; (entry = halo_schedule_list(i)) != NULL; i++) {
            bool needs = entry->parameter != NULL && entry->parameter[0] == ':';
            if (!needs) {
                try_strategy(entry->name, round);
            }
        }
        for (size_t i = 0; i < COUNT(more); i++) {
            try_strategy(more[i], round);
        }
    }
}

TEST("bad words")
{
    halo_schedule *schedule;
    const halo_schedule_options options = {.tasks = 10, .workers = 2};
    static const char *const bad[] = {
        "fixed",           "fixed:",          "fixed:0",          "fixed:-1",
        "fixed:2x",        "uniform",         "uniform:0",        "guided:1988",
        "factoring:",      "exponential:1",   "exponential:x",    "diffusive:",
        "diffusive:2,",    "diffusive:2,all", "diffusive:1/2",    "exponential:3/",
        "hierarchical:",   "hierarchical:2,", "hierarchical:2,0", "hierarchical:2,3,",
        "adaptive:before", "exponential:nan", "timed:0",          "timed:1s"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        bool empty = strcmp(bad[i], "factoring:") == 0 || strcmp(bad[i], "diffusive:") == 0;
        if (empty) { /* an empty parameter is none */
            SUCCEEDS(halo_schedule_create(&schedule, bad[i], &options));
            halo_schedule_destroy(&schedule);
            continue;
        }
        FAILS(HALO_ARGUMENT, "; use ", halo_schedule_create(&schedule, bad[i], &options));
        CU_ASSERT_PTR_NULL(schedule);
    }
    FAILS(HALO_ARGUMENT, "unknown schedule \"gided\"; use static, static-weighted, fixed,",
          halo_schedule_create(&schedule, "gided", &options));
    FAILS(HALO_ARGUMENT, "diffusive or pipeline", halo_schedule_create(&schedule, "", &options));
    FAILS(HALO_ARGUMENT, "takes no parameter", halo_schedule_create(&schedule, "tss:3", &options));
    FAILS(HALO_ARGUMENT, "weights are above 0",
          halo_schedule_create(&schedule, "tss",
                               &(halo_schedule_options){
                                   .tasks = 10, .workers = 2, .weights = (const double[]){1, 0}}));
    FAILS(HALO_ARGUMENT, "0 workers",
          halo_schedule_create(&schedule, "tss", &(halo_schedule_options){.tasks = 10}));
}
