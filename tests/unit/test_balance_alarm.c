#include "partition/balance/alarm.h"
#include "support/images.h"
#include "support/unit_check.h"

/* The thresholds of the balancer `chain` hold what alarm.h derives. */

TEST("the tail of the normal distribution")
{
    for (double z = 1; z < 30; z += .37) {
        double exact = erfc(z / sqrt(2)) / 2;
        NEAR(halo_alarm_tail(z) / exact, 1, 1e-9);
    }
}

TEST("standard errors from a rate of false alarms")
{
    static const int ranks[] = {1, 2, 16, 1024, 100000};
    for (size_t i = 0; i < COUNT(ranks); i++) {
        for (double alarms = 1; alarms > 1e-12; alarms /= 10) {
            double errors = halo_alarm_errors(alarms, ranks[i]);
            double runs = HALO_ALARM_PLANS * ranks[i] * erfc(errors / sqrt(2)) / 2;
            NEAR(runs / (alarms / 2), 1, 1e-6);
        }
    }
    NEAR(halo_alarm_errors(HALO_ALARM_RATE, 16), 5.192, 1e-3);
}

/* Tables of Student's distribution have, for the chance that 3.0902 normal deviates have, 4.144,
 * 3.552 and 3.385 for 10, 20 and 30 degrees of freedom. */
TEST("standard errors that are themselves estimated")
{
    NEAR(3.0902 * halo_alarm_student(3.0902, 10), 4.144, .25);
    NEAR(3.0902 * halo_alarm_student(3.0902, 20), 3.552, .06);
    NEAR(3.0902 * halo_alarm_student(3.0902, 30), 3.385, .03);
    CU_ASSERT_TRUE(halo_alarm_student(5, 0) == halo_alarm_student(5, 1));
}

/* How often in a row a jump must be measured. */
static int wanted(double all, double measured, double interrupted, int ranks)
{
    halo_alarm_history history = {all, measured, interrupted, ranks};
    int times = 1;
    while (!halo_alarm_is_change(&history, HALO_ALARM_RATE, times, times)) {
        times++;
    }
    return times;
}

TEST("how often a jump must be measured")
{
    CU_ASSERT_EQUAL(wanted(736, 736, 0, 16), 2);
    CU_ASSERT_EQUAL(wanted(735, 735, 0, 16), 3);
    CU_ASSERT_EQUAL(wanted(33, 33, 0, 16), 3);
    CU_ASSERT_EQUAL(wanted(32, 32, 0, 16), 4);
    /* 4800 * 2 / (n (n + 1)) <= .0005 from n = 4382 on. */
    CU_ASSERT_EQUAL(wanted(4382, 4382, 1, 16), 2);
    CU_ASSERT_EQUAL(wanted(4381, 4381, 1, 16), 3);
    CU_ASSERT_TRUE(wanted(4800, 4800, 2400, 16) > 20);
    /* Supersteps of one measurement count while nothing was interrupted. */
    halo_alarm_history quiet = {100, 100, 0, 2}, tried = {100, 100, 1, 2};
    CU_ASSERT_TRUE(halo_alarm_is_change(&quiet, HALO_ALARM_RATE, 1, 10));
    CU_ASSERT_FALSE(halo_alarm_is_change(&tried, HALO_ALARM_RATE, 1, 10));
}

/* Is a change seen in a run in which each measurement is interrupted with this chance, in a
 * million?
 */
static bool is_alarmed(uint64_t *random, int64_t chance, int ranks)
{
    enum { MAX_RANKS = 16 };
    int row[MAX_RANKS] = {0};
    halo_alarm_history history = {.ranks = ranks};
    for (int plan = 0; plan < HALO_ALARM_PLANS; plan++) {
        int returned = 0;
        for (int p = 0; p < ranks; p++) {
            if (random_below(random, 1000000) < chance) {
                row[p]++;
                if (halo_alarm_is_change(&history, HALO_ALARM_RATE, row[p], row[p])) {
                    return true;
                }
            } else {
                returned += row[p];
                row[p] = 0;
            }
        }
        history.all += ranks;
        history.measured += ranks;
        history.interrupted += returned;
    }
    return false;
}

/* Whatever the chance of an interruption, few runs take any for a change: half the rate of false
 * alarms is .5 of 1000 runs; 4 would be seen in one of 500 such tests. */
TEST("runs with interruptions")
{
    static const int64_t chances[] = {100, 700, 1400, 5000, 20000, 100000};
    static const int ranks[] = {2, 16};
    for (size_t i = 0; i < COUNT(chances) * COUNT(ranks); i++) {
        uint64_t random = i + 1;
        int alarms = 0;
        for (int run = 0; run < 1000; run++) {
            alarms += is_alarmed(&random, chances[i / 2], ranks[i % 2]);
        }
        check(alarms < 4, "%d ranks, %" PRId64 " interruptions in a million: %d of 1000 runs",
              ranks[i % 2], chances[i / 2], alarms);
    }
}
