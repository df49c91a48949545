/* How long balancers take to plan: measured loads in, cuts out, on one core. Ranks differ in speed,
 * rows in cost, a hot spot wanders over them, and every measurement is noisy, so that no plan is
 * the one before. Balancers take turns; plans are carried out. ms: the median of all plans; high:
 * 95 % take no longer. */

#include "base/statistics.h"
#include "core/world/clock.h"
#include "partition/balance/balance.h"
#include "partition/cuts.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCKS = 64 }; /* of a strip that is as high as the others */

static const double ROW_SECONDS = 100e-6, MOVE_SECONDS = 32e-6, NOISE = .1, BLOCK_NOISE = .05;

/* One balancer at work, with the cuts that it has made. */
typedef struct {
    const halo_balancer *balancer;
    void *state;
    int64_t *cuts, *planned; /* [ranks + 1] */
    double *seconds;         /* [plans] */
    int64_t moved;           /* rows */
    int moves;
} player;

typedef struct {
    int ranks, plans;
    int64_t rows, block_rows;
    uint64_t random;
    halo_load *loads; /* [ranks] */
    float *costs;     /* [rows / block_rows + ranks] seconds a row, rank after rank */
} scene;

/* Even between 1 - share and 1 + share (xorshift64*, Marsaglia 2003, Vigna 2016). */
static double noise(uint64_t *random, double share)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    uint64_t bits = (*random * 2685821657736338717U) >> 11;
    return 1 + share * ((double)bits / (double)(UINT64_C(1) << 52) - 1);
}

/* Rising from 1 to 2 over the domain, 4 more on the hot spot, which goes round in 200 beats. */
static double row_cost(const scene *b, double row, int beat)
{
    double place = row / (double)b->rows, spot = fmod((double)beat / 200, 1);
    return 1 + place + (fabs(place - spot) < .03 ? 4 : 0);
}

/* Every eighth rank is half as fast as the others. */
static double rank_speed(int rank)
{
    return rank % 8 == 5 ? .5 : 1;
}

/* Simulate the ranks' measurements of a beat with these cuts. */
static void measure(scene *b, const int64_t *cuts, int beat)
{
    float *cost = b->costs;
    for (int p = 0; p < b->ranks; p++) {
        int64_t rows = cuts[p + 1] - cuts[p];
        double factor = noise(&b->random, NOISE) * ROW_SECONDS / rank_speed(p), total = 0;
        b->loads[p] = (halo_load){.transfer_seconds = 50e-6,
                                  .supersteps = 1,
                                  .rows = rows,
                                  .block_rows = b->block_rows,
                                  .row_cost = cost};
        for (int64_t lo = 0; lo < rows; lo += b->block_rows) {
            double length = fmin((double)b->block_rows, (double)(rows - lo));
            double middle = (double)(cuts[p] + lo) + length / 2;
            double seconds = row_cost(b, middle, beat) * factor * noise(&b->random, BLOCK_NOISE);
            *cost++ = (float)seconds;
            total += seconds * length;
        }
        b->loads[p].compute_seconds = total;
        b->loads[p].noise_seconds = NOISE * total;
    }
}

/* One plan, timed if it is not the first: that one takes memory. */
static void plan(scene *b, player *one, int beat)
{
    measure(b, one->cuts, beat);
    halo_balance_input input = {.loads = b->loads,
                                .ranks = b->ranks,
                                .min_rows = 1,
                                .beats_left = -1,
                                .move_seconds_per_row = MOVE_SECONDS,
                                .cuts = one->cuts};
    halo_decision decision;
    double begun = halo_seconds();
    bench_check(one->balancer->plan(one->state, &input, one->planned, &decision),
                one->balancer->name);
    double taken = halo_seconds() - begun;
    if (beat > 0) {
        one->seconds[beat - 1] = taken;
    }
    int64_t moved = halo_cuts_moved(one->cuts, one->planned, b->ranks);
    one->moved += moved;
    one->moves += moved > 0;
    int64_t *cuts = one->cuts;
    one->cuts = one->planned;
    one->planned = cuts;
}

static void report(const bench *b, const scene *s, player *one)
{
    halo_values_sort(one->seconds, s->plans);
    bench_print(b, "key=%s ms=%.4f high=%.4f moves=%d rows=%" PRId64, one->balancer->name,
                1e3 * one->seconds[s->plans / 2], 1e3 * one->seconds[s->plans - 1 - s->plans / 20],
                one->moves, one->moved);
}

static void start(const scene *b, player *one, const halo_balancer *balancer)
{
    size_t ends = (size_t)b->ranks + 1;
    one->balancer = balancer;
    one->cuts = bench_allocate(ends * sizeof *one->cuts);
    one->planned = bench_allocate(ends * sizeof *one->planned);
    one->seconds = bench_allocate((size_t)b->plans * sizeof *one->seconds);
    halo_cuts_even(b->rows, b->ranks, one->cuts);
    bench_check(balancer->create(&one->state, NULL), balancer->name);
}

static void stop(player *one)
{
    one->balancer->destroy(&one->state);
    free(one->cuts);
    free(one->planned);
    free(one->seconds);
}

void bench_plan(bench *b)
{
    enum { MAX_PLAYERS = 32 };
    player players[MAX_PLAYERS] = {0};
    scene s = {.ranks = (int)bench_integer(b, "parts", 16),
               .rows = bench_integer(b, "rows", 4096),
               .plans = (int)bench_integer(b, "plans", 100),
               .random = 88172645463325252U};
    s.block_rows = s.rows / s.ranks / BLOCKS;
    s.loads = bench_allocate((size_t)s.ranks * sizeof *s.loads);
    s.costs = bench_allocate(((size_t)(s.rows / s.block_rows) + (size_t)s.ranks) * sizeof *s.costs);
    int count = 0;
    for (; count < MAX_PLAYERS && halo_balancer_at(count) != NULL; count++) {
        start(&s, &players[count], halo_balancer_at(count));
    }
    for (int beat = 0; beat <= s.plans; beat++) {
        for (int i = 0; i < count; i++) {
            plan(&s, &players[i], beat);
        }
    }
    for (int i = 0; i < count; i++) {
        report(b, &s, &players[i]);
        stop(&players[i]);
    }
    free(s.loads);
    free(s.costs);
}
