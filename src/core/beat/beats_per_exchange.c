#include "core/beat/beats_per_exchange.h"

#include "base/statistics.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <math.h>

enum { WARM_UP = 4, ROUNDS = 25, SIDES = 2 };

static const double PICOSECONDS = 1e12; /* in a second */
static const double LONGEST = 1e6;      /* seconds, that picoseconds may count in 64 bits */

static double overhead(double waiting_seconds, double layer_seconds, int beats)
{
    return waiting_seconds / beats + (beats - 1) * layer_seconds;
}

int halo_beats_per_exchange_best(double waiting_seconds, double layer_seconds, int min, int max)
{
    if (!(waiting_seconds > 0)) {
        return min;
    }
    double best = layer_seconds > 0 ? sqrt(waiting_seconds / layer_seconds) : max;
    if (best >= max) {
        return max;
    }
    if (best <= min) {
        best = min;
    }
    /* The sum is convex, so that the best whole number is next to the best number. */
    int beats = (int)best;
    bool more = overhead(waiting_seconds, layer_seconds, beats + 1) <
                overhead(waiting_seconds, layer_seconds, beats);
    return more && beats < max ? beats + 1 : beats;
}

/* Cells of the narrowest part that is cut from others; INT64_MAX where nothing is. */
static int64_t narrowest(const halo_partition *partition)
{
    int64_t min = INT64_MAX;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        for (int part = 0; part < partition->parts[axis] && partition->parts[axis] > 1; part++) {
            int64_t cells = partition->cuts[axis][part + 1] - partition->cuts[axis][part];
            min = cells > 0 && cells < min ? cells : min;
        }
    }
    return min;
}

int halo_beats_per_exchange_default(const halo_kernel *kernel, const halo_domain *domain,
                                    const halo_partition *partition, bool moves)
{
    enum { DEFAULT = 8, DEFAULT_OF_PLANES = 4, CELLS_A_LAYER = 16, ROOM_TO_SHRINK = 4 };
    bool single = (kernel->in_place && kernel->advance == NULL) || kernel->beat != NULL;
    int beats = single ? 1 : domain->axes == HALO_AXES ? DEFAULT_OF_PLANES : DEFAULT;
    int64_t wanted = (int64_t)kernel->depth * CELLS_A_LAYER * (moves ? ROOM_TO_SHRINK : 1);
    int64_t there = narrowest(partition);
    while (beats > 1 && there / beats < wanted) {
        beats /= 2;
    }
    return beats;
}

/* Half of the rounds took this or less: how long neighbours wait for a small message. */
static halo_status measure(halo_world *world, double *latency)
{
    double seconds[ROUNDS];
    int rank = halo_world_rank(world), neighbours = 0;
    halo_status status = HALO_OK;
    char out[SIDES] = {0}, in[SIDES];
    halo_message sent[SIDES], received[SIDES];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
        neighbours = 0;
        for (int other = rank - 1; other <= rank + 1; other += 2) {
            if (other >= 0 && other < halo_world_ranks(world)) {
                sent[neighbours] =
                    (halo_message){.rank = other, .data = &out[neighbours], .bytes = 1};
                received[neighbours] =
                    (halo_message){.rank = other, .data = &in[neighbours], .bytes = 1};
                neighbours++;
            }
        }
        double begun = halo_seconds();
        status =
            halo_status_first(status, halo_sendrecv(world, sent, neighbours, received, neighbours));
        seconds[round < 0 ? 0 : round] = halo_seconds() - begun;
    }
    halo_values_sort(seconds, ROUNDS);
    *latency = seconds[ROUNDS / 2];
    return halo_agree(world, status);
}

static int default_messages(int ranks)
{
    int levels = 0;
    while (((int64_t)1 << levels) < ranks) {
        levels++;
    }
    return 1 + 2 * levels;
}

static halo_status check(const halo_beats_per_exchange_costs *costs)
{
    if (costs->min < 1 || costs->max < costs->min || costs->messages < 0 ||
        !(costs->layer_seconds >= 0 && costs->layer_seconds <= LONGEST)) {
        return halo_fail(HALO_ARGUMENT,
                         "beats per exchange cannot be chosen from %d to %d for %d messages and %g"
                         " seconds a layer; use 1 or more beats, and 0 to %g seconds",
                         costs->min, costs->max, costs->messages, costs->layer_seconds, LONGEST);
    }
    return HALO_OK;
}

halo_status halo_beats_per_exchange_choose(halo_world *world,
                                           const halo_beats_per_exchange_costs *costs, int *beats)
{
    HALO_TRY(halo_agree(world, check(costs)));
    *beats = costs->min;
    if (halo_world_ranks(world) == 1 || costs->min == costs->max) {
        return HALO_OK;
    }
    double latency;
    HALO_TRY(measure(world, &latency));
    int64_t largest[] = {(int64_t)(latency * PICOSECONDS),
                         (int64_t)(costs->layer_seconds * PICOSECONDS)};
    HALO_TRY(halo_allreduce_max(world, largest, 2));
    int messages =
        costs->messages > 0 ? costs->messages : default_messages(halo_world_ranks(world));
    *beats = halo_beats_per_exchange_best((double)messages * (double)largest[0], (double)largest[1],
                                          costs->min, costs->max);
    return HALO_OK;
}
