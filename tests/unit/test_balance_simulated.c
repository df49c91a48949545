#include "support/balance_simulation.h"
#include "support/unit_check.h"

/* The balancers of balance.h on simulated loads, beside each other and beside the ideal. */

enum { STEP_BEAT = 100 };

static double rising_cost(int64_t row, int beat)
{
    (void)beat;
    return 1 + 2 * ((double)row + .5) / SIM_ROWS;
}

static double hot_spot(int64_t row, int beat)
{
    double centre = SIM_ROWS * (.25 + .5 * beat / SIM_BEATS);
    double distance = ((double)row + .5 - centre) / 150;
    return 1 + 9 * exp(-distance * distance / 2);
}

static double one_slow(int rank, int beat)
{
    (void)beat;
    return rank == 5 ? 1. / 3 : 1;
}

static double one_becomes_slow(int rank, int beat)
{
    return beat >= STEP_BEAT ? one_slow(rank, beat) : 1;
}

static double half_fast(int rank, int beat)
{
    (void)beat;
    return strchr("\1\2\4\7\10\12\16\17", rank + 1) != NULL ? 6.66 : 1;
}

enum {
    SLOW,
    STEP,
    NOISE,
    STEP_NOISE,
    RISING,
    RISING_NOISE,
    HOT,
    HALF,
    STEP_DEAR,
    NORMAL_NOISE,
    BLOCK_NOISE,
    HICCUPS,
    HOT_NOISE,
    HOT_BLOCK_NOISE,
    BLIND_STEP,
    BLIND_RISING
};

static const sim_situation patterns[] = {
    [SLOW] = {"one rank 3x slower", .speed = one_slow},
    [STEP] = {"becomes 3x slower mid-run", .speed = one_becomes_slow},
    [NOISE] = {"uniform, 10 % noise", .noise = .1},
    [STEP_NOISE] = {"mid-run step, 10 % noise", .speed = one_becomes_slow, .noise = .1},
    [RISING] = {"row cost rises 1 to 3", .cost = rising_cost},
    [RISING_NOISE] = {"the same, 10 % noise", .cost = rising_cost, .noise = .1},
    [HOT] = {"moving hot spot", .cost = hot_spot},
    [HALF] = {"half the ranks 6.66x faster", .speed = half_fast},
    [STEP_DEAR] = {"step, noise, moving 4x a row", .speed = one_becomes_slow, .noise = .1,
                   .move_scale = 12.5},
    [NORMAL_NOISE] = {"uniform, 10 % normal noise", .noise = .1, .normal = true},
    [BLOCK_NOISE] = {"uniform, blocks 50 % noise", .noise = .02, .block_noise = .5},
    [HICCUPS] = {"uniform, hiccups", .noise = .02, .hiccups = .005},
    [HOT_NOISE] = {"hot spot, 10 % noise", .cost = hot_spot, .noise = .1},
    [HOT_BLOCK_NOISE] = {"hot spot, blocks 50 % noise", .cost = hot_spot, .block_noise = .5},
    [BLIND_STEP] = {"mid-run step, no blocks", .speed = one_becomes_slow, .blind = true},
    [BLIND_RISING] = {"cost rises, no blocks", .cost = rising_cost, .blind = true},
};

enum { PATTERNS = COUNT(patterns), BALANCERS = 5, SEEDS = 6 };

/* The last run of each. */
static sim_result results[PATTERNS][BALANCERS];

/* Time over the ideal, the mean of all runs. */
static double ratios[PATTERNS][BALANCERS];

enum { NONE, LB1, LB2, DIFFUSION, CHAIN };

static double ratio(int pattern, int balancer)
{
    return ratios[pattern][balancer];
}

static bool is_random(const sim_situation *pattern)
{
    return pattern->noise > 0 || pattern->block_noise > 0 || pattern->hiccups > 0;
}

/* This test fills the tables that the others check. */
TEST("all balancers on all patterns")
{
    for (int i = 0; i < PATTERNS; i++) {
        int seeds = is_random(&patterns[i]) ? SEEDS : 1;
        for (int b = 0; b < BALANCERS; b++) {
            for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
                sim_result *result = &results[i][b];
                sim_run(&patterns[i], halo_balancer_at(b), NULL, seed, result);
                ratios[i][b] += result->seconds / result->ideal / seeds;
            }
        }
    }
}

/* Each does as well as the next one in the list, or better. */
static void check_order(int pattern, const int *balancers, int count)
{
    for (int i = 1; i < count; i++) {
        check(ratio(pattern, balancers[i - 1]) <= ratio(pattern, balancers[i]) * 1.001,
              "%s: %s takes %.3f, %s %.3f", patterns[pattern].name,
              halo_balancer_at(balancers[i - 1])->name, ratio(pattern, balancers[i - 1]),
              halo_balancer_at(balancers[i])->name, ratio(pattern, balancers[i]));
    }
}

/* Who is better than whom when costs are even, uneven, changing and noisy. */
TEST("the order of the balancers")
{
    static const int clean[] = {LB1, LB2, CHAIN, DIFFUSION, NONE};
    static const int noisy[] = {CHAIN, NONE, DIFFUSION, LB2, LB1};
    static const int noisy_step[] = {CHAIN, DIFFUSION, LB2, LB1, NONE};
    static const int dear_step[] = {CHAIN, DIFFUSION, LB2, NONE, LB1};
    static const int noisy_rise[] = {CHAIN, LB2, LB1, DIFFUSION, NONE};
    static const int moving[] = {LB2, CHAIN, LB1, DIFFUSION, NONE};
    static const struct {
        int pattern;
        const int *order;
    } orders[] = {{SLOW, clean},
                  {STEP, clean},
                  {RISING, clean},
                  {HALF, clean},
                  {NOISE, noisy},
                  {NORMAL_NOISE, noisy},
                  {STEP_NOISE, noisy_step},
                  {STEP_DEAR, dear_step},
                  {RISING_NOISE, noisy_rise},
                  {HOT, moving}};
    for (size_t i = 0; i < COUNT(orders); i++) {
        check_order(orders[i].pattern, orders[i].order, BALANCERS);
    }
}

TEST("chain beside LB2 and none")
{
    for (int i = 0; i < PATTERNS; i++) {
        check(ratio(i, CHAIN) <= SIM_CHAIN_BAND * ratio(i, LB2), "%s: chain %.3f, lb2 %.3f",
              patterns[i].name, ratio(i, CHAIN), ratio(i, LB2));
        check(ratio(i, CHAIN) <= SIM_CHAIN_LAZY * ratio(i, NONE), "%s: chain %.3f, none %.3f",
              patterns[i].name, ratio(i, CHAIN), ratio(i, NONE));
    }
}

TEST("a clean imbalance")
{
    const sim_result *slow = &results[SLOW][CHAIN];
    int after = slow->first_move + 1;
    CU_ASSERT_TRUE(slow->moves == 1 && slow->first_move <= 2);
    CU_ASSERT_TRUE(slow->efficiency[after] >= .95 && slow->idc[after] <= .02);
    CU_ASSERT_TRUE((double)slow->rows <= 1.1 * (double)results[SLOW][LB1].rows);
    CU_ASSERT_TRUE(ratio(RISING, CHAIN) <= SIM_CHAIN_BAND);
    CU_ASSERT_TRUE(ratio(BLIND_RISING, CHAIN) <= SIM_CHAIN_BAND);
    CU_ASSERT_TRUE(results[RISING][CHAIN].moves == 1);
}

/* Measured twice, then gone. */
TEST("a step")
{
    const sim_result *step = &results[STEP][CHAIN];
    int rebalances = step->moved_by[STEP_BEAT + 2] - step->moved_by[STEP_BEAT];
    CU_ASSERT_TRUE(rebalances >= 1 && rebalances <= 2);
    CU_ASSERT_TRUE(step->moves <= 2 && step->efficiency[STEP_BEAT] < .5);
    CU_ASSERT_TRUE(step->efficiency[STEP_BEAT + 2] >= .95 && step->idc[STEP_BEAT + 2] <= .02);
    CU_ASSERT_TRUE(results[STEP_NOISE][CHAIN].efficiency[STEP_BEAT + 3] >= .8);
}

/* Noise of single blocks says nothing about ranks. Noise of ranks: see test_balance_noise. */
TEST("noise of blocks")
{
    sim_result outcome;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sim_run(&patterns[BLOCK_NOISE], &halo_balancer_chain, NULL, seed, &outcome);
        check(outcome.moves == 0, "seed %d: %d moves", (int)seed, outcome.moves);
    }
}

TEST("a moving hot spot")
{
    CU_ASSERT_TRUE(ratio(HOT, CHAIN) <= 1.17);
    CU_ASSERT_TRUE(ratio(HOT_NOISE, CHAIN) <= ratio(HOT_NOISE, LB2));
    CU_ASSERT_TRUE(ratio(HOT_BLOCK_NOISE, CHAIN) <= 1.3);
}

TEST("the same plans every time")
{
    sim_result once, again;
    for (int i = 0; i < PATTERNS; i++) {
        sim_run(&patterns[i], &halo_balancer_chain, NULL, 5, &once);
        sim_run(&patterns[i], &halo_balancer_chain, NULL, 5, &again);
        CU_ASSERT_EQUAL(once.digest, again.digest);
    }
}
