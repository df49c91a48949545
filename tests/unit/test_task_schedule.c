#include "base/random.h"
#include "partition/schedule/schedule.h"
#include "support/unit_check.h"

#include <stdlib.h>
#include <string.h>

/* Strategies that hand out tasks: the chunks that their sources give, and that nothing is lost. */

static const double BY_HAND[] = {1, 1, 2, 4};

static halo_schedule *make(const char *words, int64_t tasks, int workers, const double *weights)
{
    halo_schedule *schedule;
    SUCCEEDS(halo_schedule_create(
        &schedule, words,
        &(halo_schedule_options){.tasks = tasks, .workers = workers, .weights = weights}));
    return schedule;
}

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
        halo_schedule *schedule =
            make(vectors[i].words, vectors[i].tasks, 4, vectors[i].weighted ? BY_HAND : NULL);
        expect_chunks(schedule, 4, vectors[i].words, vectors[i].chunks);
        halo_schedule_destroy(&schedule);
    }
}

/* Every worker says that it has done a chunk. */
static void report(halo_schedule *schedule, const halo_schedule_done done[4])
{
    for (int worker = 0; worker < 4; worker++) {
        halo_schedule_note(schedule, worker, &done[worker]);
    }
}

/* What a worker gets when all have reported and a batch begins: a 2P-th, 4 * 2000 / 8, times its
 * weight. Only the first batch of a schedule is looked at. */
static void expect_batch(const char *words, const halo_schedule_done done[4],
                         const double wanted[4])
{
    halo_schedule *schedule = make(words, 8000000, 4, NULL);
    report(schedule, done);
    for (int worker = 0; worker < 4; worker++) {
        double got = (double)halo_schedule_next(schedule, worker, 1);
        check(fabs(got - 4e6 * wanted[worker]) <= 1, "%s: worker %d gets %.0f, not %.0f", words,
              worker, got, 4e6 * wanted[worker]);
    }
    halo_schedule_destroy(&schedule);
}

TEST("weights from the times of tasks")
{
    const halo_schedule_done near[4] = {{.tasks = 1, .seconds = .01},
                                        {.tasks = 1, .seconds = .01},
                                        {.tasks = 1, .seconds = .02},
                                        {.tasks = 1, .seconds = .04}};
    const halo_schedule_done far[4] = {{.tasks = 1, .seconds = .01},
                                       {.tasks = 1, .seconds = .01},
                                       {.tasks = 1, .seconds = .02, .waited = .25},
                                       {.tasks = 1, .seconds = .04, .waited = .25}};
    expect_batch("adaptive", near, (const double[]){4. / 11, 4. / 11, 2. / 11, 1. / 11});
    expect_batch("adaptive", far, (const double[]){4. / 11, 4. / 11, 2. / 11, 1. / 11});
    expect_batch("adaptive:2008", near, (const double[]){1. / 8, 1. / 8, 2. / 8, 4. / 8});
    expect_batch("adaptive-latency", far,
                 (const double[]){783. / 1622, 783. / 1622, 29. / 1622, 27. / 1622});
}

/* The latency is a block's: with more tasks in a block each has less of it. */
TEST("latency of a block")
{
    const halo_schedule_done done[4] = {{.tasks = 10, .seconds = .1, .waited = .1},
                                        {.tasks = 10, .seconds = .1, .waited = .1},
                                        {.tasks = 1, .seconds = .01, .waited = .1},
                                        {.tasks = 1, .seconds = .01, .waited = .1}};
    expect_batch("adaptive-latency", done, (const double[]){11. / 26, 11. / 26, 2. / 26, 2. / 26});
}

/* Seconds of a task: 1, 1, 1 and 3. */
static void report_pi(halo_schedule *schedule)
{
    const halo_schedule_done done[4] = {{.tasks = 2, .seconds = 2},
                                        {.tasks = 2, .seconds = 2},
                                        {.tasks = 2, .seconds = 2},
                                        {.tasks = 2, .seconds = 6}};
    report(schedule, done);
}

TEST("adaptive weighted factoring")
{
    static const char *const names[] = {"awf-b", "awf-c", "awf-d", "awf-e"};
    for (size_t i = 0; i < COUNT(names); i++) {
        halo_schedule *schedule = make(names[i], 1000, 4, NULL);
        report_pi(schedule);
        CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 1), 150);
        if (i % 2 == 0) { /* the same batch for all */
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, 1, 1), 150);
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, 2, 1), 150);
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, 3, 1), 50);
        } else { /* 850 left: 107 each */
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, 3, 1), 43);
        }
        halo_schedule_destroy(&schedule);
    }
}

/* Later chunks count more: 1 * 1 s + 2 * 3 s for 1 + 2 tasks. */
TEST("later chunks count more")
{
    halo_schedule *schedule = make("awf-b", 8000, 2, NULL);
    halo_schedule_note(schedule, 0, &(halo_schedule_done){.tasks = 1, .seconds = 1});
    halo_schedule_note(schedule, 0, &(halo_schedule_done){.tasks = 1, .seconds = 3});
    halo_schedule_note(schedule, 1, &(halo_schedule_done){.tasks = 3, .seconds = 7});
    CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 1), 2000);
    CU_ASSERT_EQUAL(halo_schedule_next(schedule, 1, 1), 2000);
    halo_schedule_destroy(&schedule);
}

/* Waiting counts for d and e only. */
TEST("waiting counts where it should")
{
    for (int kind = 0; kind < 2; kind++) {
        halo_schedule *schedule = make(kind == 0 ? "awf-b" : "awf-d", 4000, 2, NULL);
        halo_schedule_note(schedule, 0, &(halo_schedule_done){.tasks = 1, .seconds = 1});
        halo_schedule_note(schedule, 1,
                           &(halo_schedule_done){.tasks = 1, .seconds = 1, .waited = 2});
        CU_ASSERT_EQUAL(halo_schedule_next(schedule, 0, 1), kind == 0 ? 1000 : 1500);
        halo_schedule_destroy(&schedule);
    }
}

/* Tasks of `mean` seconds with a deviation of `share` of that. */
static void report_spread(halo_schedule *schedule, double share)
{
    static const double means[] = {1, 1, 1, 3};
    for (int worker = 0; worker < 4; worker++) {
        double mean = means[worker];
        halo_schedule_note(
            schedule, worker,
            &(halo_schedule_done){.tasks = 10,
                                  .seconds = 10 * mean,
                                  .squares = 10 * mean * mean * (1 + share * share)});
    }
}

TEST("adaptive factoring")
{
    static const struct {
        double share;
        int64_t tasks, fast, slow; /* of each kind of worker, when all is left */
    } vectors[] = {{.1, 1000, 295, 98}, {.5, 1000, 279, 93}, {.5, 100, 24, 8}};
    for (size_t i = 0; i < COUNT(vectors); i++) {
        for (int worker = 0; worker < 4; worker += 3) {
            halo_schedule *schedule = make("af", vectors[i].tasks, 4, NULL);
            report_spread(schedule, vectors[i].share);
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, worker, 1),
                            worker == 0 ? vectors[i].fast : vectors[i].slow);
            halo_schedule_destroy(&schedule);
        }
    }
}

TEST("weights at the start and at each batch")
{
    halo_schedule *schedule = make("weighted-factoring:batch", 1000, 4, NULL);
    check(halo_schedule_wants_load(schedule), "free processor time is not asked for");
    for (int i = 0; i < 12; i++) {
        bool wanted = i % 4 == 0;
        CU_ASSERT_EQUAL(halo_schedule_wants_weights(schedule), wanted);
        if (i == 4) {
            halo_schedule_set_weights(schedule, BY_HAND);
        }
        int64_t got = halo_schedule_next(schedule, i % 4, 1);
        static const int64_t first[] = {125, 125, 125, 125, 32, 32, 63, 126};
        check(i >= 8 || got == first[i], "chunk %d is %lld", i, (long long)got);
    }
    halo_schedule_destroy(&schedule);
    static const struct {
        const char *words;
        bool load;
    } all[] = {{"weighted-factoring", false},
               {"weighted-factoring:start", true},
               {"static-weighted", true},
               {"static", false},
               {"adaptive", false}};
    for (size_t i = 0; i < COUNT(all); i++) {
        schedule = make(all[i].words, 10, 2, NULL);
        check(halo_schedule_wants_load(schedule) == all[i].load, "%s", all[i].words);
        check(!halo_schedule_wants_weights(schedule), "%s", all[i].words);
        halo_schedule_destroy(&schedule);
    }
}

/* Algorithm 1 as printed: batches of 500, 250, ... and shares of them, what is left over by itself.
 */
TEST("weighted factoring as printed")
{
    halo_schedule *schedule = make("weighted-factoring:2008", 1000, 4, BY_HAND);
    static const int64_t wanted[] = {62, 62, 125, 250, 62, 31, 62, 125};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        CU_ASSERT_EQUAL(halo_schedule_next(schedule, (int)(i % 4), 1), wanted[i]);
    }
    halo_schedule_destroy(&schedule);
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
    halo_schedule *schedule = make("diffusive", 1000, 4, NULL);
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
    halo_schedule *turn = make("diffusive:2,turn", 100, 4, NULL);
    halo_schedule *seconds = make("diffusive:3/2,seconds", 100, 4, NULL);
    halo_schedule *random = make("diffusive:random", 100, 4, NULL);
    for (int asked = 0; asked < 6; asked++) {
        int victim = halo_schedule_victim(turn, 1, asked, left);
        check(victim != 1, "worker 1 asks itself");
        check(asked % 4 == 3 || victim == (2 + asked) % 4, "worker 1 asks %d", victim);
    }
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 0, 0, left), 3); /* nothing is known of it */
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 0, 0, known), 2);
    CU_ASSERT_EQUAL(halo_schedule_victim(seconds, 2, 0, known), 0);
    int times[4] = {0};
    for (int asked = 0; asked < 3000; asked++) {
        times[halo_schedule_victim(random, 2, asked, left)]++;
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
                                       "guided:1987",
                                       "factoring:1992",
                                       "exponential",
                                       "exponential:1.0001",
                                       "exponential:1e9",
                                       "weighted-factoring:start",
                                       "weighted-factoring:batch",
                                       "weighted-factoring:2008",
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
        "fixed",          "fixed:",        "fixed:0",         "fixed:-1",        "fixed:2x",
        "uniform",        "uniform:0",     "guided:1988",     "factoring:",      "exponential:1",
        "exponential:x",  "diffusive:",    "diffusive:2,",    "diffusive:2,all", "diffusive:1/2",
        "exponential:3/", "hierarchical:", "adaptive:before", "exponential:nan"};
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
