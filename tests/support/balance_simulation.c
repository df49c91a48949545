#include "support/balance_simulation.h"

#include "partition/cuts.h"
#include "support/images.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

/* Seconds of a row of cost 1 on a rank of speed 1, and of moving a row. */
static const double row_seconds = 100e-6;
static const double move_seconds = 32e-6;

enum { BLOCK = 4 };

typedef struct {
    const sim_situation *situation;
    int ranks;
    int64_t rows;
    uint64_t random;
    int64_t cuts[SIM_RANKS + 1];
    int hiccup_left[SIM_RANKS]; /* beats */
    double clean[SIM_RANKS];    /* seconds without noise */
    /* These were measured since the last plan. */
    int beats;
    double sum[SIM_RANKS], squares[SIM_RANKS];
    double blocks[SIM_RANKS][SIM_ROWS / BLOCK]; /* seconds */
    halo_load loads[SIM_RANKS];
    float costs[SIM_RANKS][SIM_ROWS / BLOCK];
} simulation;

static double random_unit(uint64_t *state)
{
    return ((double)random_below(state, 1 << 30) + .5) / (1 << 30);
}

static double exponential(uint64_t *random, double mean)
{
    return -mean * log(random_unit(random));
}

static double rows_cost(const sim_situation *situation, int64_t lo, int64_t hi, int beat)
{
    double cost = 0;
    for (int64_t y = lo; situation->cost != NULL && y < hi; y++) {
        cost += situation->cost(y, beat);
    }
    return situation->cost != NULL ? cost : (double)(hi - lo);
}

static double rank_speed(const sim_situation *situation, int rank, int beat)
{
    return situation->speed != NULL ? situation->speed(rank, beat) : 1;
}

static double noise_factor(simulation *sim, int p)
{
    const sim_situation *of = sim->situation;
    double u = random_unit(&sim->random), v = random_unit(&sim->random);
    double deviate = of->normal ? sqrt(-2 * log(u)) * cos(6.283185307179586 * v) : 2 * u - 1;
    if (random_unit(&sim->random) < of->hiccups && sim->hiccup_left[p] == 0) {
        sim->hiccup_left[p] = of->hiccup_beats > 0 ? of->hiccup_beats : 1;
    }
    bool hiccup = sim->hiccup_left[p] > 0;
    sim->hiccup_left[p] -= hiccup ? 1 : 0;
    return (hiccup ? 5 : 1) * fmax(.1, 1 + of->noise * deviate);
}

/* Add disturbances to some beats: to a single block, and to the strip as a whole. */
static double disturb(simulation *sim, int p, int64_t rows)
{
    const sim_situation *of = sim->situation;
    double usual = row_seconds * (double)sim->rows / sim->ranks, added = 0;
    if (of->spikes > 0 && random_unit(&sim->random) < of->spikes && rows > 0) {
        double spike = exponential(&sim->random, of->spike_size * usual);
        sim->blocks[p][random_below(&sim->random, (rows + BLOCK - 1) / BLOCK)] += spike;
        added += spike;
    }
    if (of->tail > 0 && rows > 0) {
        double tail = exponential(&sim->random, of->tail * usual);
        for (int64_t lo = 0; lo < rows; lo += BLOCK) {
            int64_t length = rows - lo < BLOCK ? rows - lo : BLOCK;
            sim->blocks[p][lo / BLOCK] += tail * (double)length / (double)rows;
        }
        added += tail;
    }
    return added;
}

/* One strip's beat, in seconds. */
static double strip_beat(simulation *sim, int beat, int p, double common)
{
    const sim_situation *of = sim->situation;
    int64_t first = sim->cuts[p], rows = sim->cuts[p + 1] - first;
    double scale = row_seconds / rank_speed(of, p, beat), total = 0;
    double factor = noise_factor(sim, p) * common;
    sim->clean[p] = 0;
    for (int64_t lo = 0; lo < rows; lo += BLOCK) {
        int64_t hi = lo + BLOCK < rows ? lo + BLOCK : rows;
        double seconds = rows_cost(of, first + lo, first + hi, beat) * scale;
        sim->clean[p] += seconds * common;
        double block = of->block_noise > 0 ? 2 * random_unit(&sim->random) - 1 : 0;
        seconds *= factor * (1 + of->block_noise * block);
        total += seconds;
        sim->blocks[p][lo / BLOCK] += seconds;
    }
    total += disturb(sim, p, rows);
    sim->sum[p] += total;
    sim->squares[p] += total * total;
    return total;
}

/* All the work of this beat by all the speed. */
static double ideal_seconds(const simulation *sim, int beat)
{
    double work = 0, speeds = 0;
    for (int p = 0; p < sim->ranks; p++) {
        double speed = rank_speed(sim->situation, p, beat);
        work += sim->clean[p] * speed;
        speeds += speed;
    }
    return work / speeds;
}

static void beat_once(simulation *sim, int beat, sim_result *result)
{
    double last = 0, clean = 0, common = 1;
    if (sim->situation->common > 0 && random_unit(&sim->random) < sim->situation->common) {
        common = 1.5;
    }
    for (int p = 0; p < sim->ranks; p++) {
        last = fmax(last, strip_beat(sim, beat, p, common));
        clean = fmax(clean, sim->clean[p]);
    }
    double ideal = ideal_seconds(sim, beat);
    result->seconds += last;
    result->clean_seconds += clean;
    result->ideal += ideal;
    result->efficiency[beat] = ideal / clean;
    result->idc[beat] = halo_load_imbalance(sim->clean, sim->ranks);
    result->moved_by[beat] = result->moves;
    sim->beats++;
}

/* Take the measurements, as means per beat, and begin anew. */
static void take_loads(simulation *sim)
{
    double n = sim->beats;
    for (int p = 0; p < sim->ranks; p++) {
        int64_t rows = sim->cuts[p + 1] - sim->cuts[p];
        double mean = sim->sum[p] / n;
        double variance = n > 1 ? fmax(0, sim->squares[p] - n * mean * mean) / (n - 1) : 0;
        for (int64_t lo = 0; lo < rows; lo += BLOCK) {
            int64_t length = rows - lo < BLOCK ? rows - lo : BLOCK;
            sim->costs[p][lo / BLOCK] = (float)(sim->blocks[p][lo / BLOCK] / n / (double)length);
        }
        sim->loads[p] = (halo_load){.compute_seconds = mean,
                                    .noise_seconds = sqrt(variance / n),
                                    .supersteps = sim->beats,
                                    .rows = rows,
                                    .block_rows = BLOCK,
                                    .row_cost = sim->situation->blind ? NULL : sim->costs[p]};
        sim->sum[p] = sim->squares[p] = 0;
        memset(sim->blocks[p], 0, sizeof sim->blocks[p]);
    }
    sim->beats = 0;
}

static void plan_once(simulation *sim, const halo_balancer *balancer, void *state, int beat,
                      sim_result *result)
{
    int64_t planned[SIM_RANKS + 1];
    double scale = sim->situation->move_scale;
    double per_row = move_seconds * (scale > 0 ? scale : 1);
    take_loads(sim);
    halo_balance_input input = {.loads = sim->loads,
                                .ranks = sim->ranks,
                                .min_rows = 1,
                                .beats_left = SIM_BEATS - 1 - beat,
                                .beats_a_plan = sim->situation->every,
                                .move_seconds_per_row = per_row,
                                .cuts = sim->cuts};
    halo_decision decision;
    CU_ASSERT_EQUAL_FATAL(balancer->plan(state, &input, planned, &decision), HALO_OK);
    int64_t rows = halo_cuts_moved(sim->cuts, planned, sim->ranks);
    CU_ASSERT_EQUAL(rows > 0, halo_decision_moves(&decision));
    double moving = per_row * (double)halo_cuts_busiest(sim->cuts, planned, sim->ranks);
    result->seconds += moving;
    result->clean_seconds += moving;
    result->rows += rows;
    result->first_move = result->moves == 0 && rows > 0 ? beat : result->first_move;
    result->moves += rows > 0;
    for (int p = 0; p <= sim->ranks; p++) {
        sim->cuts[p] = planned[p];
        result->digest = (result->digest ^ (uint64_t)planned[p]) * 0x100000001b3;
    }
}

void sim_run(const sim_situation *situation, const halo_balancer *balancer, const char *options,
             uint64_t seed, sim_result *result)
{
    static simulation sim;
    void *state = NULL;
    int every = situation->every > 0 ? situation->every : 1;
    sim = (simulation){.situation = situation,
                       .ranks = situation->ranks > 0 ? situation->ranks : SIM_RANKS,
                       .rows = situation->rows > 0 ? situation->rows : SIM_ROWS,
                       .random = seed};
    *result = (sim_result){.first_move = -1};
    halo_cuts_even(sim.rows, sim.ranks, sim.cuts);
    CU_ASSERT_EQUAL_FATAL(balancer->create(&state, options), HALO_OK);
    for (int beat = 0; beat < SIM_BEATS; beat++) {
        beat_once(&sim, beat, result);
        if ((beat + 1) % every == 0) {
            plan_once(&sim, balancer, state, beat, result);
        }
    }
    balancer->destroy(&state);
}
