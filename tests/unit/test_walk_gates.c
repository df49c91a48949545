#include "base/memory.h"
#include "kernels/walk/walk_estimate.h"
#include "support/unit_check.h"
#include "support/walk_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Many walkers, beside what a solver says they must come to. */

enum { WALKERS = 1 << 16, STEPS = 8192, EVERY = STEPS / 8 };

typedef struct {
    halo_walk_samples samples;
    halo_walk_facts facts;
} run;

static run walk_all(const walk_picture *picture, double flow)
{
    uint64_t *bits;
    int64_t *sums;
    halo_walk_options options = walk_picture_options(picture, &bits);
    halo_walk *walk;
    options.seed = 1;
    options.flow = flow;
    CU_ASSERT_EQUAL_FATAL(halo_walk_create(&walk, &options), HALO_OK);
    int64_t width = halo_walk_records(STEPS, EVERY) * halo_walk_sums(picture->axes);
    CU_ASSERT_EQUAL_FATAL(HALO_ALLOCATE(sums, halo_walk_tasks(WALKERS) * width, "sums"), HALO_OK);
    for (int64_t task = 0; task < halo_walk_tasks(WALKERS); task++) {
        int size = halo_walk_task_size(WALKERS);
        halo_walk_run(walk, task * size, size, STEPS, EVERY, sums + task * width);
    }
    run all = {.samples = {.axes = picture->axes,
                           .walkers = WALKERS,
                           .steps = STEPS,
                           .every = EVERY,
                           .sums = sums},
               .facts = halo_walk_describe(walk)};
    halo_walk_destroy(&walk);
    free(bits);
    return all;
}

static halo_walk_motion motion_of(const run *all, int axis, bool drifts)
{
    return halo_walk_estimate(&all->samples, STEPS / EVERY - 1, axis, drifts);
}

/* Is it within twice the error, which is that of 95 of 100 cases? One in 10000 is not. */
static void check_near(const char *name, halo_walk_number found, double factor, double exact,
                       double most)
{
    double error = factor * found.error;
    check(fabs(factor * found.value - exact) < 2 * error, "%s: %g, and not %g +- %g", name,
          factor * found.value, exact, error);
    check(error > 0 && error < most * exact, "%s: an error of %g", name, error);
}

static void check_picture(const char *name, const walk_picture *picture, const double exact[2])
{
    run all = walk_all(picture, 0);
    for (int axis = 0; axis < picture->axes; axis++) {
        halo_walk_motion motion = motion_of(&all, axis, false);
        double solved = walk_exact_diffusivity(picture, axis);
        check(exact == NULL || fabs(1 / exact[axis] - solved) < 1e-5, "%s: the solver says %.7f",
              name, 1 / solved);
        check_near(name, motion.slope, 1 / all.facts.free_slopes[axis], solved, .03);
        check(!halo_walk_is_curved(&motion), "%s: not linear", name);
        check(!halo_walk_is_confined(&motion), "%s: confined", name);
    }
    free((void *)(uintptr_t)all.samples.sums);
}

TEST("in the fluid alone")
{
    walk_picture picture = walk_picture_make(2, 32, 16, 1);
    check_picture("free", &picture, (const double[]){1, 1});
}

/* One wide, crossing each other every p cells. */
TEST("corridors")
{
    static const int periods[] = {2, 8};
    for (int i = 0; i < 2; i++) {
        int p = periods[i];
        walk_picture picture = walk_picture_make(2, p, p, 1);
        for (int c = 0; c < p * p; c++) {
            picture.fluid[c] = c % p == 0 || c / p == 0;
        }
        double exact = (2. * p - 1) / p;
        check_picture("corridors", &picture, (const double[]){exact, exact});
    }
}

TEST("slits")
{
    walk_picture picture = walk_picture_make(2, 16, 16, 1);
    for (int x = 4; x < 16; x++) {
        picture.fluid[x] = 0;
    }
    check_picture("slits", &picture, (const double[]){1.00834, 1.82642});
}

TEST("disks")
{
    enum { SIDE = 64 };
    static const double square = .3 * SIDE * SIDE / 3.14159265358979;
    walk_picture picture = walk_picture_make(2, SIDE, SIDE, 1);
    int64_t fluid = 0;
    for (int c = 0; c < SIDE * SIDE; c++) {
        double x = c % SIDE - 31.5, y = c / SIDE - 31.5;
        picture.fluid[c] = x * x + y * y > square;
        fluid += picture.fluid[c];
    }
    check_picture("disks", &picture, (const double[]){1.325529, 1.325529});
    double bound = 1 / (2 - (double)fluid / (SIDE * SIDE));
    CU_ASSERT_TRUE(walk_exact_diffusivity(&picture, 0) <= bound);
}

TEST("three axes")
{
    walk_picture picture = walk_picture_make(3, 8, 8, 8);
    for (int c = 0; c < 512; c++) { /* a box of solid in each period */
        picture.fluid[c] = c % 8 >= 5 || c / 8 % 8 >= 4 || c / 64 >= 6;
    }
    check_picture("boxes", &picture, NULL);
}

/* Hops along short sides of cells are rarer: walkers diffuse alike in all directions. */
TEST("cells that are no cubes")
{
    walk_picture open = walk_picture_make(3, 8, 8, 8);
    memcpy(open.spacing, (const double[]){.5, 1, 2}, sizeof open.spacing);
    check_picture("free", &open, NULL);
    run all = walk_all(&open, 0);
    static const double shares[] = {4 / 5.25, 1 / 5.25, .25 / 5.25};
    for (int axis = 0; axis < 3; axis++) {
        check_near("free", motion_of(&all, axis, false).slope, 1, shares[axis], .03);
        check(fabs(all.facts.free_slopes[axis] - shares[axis]) < 1e-15, "the slope in the fluid");
    }
    free((void *)(uintptr_t)all.samples.sums);
    walk_picture picture = walk_picture_make(3, 8, 8, 8);
    for (int c = 0; c < 512; c++) {
        picture.fluid[c] = c % 8 >= 5 || c / 8 % 8 >= 4 || c / 64 >= 6;
    }
    memcpy(picture.spacing, (const double[]){1, 1, 2.5}, sizeof picture.spacing);
    check_picture("boxes", &picture, NULL);
    picture = walk_picture_make(2, 12, 12, 1);
    for (int c = 0; c < 144; c++) {
        picture.fluid[c] = c % 12 < 5 || c / 12 < 5;
    }
    memcpy(picture.spacing, (const double[]){3, 1}, 2 * sizeof *picture.spacing);
    picture.conductivity = .2;
    check_picture("a solid that conducts", &picture, NULL);
}

/* Layers in series and side by side. */
TEST("layers that conduct")
{
    static const double conductivities[] = {.2, 5};
    for (int i = 0; i < 2; i++) {
        double k = conductivities[i];
        walk_picture picture = walk_picture_make(2, 4, 10, 1);
        picture.conductivity = k;
        for (int c = 0; c < 12; c++) {
            picture.fluid[c] = 0; /* 3 rows of 10 */
        }
        double along = .7 + .3 * k, across = 1 / (.7 + .3 / k);
        run all = walk_all(&picture, 0);
        check_near("along", motion_of(&all, 0, false).slope, 1 / all.facts.free_slope, along, .03);
        check_near("across", motion_of(&all, 1, false).slope, 1 / all.facts.free_slope, across,
                   .03);
        check(fabs(walk_exact_diffusivity(&picture, 1) - across) < 1e-9, "the solver");
        free((void *)(uintptr_t)all.samples.sums);
    }
}

/* ---- those that go nowhere ------------------------------------------------------------------- */

static void check_confined(const char *name, const walk_picture *picture, int axis, double exact)
{
    run all = walk_all(picture, 0);
    halo_walk_motion motion = motion_of(&all, axis, false);
    check_near(name, motion.square, 1, exact, .02);
    check(halo_walk_is_confined(&motion), "%s: not confined", name);
    free((void *)(uintptr_t)all.samples.sums);
}

TEST("across a channel")
{
    walk_picture picture = walk_picture_make(2, 5, 7, 1);
    picture.edges[1] = HALO_WALK_REFLECTING;
    check_confined("channel", &picture, 1, 8);
}

/* Squares that touch at corners only, through which nobody gets. */
TEST("a checkerboard")
{
    walk_picture picture = walk_picture_make(2, 16, 16, 1);
    for (int c = 0; c < 256; c++) {
        picture.fluid[c] = (c % 16 / 8 + c / 16 / 8) % 2 == 0;
    }
    check_confined("checkerboard", &picture, 0, 10.5);
    check_confined("checkerboard", &picture, 1, 10.5);
}

/* ---- a flow ---------------------------------------------------------------------------------- */

TEST("dispersion in a channel")
{
    enum { ROWS = 15 };
    static const double mean = .15;
    walk_picture picture = walk_picture_make(2, 3, ROWS, 1);
    double u[ROWS], sum = 0;
    picture.edges[1] = HALO_WALK_REFLECTING;
    for (int y = 0; y < ROWS; y++) {
        u[y] = (y + .5) * (ROWS - y - .5);
        sum += u[y];
    }
    for (int y = 0; y < ROWS; y++) {
        u[y] *= mean * ROWS / sum;
    }
    double exact = walk_exact_dispersion(u, ROWS);
    check(fabs(exact - .669424) < 1e-6, "the formula says %.7f", exact);
    run all = walk_all(&picture, mean);
    halo_walk_motion motion = motion_of(&all, 0, true);
    check_near("mean", motion.mean, 1. / STEPS, mean, .01);
    check_near("dispersion", motion.slope, 1, exact, .03);
    check(fabs(motion.slope.value - .6929) > motion.slope.error, "Taylor's continuum fits, too");
    free((void *)(uintptr_t)all.samples.sums);
}

/* ---- too few steps --------------------------------------------------------------------------- */

TEST("from rooms with narrow doors, walkers need time")
{
    enum { SIDE = 40 };
    walk_picture picture = walk_picture_make(2, SIDE, SIDE, 1);
    for (int c = 0; c < SIDE * SIDE; c++) {
        int x = c % SIDE, y = c / SIDE;
        picture.fluid[c] = (x > 0 && y > 0) || (x > 15 && x < 24) || (y > 15 && y < 24);
    }
    run all = walk_all(&picture, 0);
    halo_walk_motion motion = halo_walk_estimate(&all.samples, 1, 0, false);
    check(halo_walk_is_curved(&motion), "called linear: %g and then %g, %g +- %g",
          motion.before.value, motion.slope.value, motion.change.value, motion.change.error);
    free((void *)(uintptr_t)all.samples.sums);
}
