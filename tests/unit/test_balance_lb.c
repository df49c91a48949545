#include "partition/balance/lb_lines.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_RANKS = 12 };

static const halo_lb_measured measured[] = {
    {.units = 34,
     .constant_out = 50,
     .constant_back = 10,
     .unit_out = 1,
     .unit_back = 1,
     .transfer_seconds = .276,
     .compute_seconds = .34,
     .delay_seconds = .01},
    {.units = 33,
     .constant_out = 50,
     .constant_back = 10,
     .unit_out = 1,
     .unit_back = 1,
     .transfer_seconds = .272,
     .compute_seconds = .66,
     .delay_seconds = .01},
    {.units = 33,
     .constant_out = 50,
     .constant_back = 10,
     .unit_out = 1,
     .unit_back = 1,
     .transfer_seconds = 1.32,
     .compute_seconds = .33,
     .delay_seconds = .02},
};

/* A master and three workers with fixed and proportional transfer. */
TEST("LB2's vector")
{
    const double fixed[] = {.14, .14, .649524}, per_unit[] = {.014, .024, .030317};
    const double expected[] = {57.115, 33.317, 9.568};
    const int64_t whole[] = {58, 33, 9};
    halo_lb_line lines[3];
    double shares[3];
    int64_t units[3];
    for (int i = 0; i < 3; i++) {
        lines[i] = halo_lb2_line(&measured[i]);
        NEAR(lines[i].fixed, fixed[i], 5e-7);
        NEAR(lines[i].per_unit, per_unit[i], 5e-7);
    }
    NEAR(halo_lb_share(lines, 3, 100, 0, shares), .939607, 5e-7);
    halo_lb_whole(lines, 3, 100, shares, units);
    for (int i = 0; i < 3; i++) {
        NEAR(shares[i], expected[i], 5e-4);
        CU_ASSERT_EQUAL(units[i], whole[i]);
    }
}

TEST("LB1's vector")
{
    const double expected[] = {49.90, 32.01, 18.08};
    halo_lb_line lines[3];
    double shares[3];
    for (int i = 0; i < 3; i++) {
        lines[i] = halo_lb1_line(measured[i].units,
                                 measured[i].transfer_seconds + measured[i].compute_seconds);
    }
    halo_lb_share(lines, 3, 100, 0, shares);
    for (int i = 0; i < 3; i++) {
        NEAR(shares[i], expected[i], 5e-3);
    }
}

/* An acknowledgement that took both ways' delay and the way out's transfer. */
TEST("delay from the acknowledgement")
{
    for (int i = 0; i < 3; i++) {
        const halo_lb_measured *m = &measured[i];
        double speed = (m->constant_out + m->constant_back + 2 * m->units) /
                       (m->transfer_seconds - 2 * m->delay_seconds);
        double acknowledge = 2 * m->delay_seconds + (m->constant_out + m->units) / speed;
        NEAR(halo_lb2_delay(m, acknowledge), m->delay_seconds, 1e-12);
        CU_ASSERT_TRUE(halo_lb2_delay(m, 0) >= 0);
        NEAR(halo_lb2_delay(m, 2 * m->transfer_seconds), m->transfer_seconds, 1e-12);
    }
}

TEST("clamped at the minimum")
{
    const halo_lb_line lines[] = {{0, .1}, {0, .1}, {5, .1}};
    double shares[3];
    int64_t units[3];
    NEAR(halo_lb_share(lines, 3, 30, 2, shares), 1.4, 1e-12);
    halo_lb_whole(lines, 3, 30, shares, units);
    CU_ASSERT_TRUE(units[0] == 14 && units[1] == 14 && units[2] == 2);
}

TEST("row strips")
{
    const halo_lb_line lines[] = {{.1, 1 / 100.}, {.2, 1 / 100.}, {.1, 1 / 33.333}};
    double shares[3];
    int64_t units[3];
    NEAR(halo_lb_share(lines, 3, 240, 0, shares), 1.17143, 5e-6);
    halo_lb_whole(lines, 3, 240, shares, units);
    CU_ASSERT_TRUE(units[0] == 107 && units[1] == 98 && units[2] == 35);
}

static double slowest(const halo_lb_line *lines, const int64_t *units, int ranks, int64_t min)
{
    double last = 0;
    for (int i = 0; i < ranks; i++) {
        /* Who is at the minimum has no choice. */
        double seconds = lines[i].fixed + lines[i].per_unit * (double)units[i];
        last = units[i] > min && seconds > last ? seconds : last;
    }
    return last;
}

/* Sums and minima hold, and no unit could be moved so that the last to finish ends earlier. */
TEST("random lines")
{
    uint64_t random = 5;
    for (int i = 0; i < 5000; i++) {
        int ranks = 1 + (int)random_below(&random, MAX_RANKS);
        int64_t min = random_below(&random, 4), total = ranks * min;
        total += random_below(&random, 300);
        halo_lb_line lines[MAX_RANKS];
        double shares[MAX_RANKS], sum = 0;
        int64_t units[MAX_RANKS], units_sum = 0;
        for (int p = 0; p < ranks; p++) {
            lines[p].fixed = (double)random_below(&random, 100) / 50;
            lines[p].per_unit = (double)(1 + random_below(&random, 100)) / 1000;
        }
        halo_lb_share(lines, ranks, (double)total, (double)min, shares);
        halo_lb_whole(lines, ranks, total, shares, units);
        double last = slowest(lines, units, ranks, min), earliest = INFINITY;
        for (int p = 0; p < ranks; p++) {
            sum += shares[p];
            units_sum += units[p];
            check(units[p] >= min, "case %d: rank %d has too few units", i, p);
            earliest = fmin(earliest, lines[p].fixed + lines[p].per_unit * (double)(units[p] + 1));
        }
        NEAR(sum, (double)total, 1e-6);
        CU_ASSERT_EQUAL(units_sum, total);
        check(earliest >= last - 1e-9, "case %d: a unit moved would end at %g, not %g", i, earliest,
              last);
    }
}
