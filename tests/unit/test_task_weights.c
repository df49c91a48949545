#include "support/schedules.h"

#include <math.h>

/* Strategies that hand out tasks by the speeds of workers: given, measured, or from the times of
 * the tasks they have done. */

/* Every worker says that it has done a chunk. */
static void report(halo_schedule *schedule, const halo_schedule_done done[4])
{
    for (int worker = 0; worker < 4; worker++) {
        halo_schedule_note(schedule, worker, &done[worker]);
    }
}

/* Check a worker's share when all have reported and a batch begins: a 2P-th, 4 * 2000 / 8, times
 * its weight. Only the first batch of a schedule is looked at. */
static void expect_batch(const char *words, const halo_schedule_done done[4],
                         const double wanted[4])
{
    halo_schedule *schedule = make_schedule(words, 8000000, 4, NULL);
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
        halo_schedule *schedule = make_schedule(names[i], 1000, 4, NULL);
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
    halo_schedule *schedule = make_schedule("awf-b", 8000, 2, NULL);
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
        halo_schedule *schedule = make_schedule(kind == 0 ? "awf-b" : "awf-d", 4000, 2, NULL);
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
            halo_schedule *schedule = make_schedule("af", vectors[i].tasks, 4, NULL);
            report_spread(schedule, vectors[i].share);
            CU_ASSERT_EQUAL(halo_schedule_next(schedule, worker, 1),
                            worker == 0 ? vectors[i].fast : vectors[i].slow);
            halo_schedule_destroy(&schedule);
        }
    }
}

TEST("weights at the start and at each batch")
{
    halo_schedule *schedule = make_schedule("weighted-factoring:batch", 1000, 4, NULL);
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
        schedule = make_schedule(all[i].words, 10, 2, NULL);
        check(halo_schedule_wants_load(schedule) == all[i].load, "%s", all[i].words);
        check(!halo_schedule_wants_weights(schedule), "%s", all[i].words);
        halo_schedule_destroy(&schedule);
    }
}

/* Algorithm 1 as printed: batches of 500, 250, ... and shares of them, what is left over by itself.
 */
TEST("weighted factoring as printed")
{
    halo_schedule *schedule = make_schedule("weighted-factoring:2008", 1000, 4, BY_HAND);
    static const int64_t wanted[] = {62, 62, 125, 250, 62, 31, 62, 125};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        CU_ASSERT_EQUAL(halo_schedule_next(schedule, (int)(i % 4), 1), wanted[i]);
    }
    halo_schedule_destroy(&schedule);
}
