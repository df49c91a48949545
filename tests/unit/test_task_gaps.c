#include "core/tasks/gaps.h"
#include "support/unit_check.h"

#include <math.h>

/* How long requests wait that come at any moment, where a rank looks for messages now and then. */

/* Results are at most a third off, since bins are as wide. */
static void expect_wait(const task_gaps *gaps, double total, double share, double wanted)
{
    double wait = task_gaps_wait(gaps, total, share);
    check(wait >= wanted * .75 && wait <= wanted * 4 / 3, "%g of requests wait %g, not %g", share,
          wait, wanted);
}

TEST("equal gaps")
{
    task_gaps gaps = {0};
    for (int i = 0; i < 1000; i++) {
        task_gaps_add(&gaps, 1e-3);
    }
    CU_ASSERT_DOUBLE_EQUAL(gaps.longest, 1e-3, 0);
    expect_wait(&gaps, 1, .5, .5e-3);
    expect_wait(&gaps, 1, .99, .99e-3);
    /* In half of the time nobody waits: 99 of 100 wait for at most 98 hundredths of a gap. */
    expect_wait(&gaps, 2, .99, .98e-3);
    CU_ASSERT_DOUBLE_EQUAL(task_gaps_wait(&gaps, 2.1, .5), 0, 0);
}

/* One gap of 0.1 s and 9000 of 0.1 ms: a tenth of all requests comes in the long one. */
TEST("one long gap")
{
    task_gaps gaps = {0};
    task_gaps_add(&gaps, .1);
    for (int i = 0; i < 9000; i++) {
        task_gaps_add(&gaps, 1e-4);
    }
    expect_wait(&gaps, 1, .5, 5.56e-5);
    expect_wait(&gaps, 1, .95, .05);
    expect_wait(&gaps, 1, .99, .09);
    CU_ASSERT_DOUBLE_EQUAL(gaps.longest, .1, 0);
}

TEST("no gaps, and gaps of any length")
{
    task_gaps gaps = {0};
    CU_ASSERT_DOUBLE_EQUAL(task_gaps_wait(&gaps, 1, .99), 0, 0);
    task_gaps_add(&gaps, 0);
    task_gaps_add(&gaps, 1e9);
    CU_ASSERT_DOUBLE_EQUAL(gaps.longest, 1e9, 0);
    check(isfinite(task_gaps_wait(&gaps, 1e9, .5)), "a wait without end");
}
