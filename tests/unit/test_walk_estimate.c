#include "kernels/walk/walk_estimate.h"
#include "support/unit_check.h"

/* Sums that are made up, so that what they say is known. */

enum { MOST = 64, RECORDS = 8, EVERY = 10, WIDTH = 5 };

typedef struct {
    halo_walk_samples samples;
    int64_t sums[MOST][RECORDS][WIDTH]; /* x, y, xx, xy, yy */
} made_up;

static void make(made_up *all, int64_t walkers)
{
    memset(all, 0, sizeof *all);
    all->samples = (halo_walk_samples){.axes = 2,
                                       .walkers = walkers,
                                       .steps = RECORDS * EVERY,
                                       .every = EVERY,
                                       .sums = &all->sums[0][0][0]};
}

TEST("tasks: at least 16, of whole groups where there are many walkers")
{
    static const int64_t walkers[] = {1, 15, 16, 17, 1000, 2048, 32768, 100000, 1000000000};
    static const int sizes[] = {1, 1, 1, 2, 63, 64, 1024, 1024, 1024};
    for (int i = 0; i < (int)COUNT(walkers); i++) {
        CU_ASSERT_EQUAL(halo_walk_task_size(walkers[i]), sizes[i]);
        int64_t tasks = halo_walk_tasks(walkers[i]);
        CU_ASSERT_TRUE(tasks * sizes[i] >= walkers[i] && (tasks - 1) * sizes[i] < walkers[i]);
    }
    CU_ASSERT_EQUAL(halo_walk_records(100, 100), 1);
    CU_ASSERT_EQUAL(halo_walk_records(101, 100), 2);
    CU_ASSERT_EQUAL(halo_walk_records(1, 1), 1);
}

/* Leaving out each task in turn gives the same error of a mean as the formula. */
TEST("the error of a mean is Student's t times the standard error")
{
    static const struct {
        int64_t walkers;
        double t;
    } cases[] = {{2, 12.706}, {3, 4.303}, {4, 3.182}, {6, 2.571}, {16, 2.131}, {4096, 2.040}};
    for (int i = 0; i < (int)COUNT(cases); i++) {
        made_up all;
        make(&all, cases[i].walkers);
        int64_t tasks = halo_walk_tasks(cases[i].walkers);
        double size = halo_walk_task_size(cases[i].walkers), mean = 0, square = 0;
        for (int64_t task = 0; task < tasks; task++) {
            int64_t sum = (task * task * 7 + 3 * task) % 101 - 50;
            all.sums[task][RECORDS - 1][1] = sum;
            mean += (double)sum / size / (double)tasks;
        }
        for (int64_t task = 0; task < tasks; task++) {
            double off = (double)all.sums[task][RECORDS - 1][1] / size - mean;
            square += off * off / (double)(tasks - 1);
        }
        halo_walk_motion motion = halo_walk_estimate(&all.samples, RECORDS - 1, 1, false);
        double wanted = cases[i].t * sqrt(square / (double)tasks);
        NEAR(motion.mean.value, mean, 1e-12);
        NEAR(motion.mean.error, wanted, .012 * wanted);
    }
}

/* Mean squares of a * steps + b * steps^2 + c * task. */
static halo_walk_motion grow(double a, double b, int64_t c, int axis, bool drifts)
{
    made_up all;
    make(&all, 4096);
    int64_t tasks = halo_walk_tasks(4096), size = halo_walk_task_size(4096);
    for (int64_t task = 0; task < tasks; task++) {
        for (int64_t r = 0; r < RECORDS; r++) {
            double steps = (double)((r + 1) * EVERY);
            int64_t square = (int64_t)(a * steps + b * steps * steps) + c * (task % 4) * (r % 2);
            all.sums[task][r][axis == 0 ? 2 : 4] = square * size;
            all.sums[task][r][axis] = drifts ? (r + 1) * EVERY * size : 0;
        }
    }
    return halo_walk_estimate(&all.samples, RECORDS - 1, axis, drifts);
}

TEST("slopes of lines and curves")
{
    for (int axis = 0; axis < 2; axis++) {
        halo_walk_motion line = grow(3, 0, 0, axis, false);
        CU_ASSERT_EQUAL(line.steps, RECORDS * EVERY);
        NEAR(line.slope.value, 3, 1e-9);
        NEAR(line.before.value, 3, 1e-9);
        NEAR(line.square.value, 240, 1e-9);
        CU_ASSERT_FALSE(halo_walk_is_confined(&line));
        halo_walk_motion curve = grow(3, .1, 1, axis, false);
        NEAR(curve.change.value, curve.slope.value - curve.before.value, 1e-9);
        CU_ASSERT_TRUE(halo_walk_is_curved(&curve));
        /* With a drift of a cell a step, the variance is what is left of the square. */
        halo_walk_motion drift = grow(3, 1, 0, axis, true);
        NEAR(drift.mean.value, RECORDS * EVERY, 1e-9);
        NEAR(drift.variance.value, 240, 1e-9);
        NEAR(drift.slope.value, 3, 1e-9);
        halo_walk_motion still = grow(0, 0, 0, axis, false);
        CU_ASSERT_TRUE(halo_walk_is_confined(&still));
        CU_ASSERT_FALSE(halo_walk_is_curved(&still));
    }
}

TEST("one walker has no error, one record no half")
{
    made_up all;
    make(&all, 1);
    all.sums[0][0][2] = 40;
    halo_walk_motion motion = halo_walk_estimate(&all.samples, 0, 0, false);
    CU_ASSERT_TRUE(motion.slope.error < 0);
    NEAR(motion.slope.value, 4, 1e-9); /* from the start on */
    CU_ASSERT_EQUAL(motion.steps, EVERY);
    CU_ASSERT_FALSE(halo_walk_is_curved(&motion));
}
