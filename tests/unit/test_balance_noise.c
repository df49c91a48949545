#include "support/balance_simulation.h"
#include "support/unit_check.h"

#include <stdlib.h>

/* `chain` and noise: an even load stays where it is but in very few runs, and a load that changes
 * is seen as soon as it can be. All seeds from 1 on; none is left out. */

enum { RUNS = 200, FEW_RUNS = 50, ROWS = 512, PAIR_ROWS = 64, STEP_BEAT = 100 };

#define UNIFORM .noise = .1, .rows = ROWS
#define NORMAL  .noise = .1, .normal = true, .rows = ROWS
#define HICCUPS .noise = .02, .hiccups = .005, .rows = ROWS
#define PAIR    .ranks = 2, .rows = PAIR_ROWS

/* The other ranks, 15 or one, have a speed of 1. */
static double thrice(int rank, int beat)
{
    (void)beat;
    return rank == 1 ? 1. / 3 : 1;
}

static double twice(int rank, int beat)
{
    (void)beat;
    return rank == 1 ? 1. / 2 : 1;
}

static double becomes_thrice(int rank, int beat)
{
    return beat < STEP_BEAT ? 1 : thrice(rank, beat);
}

static double becomes_twice(int rank, int beat)
{
    return beat < STEP_BEAT ? 1 : twice(rank, beat);
}

/* In at most one of 500 runs something moves. HALOBEAT_TEST_RUNS is another number of runs. */
static void check_even(const sim_situation *even)
{
    static sim_result result;
    const char *requested = getenv("HALOBEAT_TEST_RUNS");
    int runs = requested != NULL ? atoi(requested) : RUNS, moved = 0;
    for (int seed = 1; seed <= runs; seed++) {
        sim_run(even, &halo_balancer_chain, NULL, (uint64_t)seed, &result);
        moved += result.moves > 0;
    }
    check(runs > 0 && moved <= (runs + 499) / 500, "%s: moved in %d of %d runs", even->name, moved,
          runs);
}

TEST("even loads under uniform noise")
{
    check_even(&(sim_situation){"uniform", UNIFORM});
}

TEST("even loads under normal noise")
{
    check_even(&(sim_situation){"normal", NORMAL});
}

TEST("even loads with hiccups")
{
    check_even(&(sim_situation){"hiccups", HICCUPS});
}

/* Few differences tell how much noise there is, and each rank's error is half of the gain's. */
TEST("even loads of two ranks")
{
    check_even(&(sim_situation){"two ranks, uniform", .noise = .1, PAIR});
    check_even(&(sim_situation){"two ranks, normal", .noise = .1, .normal = true, PAIR});
    check_even(&(sim_situation){"two ranks, hiccups", .noise = .02, .hiccups = .005, PAIR});
}

typedef struct {
    sim_situation situation;
    int from;          /* beat, at which it becomes slow; a plan a beat */
    double efficiency; /* after two plans: of two measurements of all ranks with that noise the
                        * worst is off by up to a quarter */
} change;

static const change changes[] = {
    {{"slow", .speed = thrice, .rows = ROWS}, 0, .9},
    {{"half as fast", .speed = twice, .rows = ROWS}, 0, .9},
    {{"step", .speed = becomes_thrice, .rows = ROWS}, STEP_BEAT, .9},
    {{"step to half", .speed = becomes_twice, .rows = ROWS}, STEP_BEAT, .9},
    {{"slow, uniform", .speed = thrice, UNIFORM}, 0, .75},
    {{"step, uniform", .speed = becomes_thrice, UNIFORM}, STEP_BEAT, .75},
    {{"step to half, uniform", .speed = becomes_twice, UNIFORM}, STEP_BEAT, .75},
    {{"slow, normal", .speed = thrice, NORMAL}, 0, .75},
    {{"step, normal", .speed = becomes_thrice, NORMAL}, STEP_BEAT, .75},
    {{"two ranks", .speed = thrice, PAIR}, 0, .9},
    {{"two ranks, half as fast", .speed = twice, PAIR}, 0, .9},
    {{"two ranks, uniform", .speed = thrice, .noise = .1, PAIR}, 0, .75},
    {{"two ranks, normal", .speed = thrice, .noise = .1, .normal = true, PAIR}, 0, .75},
};

TEST("a slow rank and a step are absorbed in two plans")
{
    static sim_result result;
    for (size_t i = 0; i < COUNT(changes); i++) {
        const change *of = &changes[i];
        int absorbed = 0, runs = of->situation.noise > 0 ? FEW_RUNS : 1;
        for (uint64_t seed = 1; seed <= (uint64_t)runs; seed++) {
            sim_run(&of->situation, &halo_balancer_chain, NULL, seed, &result);
            CU_ASSERT_TRUE(result.efficiency[of->from] < .7);
            absorbed += result.efficiency[of->from + 2] >= of->efficiency;
        }
        /* Noise without a bound may make one run of 20 worse. */
        check(absorbed >= (of->situation.normal ? runs - runs / 20 : runs), "%s: %d of %d runs",
              of->situation.name, absorbed, runs);
    }
}
