#include "partition/balance/estimate.h"
#include "partition/balance/level.h"
#include "partition/balance/shape.h"
#include "support/unit_check.h"

enum { ROWS = 64, BLOCK = 4, BLOCKS = ROWS / BLOCK };

/* A change that all ranks share is not taken for one of a single rank. */
TEST("what all have in common")
{
    NEAR(halo_level_common((double[]){1.5}, 1), 1.5, 1e-6 * 1.5);
    NEAR(halo_level_common((double[]){3, 1}, 2), 1, 1e-6 * 1);
    NEAR(halo_level_common((double[]){1.6, 1.5}, 2), 1.5, 1e-6 * 1.5);
    NEAR(halo_level_common((double[]){.6, .5}, 2), .6, 1e-6 * .6);
    NEAR(halo_level_common((double[]){.9, 1.1}, 2), 1, 1e-6 * 1);
    NEAR(halo_level_common((double[]){9, 1.5, 1.4}, 3), 1.5, 1e-6 * 1.5);
    NEAR(halo_level_common((double[]){1.1, 3, .2, 1.2}, 4), 1.1, 1e-6 * 1.1);
    NEAR(halo_level_common(NULL, 0), 1, 1e-6 * 1);
}

/* A block that was interrupted is like its neighbours, but when it is so twice it is believed; the
 * strip's time is what was measured. */
TEST("an interrupted block")
{
    float costs[BLOCKS];
    double work[ROWS], profile[ROWS];
    unsigned char struck[ROWS] = {0};
    halo_load load = {.rows = ROWS, .block_rows = BLOCK, .row_cost = costs};
    for (int y = 0; y < ROWS; y++) {
        costs[y / BLOCK] = y / BLOCK == 5 ? 11 : 1;
        work[y] = 1;
    }
    double seconds = ROWS + 10 * BLOCK;
    CU_ASSERT_TRUE(halo_shape_unfold(&load, seconds, work, struck, profile));
    NEAR(profile[5 * BLOCK], seconds / ROWS, 1e-6 * seconds / ROWS);
    CU_ASSERT_FALSE(halo_shape_differs(work, profile, &load, 0));
    NEAR(halo_shape_middle(work, profile, ROWS), seconds / ROWS, 1e-6 * seconds / ROWS);
    CU_ASSERT_TRUE(halo_shape_unfold(&load, seconds, work, struck, profile));
    NEAR(profile[5 * BLOCK], 11, 1e-6 * 11);
    NEAR(profile[0], 1, 1e-6 * 1);
    CU_ASSERT_TRUE(halo_shape_differs(work, profile, &load, 0));
    NEAR(halo_shape_middle(work, profile, ROWS), 1, 1e-6 * 1);
    load.row_cost = NULL;
    CU_ASSERT_FALSE(halo_shape_unfold(&load, seconds, work, struck, profile));
}

/* Return the estimated time of three ranks of 20 rows after `quiet` measurements, and then some of
 * `slow` times the usual time on the second rank, divided by the usual time. */
static double estimated(int quiet, const double *slow, int measurements)
{
    const int64_t cuts[] = {0, 20, 40, 60};
    halo_estimate estimate = {0};
    SUCCEEDS(halo_estimate_reset(&estimate, 3, 60, HALO_ALARM_RATE));
    for (int i = -quiet; i < measurements; i++) {
        halo_load loads[3];
        for (int p = 0; p < 3; p++) {
            double seconds = p == 1 && i >= 0 ? slow[i] : 1;
            loads[p] = (halo_load){.compute_seconds = seconds, .rows = 20};
        }
        halo_estimate_update(&estimate, loads, cuts);
    }
    double seconds = halo_shape_sum(estimate.work, 20, 40) / estimate.rank[1].speed;
    halo_estimate_free(&estimate);
    return seconds;
}

/* A jump is believed the second time where much has been measured without one that went away, and
 * the third or fourth time where little has, or one of one or two measurements has gone away. */
TEST("jumps that go away")
{
    enum { MUCH = 250, LITTLE = 9 };
    const double slow[] = {3, 3, 3}, once[] = {3, 1, 3, 3, 3};
    const double twice[] = {3, 3, 1, 1, 3, 3, 3, 3};
    NEAR(estimated(MUCH, slow, 1), 1, 1e-6);
    NEAR(estimated(MUCH, slow, 2), 3, 1e-6 * 3);
    NEAR(estimated(LITTLE, slow, 2), 1, 1e-6);
    NEAR(estimated(LITTLE, slow, 3), 3, 1e-6 * 3);
    NEAR(estimated(MUCH, once, 2), 1, 1e-6);
    NEAR(estimated(MUCH, once, 4), 1, 1e-6);
    NEAR(estimated(MUCH, once, 5), 3, 1e-6 * 3);
    NEAR(estimated(MUCH, twice, 4), 1, 1e-6); /* believed, and taken back */
    NEAR(estimated(MUCH, twice, 6), 1, 1e-6);
    NEAR(estimated(MUCH, twice, 8), 3, 1e-6 * 3);
}

/* If the first two measurements differ, the shorter one is believed. */
TEST("a first measurement that was interrupted")
{
    const double slow[] = {5, 1, 1, 5, 1};
    NEAR(estimated(0, slow, 1), 5, 1e-6 * 5);
    NEAR(estimated(0, slow, 2), 1, 1e-6);
    NEAR(estimated(0, slow, 4), 1, 1e-6);
}
