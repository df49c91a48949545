#include "support/balance_simulation.h"
#include "support/unit_check.h"

/* Simulated measurements are disturbed as on real machines: processes are interrupted, ranks are
 * slow for a few beats, beats cost all ranks more, work dies away. Results are means over all seeds
 * of a number, of chain beside none and LB2. */

enum { SEEDS = 6, STEP_SEEDS = 100, STEP_BEAT = 103 };

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

/* Even loads: nothing should move, and little does. */
static const sim_situation even[] = {
    {"hiccups of 2 beats", .noise = .02, .hiccups = .002, .hiccup_beats = 2},
    {"hiccups of 3 beats", .noise = .02, .hiccups = .002, .hiccup_beats = 3},
    {"hiccups of 2, often", .noise = .02, .hiccups = .01, .hiccup_beats = 2},
    {"interrupted, 10 %", INTERRUPTED(.1)},
    {"interrupted, 30 %", INTERRUPTED(.3)},
    {"interrupted, 2 ranks", INTERRUPTED(.1), .ranks = 2},
    {"interrupted, 30 %, 4 ranks", INTERRUPTED(.3), .ranks = 4},
    {"interrupted for long", .spikes = .05, .spike_size = 2, .noise = .03},
    {"interrupted, plans every 2", INTERRUPTED(.1), .every = 2},
    {"interrupted, plans every 10", INTERRUPTED(.3), .every = 10},
    {"the same, 2 ranks", INTERRUPTED(.3), .every = 10, .ranks = 2},
    {"tails", TAILED},
    {"tails, 2 ranks", TAILED, .ranks = 2},
    {"tails, plans every 10", TAILED, .every = 10},
    {"common changes, 2 ranks", .common = .3, .noise = .1, .ranks = 2},
};

/* One rank is slow, or becomes so. */
static const sim_situation slow[] = {
    {"slow, interrupted, 10 %", .speed = one_slow, INTERRUPTED(.1)},
    {"slow, interrupted, 30 %", .speed = one_slow, INTERRUPTED(.3)},
    {"the same, 2 ranks", .speed = one_slow, INTERRUPTED(.1), .ranks = 2},
    {"slow, tails", .speed = one_slow, TAILED},
    {"slow, noise, plans every 10", .speed = one_slow, .noise = .1, .every = 10},
    {"the same, interrupted", .speed = one_slow, INTERRUPTED(.3), .every = 10},
    {"step, interrupted", .speed = becomes_slow, INTERRUPTED(.1)},
    {"step, tails", .speed = becomes_slow, TAILED},
    {"step, plans every 10", .speed = becomes_slow, .noise = .1, .every = 10},
    {"the same, 2 ranks", .speed = becomes_slow, .noise = .03, .every = 10, .ranks = 2},
    {"step, common changes", .speed = becomes_slow, .common = .3, .noise = .03},
};

/* Rows' costs differ and change. */
static const sim_situation uneven[] = {
    {"cost step at a boundary", .cost = cost_step},
    {"the same, later", .cost = late_cost_step},
    {"the same, noise", .cost = cost_step, .noise = .1},
    {"dying work", .cost = dying},
    {"dying work, noise", .cost = dying, .noise = .05},
    {"dying work, 2 ranks", .cost = dying, .noise = .05, .ranks = 2},
    {"dying patches", .cost = dying_patches, .noise = .03},
    {"the same, plans every 5", .cost = dying_patches, .noise = .03, .every = 5},
    {"dying patches, interrupted", .cost = dying_patches, INTERRUPTED(.1)},
};

/* Changes for all alike: nothing moves. */
static const sim_situation common[] = {
    {"common changes", .common = .3, .noise = .1},
    {"common changes, no blocks", .common = .3, .noise = .1, .blind = true},
};

/* Changes that are much larger than what interruptions do to the means of eight beats. */
static const sim_situation back[] = {
    {"slow and back, 5 % hiccups", BACK_AND_FORTH, .hiccups = .05},
    {"slow and back, 20 % hiccups", BACK_AND_FORTH, .hiccups = .2},
};

typedef struct {
    double clean, all, moves; /* time over the ideal without noise and with it; moves */
} means;

static means run(const sim_situation *situation, const halo_balancer *balancer)
{
    static sim_result result;
    means of = {0, 0, 0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sim_run(situation, balancer, NULL, seed, &result);
        of.clean += result.clean_seconds / result.ideal / SEEDS;
        of.all += result.seconds / result.ideal / SEEDS;
        of.moves += (double)result.moves / SEEDS;
    }
    return of;
}

/* chain, which is never behind none; and LB2 beside it. */
static means run_chain(const sim_situation *situation, means *lb2)
{
    means none = run(situation, &halo_balancer_none);
    means chain = run(situation, &halo_balancer_chain);
    *lb2 = run(situation, &halo_balancer_lb2);
    check(chain.all <= SIM_CHAIN_LAZY * none.all, "%s: chain %.4f, none %.4f", situation->name,
          chain.all, none.all);
    return chain;
}

/* Without anything to gain, chain takes as long as none. Interruptions, which no normal
 * distribution bounds, may move something, but rarely compared with LB2, which follows all of them.
 */
static void run_even(const sim_situation *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = cases[i].name;
        means lb2, chain = run_chain(&cases[i], &lb2);
        check(chain.moves <= .02 * lb2.moves, "%s: chain moves %.1f times, lb2 %.1f", name,
              chain.moves, lb2.moves);
    }
}

/* With something to gain, chain is compared with LB2, and with none. */
static void run_uneven(const sim_situation *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = cases[i].name;
        means lb2, chain = run_chain(&cases[i], &lb2);
        check(chain.all <= SIM_CHAIN_BAND * lb2.all, "%s: chain %.4f, lb2 %.4f", name, chain.all,
              lb2.all);
        check(chain.clean <= SIM_CHAIN_BAND * lb2.clean, "%s, no noise: chain %.4f, lb2 %.4f", name,
              chain.clean, lb2.clean);
        check(chain.moves < lb2.moves, "%s: chain moves %.1f times, lb2 %.1f", name, chain.moves,
              lb2.moves);
    }
}

TEST("even loads")
{
    run_even(even, COUNT(even));
    run_even(common, COUNT(common));
}

TEST("one slow rank")
{
    run_uneven(slow, COUNT(slow));
    run_uneven(back, COUNT(back));
}

TEST("uneven rows")
{
    run_uneven(uneven, COUNT(uneven));
}

/* A step is seen by the first plan that is made from means after it. */
TEST("a step in means")
{
    static sim_result result;
    sim_situation step = {"step", .speed = becomes_slow, .noise = .05, .every = 10, .ranks = 4};
    for (uint64_t seed = 1; seed <= STEP_SEEDS; seed++) {
        sim_run(&step, &halo_balancer_chain, NULL, seed, &result);
        /* Beats 100 to 109 have seven slow ones, 110 to 119 are the first that are all slow. */
        check(result.efficiency[STEP_BEAT + 17] >= .9, "seed %d: efficiency %.3f", (int)seed,
              result.efficiency[STEP_BEAT + 17]);
    }
}
