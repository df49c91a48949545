#include "support/balance_simulation.h"
#include "support/unit_check.h"

/* What real machines do to measurements: processes that are interrupted, ranks that are slow for a
 * few beats, beats that cost all ranks more, work that dies away. Means over ten seeds, or three
 * where seeds differ little. */

enum { SEEDS = 10, FEW_SEEDS = 3, STEP_BEAT = 103 };

static double one_slow(int rank, int beat)
{
    (void)beat;
    return rank == 1 ? 1. / 3 : 1;
}

static double becomes_slow(int rank, int beat)
{
    return beat >= STEP_BEAT ? one_slow(rank, beat) : 1;
}

/* Exactly where two strips meet, so that it looks like ranks of another speed. */
static double cost_step(int64_t row, int beat)
{
    (void)beat;
    return row < SIM_ROWS / 4 ? 1 : 3;
}

/* Four times slower and back, every ten plans of eight beats. */
static double back_and_forth(int rank, int beat)
{
    return rank == 1 && beat / 80 % 2 == 1 ? 1. / 4 : 1;
}

static double late_cost_step(int64_t row, int beat)
{
    return beat < STEP_BEAT ? 1 : cost_step(row, beat);
}

/* From the first rows to the last. */
static double dying(int64_t row, int beat)
{
    double half = 40 + 200 * ((double)row + .5) / SIM_ROWS;
    return .05 + 1 / (1 + exp((beat - half) / 20));
}

/* In patches of 64 rows, each in its own time. */
static double dying_patches(int64_t row, int beat)
{
    return .02 + exp(-beat / (40 + 200 * fabs(sin(2.4 * (double)(row / 64)))));
}

#define INTERRUPTED(share) .spikes = (share), .spike_size = .5, .noise = .03
#define BACK_AND_FORTH     .speed = back_and_forth, .noise = .02, .every = 8, .ranks = 2
#define TAILED             .tail = .3, .noise = .03

/* A situation, and what chain reaches in it: time without noise over the ideal, and moves. */
typedef struct {
    sim_situation situation;
    double ratio, moves;
} disturbed;

/* Even loads: nothing should move, and little does. */
static const disturbed even[] = {
    {{"hiccups of 2 beats", .noise = .02, .hiccups = .002, .hiccup_beats = 2}, 1.03, 4},
    {{"hiccups of 3 beats", .noise = .02, .hiccups = .002, .hiccup_beats = 3}, 1.03, 4},
    {{"hiccups of 2, often", .noise = .02, .hiccups = .01, .hiccup_beats = 2}, 1.03, 5},
    {{"interrupted, 10 %", INTERRUPTED(.1)}, 1.03, 6},
    {{"interrupted, 30 %", INTERRUPTED(.3)}, 1.06, 18},
    {{"interrupted, 2 ranks", INTERRUPTED(.1), .ranks = 2}, 1.001, .1},
    {{"interrupted, 30 %, 4 ranks", INTERRUPTED(.3), .ranks = 4}, 1.03, 5},
    {{"interrupted for long", .spikes = .05, .spike_size = 2, .noise = .03}, 1.025, 3},
    {{"interrupted, plans every 2", INTERRUPTED(.1), .every = 2}, 1.055, 4},
    {{"interrupted, plans every 10", INTERRUPTED(.3), .every = 10}, 1.025, 1},
    {{"the same, 2 ranks", INTERRUPTED(.3), .every = 10, .ranks = 2}, 1.015, .5},
    {{"tails", TAILED}, 1.06, 5},
    {{"tails, 2 ranks", TAILED, .ranks = 2}, 1.025, 2},
    {{"tails, plans every 10", TAILED, .every = 10}, 1.03, 1},
    {{"common changes, 2 ranks", .common = .3, .noise = .1, .ranks = 2}, 1.01, 2},
};

/* One rank is slow, or becomes so. */
static const disturbed slow[] = {
    {{"slow, interrupted, 10 %", .speed = one_slow, INTERRUPTED(.1)}, 1.06, 10},
    {{"slow, interrupted, 30 %", .speed = one_slow, INTERRUPTED(.3)}, 1.085, 20},
    {{"the same, 2 ranks", .speed = one_slow, INTERRUPTED(.1), .ranks = 2}, 1.03, 3},
    {{"slow, tails", .speed = one_slow, TAILED}, 1.12, 8},
    {{"slow, noise, plans every 10", .speed = one_slow, .noise = .1, .every = 10}, 1.1, 3},
    {{"the same, interrupted", .speed = one_slow, INTERRUPTED(.3), .every = 10}, 1.17, 3},
    {{"step, interrupted", .speed = becomes_slow, INTERRUPTED(.1)}, 1.06, 8},
    {{"step, tails", .speed = becomes_slow, TAILED}, 1.11, 7},
    {{"step, plans every 10", .speed = becomes_slow, .noise = .1, .every = 10}, 1.09, 4},
    {{"the same, 2 ranks", .speed = becomes_slow, .noise = .03, .every = 10, .ranks = 2}, 1.06, 4},
    {{"step, common changes", .speed = becomes_slow, .common = .3, .noise = .03}, 1.04, 3},
};

/* Rows' costs differ and change. */
static const disturbed uneven[] = {
    {{"cost step at a boundary", .cost = cost_step}, 1.04, 6},
    {{"the same, later", .cost = late_cost_step}, 1.04, 6},
    {{"the same, noise", .cost = cost_step, .noise = .1}, 1.05, 10},
    {{"dying work", .cost = dying}, 1.1, 110},
    {{"dying work, noise", .cost = dying, .noise = .05}, 1.13, 90},
    {{"dying work, 2 ranks", .cost = dying, .noise = .05, .ranks = 2}, 1.04, 65},
    {{"dying patches", .cost = dying_patches, .noise = .03}, 1.035, 12},
    {{"the same, plans every 5", .cost = dying_patches, .noise = .03, .every = 5}, 1.035, 10},
};

/* Changes for all alike: nothing moves. */
static const disturbed common[] = {
    {{"common changes", .common = .3, .noise = .1}, 1.0001, 0},
    {{"common changes, no blocks", .common = .3, .noise = .1, .blind = true}, 1.0001, 0},
};

/* Changes that are much larger than what interruptions do to the means of eight beats. */
static const disturbed back[] = {
    {{"slow and back, 5 % hiccups", BACK_AND_FORTH, .hiccups = .05}, 1.225, 5},
    {{"slow and back, 20 % hiccups", BACK_AND_FORTH, .hiccups = .2}, 1.26, 6},
};

static const disturbed uneven_interrupted[] = {
    {{"dying patches, interrupted", .cost = dying_patches, INTERRUPTED(.1)}, 1.06, 15},
};

typedef struct {
    double ratio, moves;
} means;

static means run(const sim_situation *situation, const halo_balancer *balancer, int seeds)
{
    static sim_result result;
    means of = {0, 0};
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        sim_run(situation, balancer, NULL, 77 * seed, &result);
        of.ratio += result.clean_seconds / result.ideal / seeds;
        of.moves += (double)result.moves / seeds;
    }
    return of;
}

/* Chain keeps its bars and stays beside LB2 within 3 %. */
static void run_all(const disturbed *cases, size_t count, int lb2_seeds, int seeds)
{
    for (size_t i = 0; i < count; i++) {
        const sim_situation *situation = &cases[i].situation;
        means lb2 = run(situation, &halo_balancer_lb2, lb2_seeds);
        means chain = run(situation, &halo_balancer_chain, seeds);
        check(chain.ratio <= cases[i].ratio, "%s: %.4f of the ideal, not %.4f", situation->name,
              chain.ratio, cases[i].ratio);
        check(chain.moves <= cases[i].moves, "%s: %.1f moves, not %.1f", situation->name,
              chain.moves, cases[i].moves);
        check(chain.ratio <= 1.03 * lb2.ratio, "%s: chain %.3f, lb2 %.3f", situation->name,
              chain.ratio, lb2.ratio);
    }
}

TEST("even loads")
{
    run_all(even, COUNT(even), FEW_SEEDS, SEEDS); /* LB2 is far worse */
    run_all(common, COUNT(common), FEW_SEEDS, FEW_SEEDS);
}

TEST("one slow rank")
{
    run_all(slow, COUNT(slow), FEW_SEEDS, SEEDS);
    run_all(back, COUNT(back), SEEDS, SEEDS);
}

TEST("uneven rows")
{
    run_all(uneven, COUNT(uneven), FEW_SEEDS, FEW_SEEDS);
    run_all(uneven_interrupted, 1, FEW_SEEDS, SEEDS);
}

/* A step is seen by the first plan that is made from means after it. */
TEST("a step in means")
{
    static sim_result result;
    sim_situation step = {"step", .speed = becomes_slow, .noise = .05, .every = 10, .ranks = 4};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sim_run(&step, &halo_balancer_chain, NULL, seed, &result);
        /* Beats 100 to 109 have seven slow ones, 110 to 119 are the first that are all slow. */
        check(result.efficiency[STEP_BEAT + 17] >= .9, "seed %d: efficiency %.3f", (int)seed,
              result.efficiency[STEP_BEAT + 17]);
    }
}
