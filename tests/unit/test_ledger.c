#include "base/random.h"
#include "partition/schedule/ledger.h"
#include "support/unit_check.h"

/* Which tasks are finished, and which are done again. */

static void expect_again(halo_ledger *ledger, int64_t most, int64_t lo, int64_t hi)
{
    int64_t got_lo = -1, got_hi = -1;
    check(halo_ledger_again(ledger, most, &got_lo, &got_hi) && got_lo == lo && got_hi == hi,
          "tasks %lld to %lld, not %lld to %lld", (long long)got_lo, (long long)got_hi,
          (long long)lo, (long long)hi);
}

TEST("the last first, in turn")
{
    halo_ledger *ledger;
    SUCCEEDS(halo_ledger_create(&ledger, 10));
    check(halo_ledger_finish(ledger, 7), "task 7 is finished for the first time");
    check(!halo_ledger_finish(ledger, 7), "task 7 is finished for the second time");
    CU_ASSERT_EQUAL(halo_ledger_unfinished(ledger), 9);
    expect_again(ledger, 1, 9, 10);
    expect_again(ledger, 3, 8, 9); /* task 7 is finished */
    expect_again(ledger, 3, 4, 7);
    expect_again(ledger, 9, 0, 4);
    expect_again(ledger, 2, 8, 10); /* all once more */
    halo_ledger_finish(ledger, 9);
    halo_ledger_finish(ledger, 8);
    expect_again(ledger, 2, 5, 7);
    halo_ledger_destroy(&ledger);
}

TEST("no tasks, and all finished")
{
    int64_t lo, hi;
    halo_ledger *ledger;
    SUCCEEDS(halo_ledger_create(&ledger, 0));
    check(!halo_ledger_again(ledger, 1, &lo, &hi), "a task of none");
    halo_ledger_destroy(&ledger);
    SUCCEEDS(halo_ledger_create(&ledger, 200));
    for (int64_t task = 0; task < 200; task++) {
        halo_ledger_finish(ledger, task);
    }
    CU_ASSERT_EQUAL(halo_ledger_unfinished(ledger), 0);
    check(!halo_ledger_again(ledger, 1, &lo, &hi), "a task, though all are finished");
    halo_ledger_destroy(&ledger);
}

/* Random tasks are finished in between: tasks that are given again are unfinished, and all tasks
 * come. */
TEST("every unfinished task comes")
{
    enum { TASKS = 1000 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        halo_ledger *ledger;
        int64_t tasks = 1 + halo_random_at(seed, 0, 0) % TASKS, lo, hi, rounds = 0;
        SUCCEEDS(halo_ledger_create(&ledger, tasks));
        for (; halo_ledger_again(ledger, 1 + halo_random_at(seed, 1, rounds) % 9, &lo, &hi);
             rounds++) {
            for (int64_t task = lo; task < hi; task++) {
                check(task >= 0 && task < tasks && !halo_ledger_is_finished(ledger, task),
                      "task %lld of %lld", (long long)task, (long long)tasks);
            }
            halo_ledger_finish(ledger, lo + halo_random_at(seed, 2, rounds) % (hi - lo));
        }
        CU_ASSERT_EQUAL(rounds, tasks);
        CU_ASSERT_EQUAL(halo_ledger_unfinished(ledger), 0);
        halo_ledger_destroy(&ledger);
    }
}
