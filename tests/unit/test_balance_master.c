#include "partition/balance/master.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_RANKS = 8 };

/* A simulated worker. */
typedef struct {
    double delay, speed; /* seconds one way; bytes a second */
    double per_unit;     /* seconds */
} machine;

/* What it takes in a beat: the acknowledgement comes after both delays and the way out. */
static halo_master_time time_of(const machine *m, const halo_master_beat *beat, double units)
{
    double bytes = beat->constant_out + beat->unit_out * units;
    return (halo_master_time){.units = units,
                              .bytes = bytes,
                              .acknowledged = 2 * m->delay + bytes / m->speed,
                              .computing = m->per_unit * units};
}

/* The reference's three workers behind a master that does no work: what is learnt from two beats
 * of different sizes is the paper's lines, which test_balance_lb shares out. */
TEST("the paper's lines")
{
    static const machine machines[] = {{0, 1, 0},
                                       {.01, 128 / .256, .34 / 34},
                                       {.01, 126 / .252, .66 / 33},
                                       {.02, 126 / 1.28, .33 / 33}};
    static const double units[] = {0, 34, 33, 33};
    const double fixed[] = {.14, .14, .649524}, per_unit[] = {.014, .024, .030317};
    halo_master_beat beat = {0, 100, 50, 10, 1, 1}, small = {1, 100, 0, 0, 1, 1};
    halo_master *master = NULL;
    SUCCEEDS(halo_master_create(&master, HALO_MASTER_LB2, 4, 2));
    halo_master_time times[4] = {{0}};
    for (int round = 0; round < 2; round++) {
        for (int r = 1; r < 4; r++) {
            times[r] = time_of(&machines[r], round == 0 ? &small : &beat, units[r]);
        }
        halo_master_learn(master, round == 0 ? &small : &beat, times);
    }
    halo_lb_line lines[4];
    halo_master_lines(master, &beat, lines);
    for (int r = 0; r < 3; r++) {
        NEAR(lines[r + 1].fixed, fixed[r], 5e-7);
        NEAR(lines[r + 1].per_unit, per_unit[r], 5e-7);
    }
    halo_master_destroy(&master);
}

/* Seconds till the last is done, with shares as they are planned. */
static double last_of(const machine *machines, int ranks, const halo_master_beat *beat,
                      const double *shares)
{
    double last = machines[0].per_unit * shares[0]; /* sends nothing to itself */
    for (int r = 1; r < ranks; r++) {
        halo_master_time t = time_of(&machines[r], beat, shares[r]);
        last = fmax(last, t.acknowledged + t.computing);
    }
    return last;
}

/* Kinds in turn, workers at random: LB2 makes all finish together, LB1 does not know the fixed
 * cost, none knows nothing. */
static double after_learning(halo_master_method method, const machine *machines, int ranks)
{
    halo_master_beat kinds[] = {{0, 1000, 5e4, 0, 100, 8}, {1, 1000, 0, 0, 100, 8}};
    static const double cost[] = {1, 3};
    halo_master *master = NULL;
    double shares[MAX_RANKS], last = 0;
    SUCCEEDS(halo_master_create(&master, method, ranks, 2));
    for (int beat = 0; beat < 40; beat++) {
        const halo_master_beat *kind = &kinds[beat % 2];
        halo_master_time times[MAX_RANKS];
        machine now[MAX_RANKS];
        halo_master_plan(master, kind, shares);
        for (int r = 0; r < ranks; r++) {
            now[r] = machines[r];
            now[r].per_unit *= cost[beat % 2];
            times[r] = time_of(&now[r], kind, shares[r]);
        }
        times[0].acknowledged = times[0].bytes = 0;
        halo_master_learn(master, kind, times);
        last = beat % 2 == 0 ? last_of(now, ranks, kind, shares) : last;
    }
    halo_master_destroy(&master);
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
        double none = after_learning(HALO_MASTER_NONE, machines, ranks);
        double lb1 = after_learning(HALO_MASTER_LB1, machines, ranks);
        double lb2 = after_learning(HALO_MASTER_LB2, machines, ranks);
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
    halo_master_beat beat = {1, 90, 100, 0, 1, 1};
    double shares[3];
    halo_lb_line lines[3];
    halo_master *master = NULL;
    SUCCEEDS(halo_master_create(&master, HALO_MASTER_LB2, 3, 2));
    halo_master_plan(master, &beat, shares);
    halo_master_lines(master, &beat, lines);
    CU_ASSERT_FALSE(halo_master_knows(master, 1));
    for (int r = 0; r < 3; r++) {
        CU_ASSERT_TRUE(shares[r] == 30 && lines[r].fixed == 0 && lines[r].per_unit == 0);
    }
    halo_master_time nothing[3] = {{0}};
    halo_master_learn(master, &beat, nothing);
    CU_ASSERT_FALSE(halo_master_knows(master, 1));
    halo_master_destroy(&master);
    halo_master_destroy(&master);
}

TEST("links")
{
    halo_master_link link = {0}, falling = {0};
    double delays, per_byte;
    halo_master_link_line(&link, &delays, &per_byte);
    CU_ASSERT_TRUE(delays == 0 && per_byte == 0);
    halo_master_link_add(&link, 100, 3);
    halo_master_link_line(&link, &delays, &per_byte);
    CU_ASSERT_TRUE(delays == 3 && per_byte == 0);
    for (int i = 0; i < 5; i++) {
        halo_master_link_add(&link, 100 + 10 * i, 1 + .02 * (100 + 10 * i));
    }
    halo_master_link_line(&link, &delays, &per_byte);
    NEAR(delays, 1, 1e-9);
    NEAR(per_byte, .02, 1e-11);
    /* Neither is negative, whatever was measured. */
    halo_master_link_add(&falling, 10, 5);
    halo_master_link_add(&falling, 100, 1);
    halo_master_link_line(&falling, &delays, &per_byte);
    CU_ASSERT_TRUE(delays > 0 && per_byte == 0);
    halo_master_link steep = {0};
    halo_master_link_add(&steep, 10, 0);
    halo_master_link_add(&steep, 100, 10);
    halo_master_link_line(&steep, &delays, &per_byte);
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
        SUCCEEDS(halo_master_deal(units, count, shares, ranks, owners));
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
