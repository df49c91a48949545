#include "partition/balance/balance.h"
#include "partition/cuts.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cluster without a cluster: 300 beats of 4096 rows on 16 ranks, planned after every beat, with
 * costs, speeds and noise that are known, so that a balancer is compared with the ideal. */

enum { RANKS = 16, ROWS = 4096, BEATS = 300, STEP_BEAT = 100, BLOCK = 4 };

static const double row_seconds = 100e-6;
static const double move_seconds = 32e-6;

/* Row costs and rank speeds, 1 the usual. */
typedef struct {
    const char *name;
    double (*cost)(int64_t row, int beat);
    double (*speed)(int rank, int beat);
    double noise;       /* relative, of a rank's beat */
    bool normal;        /* the noise's distribution: normal, otherwise even within +- noise */
    double move_scale;  /* of move_seconds; 0: 1 */
    double block_noise; /* relative, of a block's beat, even within +- this */
    double hiccups;     /* share of a rank's beats that take 5 times as long */
    bool blind;         /* no costs of blocks are measured */
} situation;

typedef struct {
    double seconds, ideal;
    int64_t rows;
    int moves, first_move;    /* beats */
    double efficiency[BEATS]; /* ideal / actual of each beat, noise left out */
    double idc[BEATS];
} result;

static double even_cost(int64_t row, int beat)
{
    (void)row;
    (void)beat;
    return 1;
}

static double rising_cost(int64_t row, int beat)
{
    (void)beat;
    return 1 + 2 * ((double)row + .5) / ROWS;
}

static double hot_spot(int64_t row, int beat)
{
    double centre = ROWS * (.25 + .5 * beat / BEATS);
    double distance = ((double)row + .5 - centre) / 150;
    return 1 + 9 * exp(-distance * distance / 2);
}

static double even_speed(int rank, int beat)
{
    (void)rank;
    (void)beat;
    return 1;
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

#define EVEN         .cost = even_cost, .speed = even_speed
#define BECOMES_SLOW .cost = even_cost, .speed = one_becomes_slow
#define RISES        .cost = rising_cost, .speed = even_speed
#define HOT_SPOT     .cost = hot_spot, .speed = even_speed

static const situation patterns[] = {
    [SLOW] = {"one rank 3x slower", .cost = even_cost, .speed = one_slow},
    [STEP] = {"becomes 3x slower mid-run", BECOMES_SLOW},
    [NOISE] = {"uniform, 10 % noise", EVEN, .noise = .1},
    [STEP_NOISE] = {"mid-run step, 10 % noise", BECOMES_SLOW, .noise = .1},
    [RISING] = {"row cost rises 1 to 3", RISES},
    [RISING_NOISE] = {"the same, 10 % noise", RISES, .noise = .1},
    [HOT] = {"moving hot spot", HOT_SPOT},
    [HALF] = {"half the ranks 6.66x faster", .cost = even_cost, .speed = half_fast},
    [STEP_DEAR] = {"step, noise, moving 4x a row", BECOMES_SLOW, .noise = .1, .move_scale = 12.5},
    [NORMAL_NOISE] = {"uniform, 10 % normal noise", EVEN, .noise = .1, .normal = true},
    [BLOCK_NOISE] = {"uniform, blocks 50 % noise", EVEN, .noise = .02, .block_noise = .5},
    [HICCUPS] = {"uniform, hiccups", EVEN, .noise = .02, .hiccups = .005},
    [HOT_NOISE] = {"hot spot, 10 % noise", HOT_SPOT, .noise = .1},
    [HOT_BLOCK_NOISE] = {"hot spot, blocks 50 % noise", HOT_SPOT, .block_noise = .5},
    [BLIND_STEP] = {"mid-run step, no blocks", BECOMES_SLOW, .blind = true},
    [BLIND_RISING] = {"cost rises, no blocks", RISES, .blind = true},
};

enum { PATTERNS = sizeof patterns / sizeof patterns[0], BALANCERS = 5 };

static double random_unit(uint64_t *state)
{
    return ((double)random_below(state, 1 << 30) + .5) / (1 << 30);
}

static double noise_factor(const situation *pattern, uint64_t *random)
{
    double u = random_unit(random), v = random_unit(random);
    double deviate = pattern->normal ? sqrt(-2 * log(u)) * cos(6.283185307179586 * v) : 2 * u - 1;
    double hiccup = random_unit(random) < pattern->hiccups ? 5 : 1;
    return hiccup * fmax(.1, 1 + pattern->noise * deviate);
}

/* One strip's beat: seconds without noise are returned, those measured go to `load` and `blocks`.
 */
static double strip_load(const situation *pattern, int beat, const int64_t *cuts, int p,
                         uint64_t *random, halo_load *load, float *blocks)
{
    double scale = row_seconds / pattern->speed(p, beat), clean = 0, total = 0;
    double factor = noise_factor(pattern, random);
    int64_t rows = cuts[p + 1] - cuts[p];
    for (int64_t lo = 0; lo < rows; lo += BLOCK) {
        int64_t hi = lo + BLOCK < rows ? lo + BLOCK : rows;
        double seconds = 0;
        for (int64_t y = lo; y < hi; y++) {
            seconds += pattern->cost(cuts[p] + y, beat) * scale;
        }
        clean += seconds;
        seconds *= factor * (1 + pattern->block_noise * (2 * random_unit(random) - 1));
        total += seconds;
        blocks[lo / BLOCK] = (float)(seconds / (double)(hi - lo));
    }
    *load = (halo_load){.compute_seconds = total,
                        .rows = rows,
                        .block_rows = BLOCK,
                        .row_cost = pattern->blind ? NULL : blocks};
    return clean;
}

/* One beat: what each rank measures; its seconds without noise go to `clean`. Returns those of the
 * last to finish. */
static double beat_loads(const situation *pattern, int beat, const int64_t *cuts, uint64_t *random,
                         halo_load *loads, float *costs, double *clean)
{
    double last = 0;
    for (int p = 0; p < RANKS; p++) {
        clean[p] = strip_load(pattern, beat, cuts, p, random, &loads[p], costs + cuts[p]);
        last = fmax(last, loads[p].compute_seconds);
    }
    return last;
}

static double ideal_seconds(const situation *pattern, int beat)
{
    double work = 0, speed = 0;
    for (int64_t y = 0; y < ROWS; y++) {
        work += pattern->cost(y, beat) * row_seconds;
    }
    for (int p = 0; p < RANKS; p++) {
        speed += pattern->speed(p, beat);
    }
    return work / speed;
}

static double greatest(const double *values)
{
    double most = 0;
    for (int p = 0; p < RANKS; p++) {
        most = fmax(most, values[p]);
    }
    return most;
}

/* FNV-1a over all cuts, so that two runs can be compared. */
static uint64_t digest(uint64_t sum, const int64_t *cuts)
{
    for (int p = 0; p <= RANKS; p++) {
        sum = (sum ^ (uint64_t)cuts[p]) * 0x100000001b3;
    }
    return sum;
}

static uint64_t simulate(const situation *pattern, const halo_balancer *balancer, uint64_t seed,
                         result *outcome)
{
    static float costs[ROWS];
    halo_load loads[RANKS];
    double clean[RANKS];
    int64_t cuts[RANKS + 1], planned[RANKS + 1];
    uint64_t random = seed, sum = 0;
    void *state = NULL;
    double per_row = move_seconds * (pattern->move_scale > 0 ? pattern->move_scale : 1);
    memset(outcome, 0, sizeof *outcome);
    halo_cuts_even(ROWS, RANKS, cuts);
    CU_ASSERT_EQUAL_FATAL(balancer->create(&state, NULL), HALO_OK);
    for (int beat = 0; beat < BEATS; beat++) {
        outcome->seconds += beat_loads(pattern, beat, cuts, &random, loads, costs, clean);
        double ideal = ideal_seconds(pattern, beat);
        outcome->ideal += ideal;
        outcome->efficiency[beat] = ideal / greatest(clean);
        outcome->idc[beat] = halo_load_imbalance(clean, RANKS);
        halo_balance_input input = {.loads = loads,
                                    .ranks = RANKS,
                                    .least_rows = 1,
                                    .beats_left = BEATS - 1 - beat,
                                    .move_seconds_per_row = per_row,
                                    .cuts = cuts};
        halo_decision decision;
        CU_ASSERT_EQUAL_FATAL(balancer->plan(state, &input, planned, &decision), HALO_OK);
        int64_t rows = halo_cuts_moved(cuts, planned, RANKS);
        CU_ASSERT_EQUAL(rows > 0, decision.reason == HALO_REASON_GAIN);
        outcome->seconds += per_row * (double)halo_cuts_busiest(cuts, planned, RANKS);
        outcome->rows += rows;
        outcome->moves += rows > 0;
        outcome->first_move = outcome->moves == 1 && rows > 0 ? beat : outcome->first_move;
        memcpy(cuts, planned, sizeof cuts);
        sum = digest(sum, cuts);
    }
    balancer->destroy(&state);
    return sum;
}

static result results[PATTERNS][BALANCERS];

enum { NONE, LB1, LB2, DIFFUSION, CHAIN };

static double ratio(int pattern, int balancer)
{
    return results[pattern][balancer].seconds / results[pattern][balancer].ideal;
}

/* The table of all balancers on all patterns: time / ideal (rows moved, moves). */
static void test_table(void)
{
    printf("\n%-30s", "time / ideal (rows, moves)");
    for (int b = 0; b < BALANCERS; b++) {
        printf("  %-19s", halo_balancer_at(b)->name);
    }
    for (int i = 0; i < PATTERNS; i++) {
        printf("\n%-30s", patterns[i].name);
        for (int b = 0; b < BALANCERS; b++) {
            simulate(&patterns[i], halo_balancer_at(b), 2024, &results[i][b]);
            printf("  %.3f (%6d, %3d)", ratio(i, b), (int)results[i][b].rows, results[i][b].moves);
        }
    }
    printf("\n  ");
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
static void test_order(void)
{
    static const int clean[] = {LB1, LB2, CHAIN, DIFFUSION, NONE};
    static const int noisy[] = {CHAIN, NONE, DIFFUSION, LB2, LB1};
    static const int noisy_step[] = {CHAIN, DIFFUSION, LB2, LB1, NONE};
    static const int dear_step[] = {CHAIN, DIFFUSION, LB2, NONE, LB1};
    static const int noisy_rise[] = {CHAIN, LB2, LB1, DIFFUSION, NONE};
    static const int moving[] = {LB2, CHAIN, LB1, DIFFUSION, NONE};
    check_order(SLOW, clean, 5);
    check_order(STEP, clean, 5);
    check_order(RISING, clean, 5);
    check_order(HALF, clean, 5);
    check_order(NOISE, noisy, 5);
    check_order(NORMAL_NOISE, noisy, 5);
    check_order(STEP_NOISE, noisy_step, 5);
    check_order(STEP_DEAR, dear_step, 5);
    check_order(RISING_NOISE, noisy_rise, 5);
    check_order(HOT, moving, 5);
}

static void test_chain_beside_others(void)
{
    for (int i = 0; i < PATTERNS; i++) {
        check(ratio(i, CHAIN) <= 1.03 * ratio(i, LB2), "%s: chain %.3f, lb2 %.3f", patterns[i].name,
              ratio(i, CHAIN), ratio(i, LB2));
        check(ratio(i, CHAIN) <= 1.01 * ratio(i, NONE), "%s: chain %.3f, none %.3f",
              patterns[i].name, ratio(i, CHAIN), ratio(i, NONE));
    }
}

static void test_clean_imbalance(void)
{
    const result *slow = &results[SLOW][CHAIN];
    int after = slow->first_move + 1;
    CU_ASSERT_TRUE(slow->moves == 1 && slow->first_move <= 2);
    CU_ASSERT_TRUE(slow->efficiency[after] >= .95 && slow->idc[after] <= .02);
    CU_ASSERT_TRUE((double)slow->rows <= 1.1 * (double)results[SLOW][LB1].rows);
    CU_ASSERT_TRUE(ratio(RISING, CHAIN) <= 1.03 && ratio(BLIND_RISING, CHAIN) <= 1.04);
    CU_ASSERT_TRUE(results[RISING][CHAIN].moves == 1);
}

/* Measured twice, then gone. */
static void test_step(void)
{
    const result *step = &results[STEP][CHAIN];
    CU_ASSERT_TRUE(step->moves <= 2 && step->efficiency[STEP_BEAT] < .5);
    CU_ASSERT_TRUE(step->efficiency[STEP_BEAT + 2] >= .95 && step->idc[STEP_BEAT + 2] <= .02);
    CU_ASSERT_TRUE(results[STEP_NOISE][CHAIN].efficiency[STEP_BEAT + 3] >= .8);
}

/* Noise moves nothing, whatever the seed. */
static void test_noise(void)
{
    result outcome;
    CU_ASSERT_EQUAL(results[NOISE][CHAIN].moves, 0);
    CU_ASSERT_EQUAL(results[NORMAL_NOISE][CHAIN].moves, 0);
    CU_ASSERT_EQUAL(results[BLOCK_NOISE][CHAIN].moves, 0);
    CU_ASSERT_EQUAL(results[HICCUPS][CHAIN].moves, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        simulate(&patterns[NOISE], &halo_balancer_chain, seed, &outcome);
        check(outcome.moves == 0, "seed %d: %d moves", (int)seed, outcome.moves);
    }
}

static void test_hot_spot(void)
{
    CU_ASSERT_TRUE(ratio(HOT, CHAIN) <= 1.17);
    CU_ASSERT_TRUE(ratio(HOT_NOISE, CHAIN) <= ratio(HOT_NOISE, LB2));
    CU_ASSERT_TRUE(ratio(HOT_BLOCK_NOISE, CHAIN) <= 1.3);
}

static void test_same_every_time(void)
{
    result outcome;
    for (int i = 0; i < PATTERNS; i++) {
        uint64_t once = simulate(&patterns[i], &halo_balancer_chain, 5, &outcome);
        CU_ASSERT_EQUAL(simulate(&patterns[i], &halo_balancer_chain, 5, &outcome), once);
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"the table", test_table},
        {"the order of the balancers", test_order},
        {"chain beside LB2 and none", test_chain_beside_others},
        {"a clean imbalance", test_clean_imbalance},
        {"a step", test_step},
        {"noise", test_noise},
        {"a moving hot spot", test_hot_spot},
        {"the same plans every time", test_same_every_time},
        CU_TEST_INFO_NULL,
    };
    return unit_check_run("balance_simulated", tests);
}
