#include "partition/balance/share_link_internal.h"
#include "partition/balance/share_planner.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_RANKS = 8 };

/* A simulated worker. */
typedef struct {
    double delay, speed; /* seconds one way; bytes a second */
    double per_unit;     /* seconds */
} machine;

/* Return a machine's times in a beat: the acknowledgement comes after both delays and the way out.
 */
static halo_share_time time_of(const machine *m, const halo_share_beat *beat, double units)
{
    double out = beat->constant_out + beat->unit_out * units;
    double back = beat->constant_back + beat->unit_back * units;
    return (halo_share_time){.units = units,
                             .bytes_out = out,
                             .bytes_back = back,
                             .acknowledged = 2 * m->delay + out / m->speed,
                             .transfer = 2 * m->delay + (out + back) / m->speed,
                             .computing = m->per_unit * units};
}

/* The reference's three workers behind a master that does no work. */
static const machine papers[] = {
    {.01, 128 / .256, .34 / 34}, {.01, 126 / .252, .66 / 33}, {.02, 126 / 1.28, .33 / 33}};
static const double papers_units[] = {34, 33, 33};

static void check_papers_lines(const halo_share_planner *planner, const halo_share_beat *beat)
{
    const double fixed[] = {.14, .14, .649524}, per_unit[] = {.014, .024, .030317};
    halo_lb_line lines[3];
    halo_share_planner_lines(planner, beat, lines);
    for (int r = 0; r < 3; r++) {
        NEAR(lines[r].fixed, fixed[r], 5e-7);
        NEAR(lines[r].per_unit, per_unit[r], 5e-7);
    }
}

/* One beat, with its acknowledgement, tells all of the paper's lines. */
TEST("the paper's lines from one beat")
{
    const double expected[] = {57.115, 33.317, 9.568};
    const halo_share_beat beat = {0, 100, 50, 10, 1, 1, 0};
    const halo_share_options options = {HALO_SHARE_LB2, 3, 1, false};
    halo_share_planner *planner = NULL;
    halo_share_time times[3];
    double shares[3];
    SUCCEEDS(halo_share_planner_create(&planner, &options));
    for (int r = 0; r < 3; r++) {
        times[r] = time_of(&papers[r], &beat, papers_units[r]);
    }
    halo_share_planner_learn(planner, &beat, times);
    check_papers_lines(planner, &beat);
    halo_share_planner_plan(planner, &beat, shares);
    for (int r = 0; r < 3; r++) {
        NEAR(shares[r], expected[r], 5e-4);
    }
    halo_share_planner_destroy(&planner);
}

/* If only acknowledgements are known, beats of different sizes give the same lines. */
TEST("the paper's lines from acknowledgements")
{
    const halo_share_beat kinds[] = {{1, 100, 0, 0, 1, 1, 0}, {0, 100, 50, 10, 1, 1, 0}};
    const halo_share_options options = {HALO_SHARE_LB2, 3, 2, false};
    halo_share_planner *planner = NULL;
    SUCCEEDS(halo_share_planner_create(&planner, &options));
    for (int round = 0; round < 2; round++) {
        halo_share_time times[3];
        for (int r = 0; r < 3; r++) {
            times[r] = time_of(&papers[r], &kinds[round], papers_units[r]);
            times[r].transfer = 0;
        }
        halo_share_planner_learn(planner, &kinds[round], times);
    }
    check_papers_lines(planner, &kinds[1]);
    halo_share_planner_destroy(&planner);
}

/* Seconds till the last is done, with shares as they are planned. */
static double last_of(const machine *machines, int ranks, const halo_share_beat *beat,
                      const double *shares)
{
    double last = machines[0].per_unit * shares[0]; /* sends nothing to itself */
    for (int r = 1; r < ranks; r++) {
        halo_share_time t = time_of(&machines[r], beat, shares[r]);
        last = fmax(last, t.transfer + t.computing);
    }
    return last;
}

/* Kinds in turn, workers at random: LB2 makes all finish together, LB1 does not know the fixed
 * cost, none knows nothing. */
static double after_learning(halo_share_method method, const machine *machines, int ranks)
{
    halo_share_beat kinds[] = {{0, 1000, 5e4, 0, 100, 8, 0}, {1, 1000, 0, 0, 100, 8, 0}};
    const halo_share_options options = {method, ranks, 2, true};
    static const double cost[] = {1, 3};
    halo_share_planner *planner = NULL;
    double shares[MAX_RANKS], last = 0;
    SUCCEEDS(halo_share_planner_create(&planner, &options));
    for (int beat = 0; beat < 40; beat++) {
        const halo_share_beat *kind = &kinds[beat % 2];
        halo_share_time times[MAX_RANKS];
        machine now[MAX_RANKS];
        halo_share_planner_plan(planner, kind, shares);
        for (int r = 0; r < ranks; r++) {
            now[r] = machines[r];
            now[r].per_unit *= cost[beat % 2];
            times[r] = time_of(&now[r], kind, shares[r]);
        }
        times[0].acknowledged = times[0].transfer = times[0].bytes_out = 0;
        halo_share_planner_learn(planner, kind, times);
        last = beat % 2 == 0 ? last_of(now, ranks, kind, shares) : last;
    }
    halo_share_planner_destroy(&planner);
    return last;
}

TEST("methods")
{
    uint64_t random = 4;
    double sums[3] = {0};
    for (int n = 0; n < 50; n++) {
        int ranks = 2 + (int)random_below(&random, MAX_RANKS - 1);
        machine machines[MAX_RANKS];
        for (int r = 0; r < ranks; r++) {
            machines[r] = (machine){.delay = 1e-4 * (double)random_below(&random, 10),
                                    .speed = 1e6 * (double)(1 + random_below(&random, 30)),
                                    .per_unit = 1e-4 * (double)(1 + random_below(&random, 6))};
        }
        double none = after_learning(HALO_SHARE_NONE, machines, ranks);
        double lb1 = after_learning(HALO_SHARE_LB1, machines, ranks);
        double lb2 = after_learning(HALO_SHARE_LB2, machines, ranks);
        check(lb2 <= none * 1.001, "case %d: lb2 %g, none %g", n, lb2, none);
        check(lb2 <= lb1 * 1.02, "case %d: lb2 %g, lb1 %g", n, lb2, lb1);
        sums[0] += none;
        sums[1] += lb1;
        sums[2] += lb2;
    }
    check(sums[2] < .98 * sums[1] && sums[1] < .9 * sums[0], "none %g, lb1 %g, lb2 %g", sums[0],
          sums[1], sums[2]);
}

/* Nothing known: the same for all, and no seconds. */
TEST("nothing known")
{
    halo_share_beat beat = {1, 90, 100, 0, 1, 1, 0};
    const halo_share_options options = {HALO_SHARE_LB2, 3, 2, true};
    double shares[3];
    halo_lb_line lines[3];
    halo_share_planner *planner = NULL;
    SUCCEEDS(halo_share_planner_create(&planner, &options));
    halo_share_planner_plan(planner, &beat, shares);
    halo_share_planner_lines(planner, &beat, lines);
    CU_ASSERT_FALSE(halo_share_planner_knows(planner, 1));
    for (int r = 0; r < 3; r++) {
        CU_ASSERT_TRUE(shares[r] == 30 && lines[r].fixed == 0 && lines[r].per_unit == 0);
    }
    halo_share_time nothing[3] = {{0}};
    halo_share_planner_learn(planner, &beat, nothing);
    CU_ASSERT_FALSE(halo_share_planner_knows(planner, 1));
    halo_share_planner_destroy(&planner);
    halo_share_planner_destroy(&planner);
}

TEST("links")
{
    share_link link = {0}, falling = {0};
    double delays, per_byte;
    share_link_line(&link, &delays, &per_byte);
    CU_ASSERT_TRUE(delays == 0 && per_byte == 0);
    share_link_add(&link, 100, 3);
    share_link_line(&link, &delays, &per_byte);
    CU_ASSERT_TRUE(delays == 3 && per_byte == 0);
    for (int i = 0; i < 5; i++) {
        share_link_add(&link, 100 + 10 * i, 1 + .02 * (100 + 10 * i));
    }
    share_link_line(&link, &delays, &per_byte);
    NEAR(delays, 1, 1e-9);
    NEAR(per_byte, .02, 1e-11);
    /* Neither is negative, whatever was measured. */
    share_link_add(&falling, 10, 5);
    share_link_add(&falling, 100, 1);
    share_link_line(&falling, &delays, &per_byte);
    CU_ASSERT_TRUE(delays > 0 && per_byte == 0);
    share_link steep = {0};
    share_link_add(&steep, 10, 0);
    share_link_add(&steep, 100, 10);
    share_link_line(&steep, &delays, &per_byte);
    CU_ASSERT_TRUE(delays == 0 && per_byte > 0);
}

/* Everything is dealt, and nobody is further over its share than one piece of work. */
TEST("dealing")
{
    uint64_t random = 9;
    for (int n = 0; n < 300; n++) {
        enum { MAX = 60 };
        int ranks = 1 + (int)random_below(&random, MAX_RANKS);
        int64_t count = random_below(&random, MAX), units[MAX], total = 0, largest = 0;
        double shares[MAX_RANKS], weights = 0, got[MAX_RANKS] = {0};
        int32_t owners[MAX];
        for (int64_t i = 0; i < count; i++) {
            units[i] = random_below(&random, 50);
            total += units[i];
            largest = units[i] > largest ? units[i] : largest;
        }
        for (int r = 0; r < ranks; r++) {
            shares[r] = (double)(1 + random_below(&random, 20));
            weights += shares[r];
        }
        for (int r = 0; r < ranks; r++) {
            shares[r] *= (double)total / weights;
        }
        SUCCEEDS(halo_shares_deal(units, count, shares, ranks, owners));
        for (int64_t i = 0; i < count; i++) {
            if (check(owners[i] >= 0 && owners[i] < ranks, "case %d: nobody's", n)) {
                got[owners[i]] += (double)units[i];
            }
        }
        for (int r = 0; r < ranks; r++) {
            check(got[r] <= shares[r] + (double)largest + 1e-9, "case %d: %g for %g", n, got[r],
                  shares[r]);
        }
    }
}
