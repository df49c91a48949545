#include "partition/balance/alarm.h"
#include "support/images.h"
#include "support/unit_check.h"

/* The thresholds of the balancer `chain` hold what alarm.h derives. */

/* With two degrees of freedom and with four the tail is known in closed form. */
TEST("the tail of Student's distribution")
{
    for (double t = 1; t < 1e5; t *= 1.7) {
        double two = t / sqrt(2 + t * t), four = t / sqrt(4 + t * t);
        double rest = 1 / (2 + t * t) / (1 + two); /* (1 - two) / 2 */
        NEAR(halo_alarm_tail(t, 2) / rest, 1, 1e-9);
        NEAR(halo_alarm_tail(t, 3.9) / rest, 1, 1e-9);
        double other = 4 / (4 + t * t) / (1 + four) * (1 - four * (1 + four) / 2);
        check(t > 100 || fabs(halo_alarm_tail(t, 4) / (other / 2) - 1) < 1e-6, "4, %g: %g", t,
              halo_alarm_tail(t, 4));
    }
}

/* From tables: 1 - .999 at these many errors. */
TEST("tables of Student's distribution")
{
    NEAR(halo_alarm_errors(.001, 10), 4.1437, 1e-4);
    NEAR(halo_alarm_errors(.001, 20), 3.5518, 1e-4);
    NEAR(halo_alarm_errors(.001, 30), 3.3852, 1e-4);
    NEAR(halo_alarm_errors(.0005, 10), 4.5869, 1e-4);
    NEAR(halo_alarm_errors(.01, 60), 2.3901, 1e-4);
}

/* Much freedom comes near the normal distribution. */
TEST("standard errors that are known")
{
    for (double z = 1.5; z < 8; z += .5) {
        double errors = halo_alarm_errors(erfc(z / sqrt(2)) / 2, 1e9);
        double expanded = z + z * (z * z + 1) / (4. * HALO_ALARM_FREEDOM);
        NEAR(errors / expanded, 1, 2e-4);
    }
}

/* Errors and their chance belong together, however small that is. */
TEST("standard errors from a rate of false alarms")
{
    static const int ranks[] = {1, 2, 16, 1024, 100000};
    static const double freedoms[] = {10, 12, 64, 1000};
    for (size_t i = 0; i < COUNT(ranks) * COUNT(freedoms); i++) {
        double freedom = freedoms[i % COUNT(freedoms)];
        for (double alarms = 1; alarms > 1e-12; alarms /= 10) {
            double chance = halo_alarm_chance(alarms, ranks[i / COUNT(freedoms)], 7);
            double errors = halo_alarm_errors(chance, freedom);
            NEAR(halo_alarm_tail(errors, freedom) / chance, 1, 1e-3);
        }
    }
}

/* All comparisons of a run by both thresholds: half of the rate, and at most a plan's worth more.
 */
TEST("the chances of a run add up")
{
    static const int ranks[] = {1, 2, 16, 1024};
    for (size_t i = 0; i < COUNT(ranks); i++) {
        double sum = 0;
        for (int plan = 1; plan <= HALO_ALARM_PLANS; plan++) {
            sum += 2 * ranks[i] * halo_alarm_chance(HALO_ALARM_RATE, ranks[i], plan);
        }
        NEAR(sum / (HALO_ALARM_RATE / 2), 1, 1. / HALO_ALARM_PLANS);
    }
}

TEST("what a measurement tells of noise")
{
    NEAR(halo_alarm_freedom(1), 2. / 3, 1e-12);
    NEAR(halo_alarm_freedom(2), 8. / 5, 1e-12);
    NEAR(halo_alarm_freedom(1000000), 8. / 3, 1e-5);
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
