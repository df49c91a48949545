#include "kernels/synthetic/chains.h"

/* x becomes multiplier * x + increment. */
typedef struct {
    uint64_t multiplier, increment;
} affine;

static const affine one_step = {UINT64_C(6364136223846793005), UINT64_C(1442695040888963407)};

uint64_t synthetic_mixed(uint64_t number)
{
    number += UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
    return number ^ number >> 31;
}

static void begin(int64_t row, int64_t beat, uint64_t chains[SYNTHETIC_CHAINS])
{
    uint64_t seed = synthetic_mixed(synthetic_mixed((uint64_t)row) ^ (uint64_t)beat);
    for (int c = 0; c < SYNTHETIC_CHAINS; c++) {
        chains[c] = synthetic_mixed(seed + (uint64_t)c);
    }
}

/* A sum alone would not tell which chain came to which end. */
static uint64_t end(const uint64_t chains[SYNTHETIC_CHAINS])
{
    uint64_t sum = 0;
    for (int c = 0; c < SYNTHETIC_CHAINS; c++) {
        sum = synthetic_mixed(sum ^ chains[c]);
    }
    return sum;
}

/* Before the first step there is nothing to show. */
static uint64_t number_after(const uint64_t chains[SYNTHETIC_CHAINS], int64_t steps)
{
    return steps > 0 ? end(chains) : 0;
}

static void do_steps(uint64_t chains[SYNTHETIC_CHAINS], int64_t steps)
{
    for (int64_t step = 0; step < steps; step++) {
        for (int c = 0; c < SYNTHETIC_CHAINS; c++) {
            chains[c] = one_step.multiplier * chains[c] + one_step.increment;
        }
    }
}

/* First one map, then the other. */
static affine joined(affine first, affine second)
{
    return (affine){second.multiplier * first.multiplier,
                    second.multiplier * first.increment + second.increment};
}

static affine many_steps(int64_t steps)
{
    affine all = {1, 0}, power = one_step;
    for (; steps > 0; steps >>= 1) {
        if ((steps & 1) != 0) {
            all = joined(all, power);
        }
        power = joined(power, power);
    }
    return all;
}

static void jump_steps(uint64_t chains[SYNTHETIC_CHAINS], int64_t steps)
{
    affine all = many_steps(steps);
    for (int c = 0; c < SYNTHETIC_CHAINS; c++) {
        chains[c] = all.multiplier * chains[c] + all.increment;
    }
}

uint64_t synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to, bool jump)
{
    uint64_t chains[SYNTHETIC_CHAINS];
    begin(row, beat, chains);
    jump_steps(chains, from);
    uint64_t before = number_after(chains, from);
    if (jump) {
        jump_steps(chains, to - from);
    } else {
        do_steps(chains, to - from);
    }
    return number_after(chains, to) - before;
}
