#include "core/beat/beats_per_exchange.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/statistics.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

#include <math.h>
#include <stdlib.h>

enum { SIDES = 2, MAX_ROUNDS = 25, MAX_TIMES = 4, SMALL_STRIDE = 64, MAX_MESSAGE = 1 << 20 };

/* Seconds that the rounds of one measurement should not exceed, all together. */
static const double patience = .03;

/* Share of the time on a network in which nobody need look after a message: small ones travel
 * alone, large ones are announced first, and move only while somebody waits for them. All of them
 * travel alone on simulated machines. */
static const double travels_alone = HALO_SIMULATED ? 1 : .5;

static const double PICOSECONDS = 1e12; /* in a second */
static const double LONGEST = 1e6;      /* seconds, that picoseconds may count in 64 bits */

enum { ROOM_TO_SHRINK = 4 }; /* parts that move may become this many times narrower */

/* ---- limits ---------------------------------------------------------------------------------- */

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

static bool is_single(const halo_kernel *kernel)
{
    return (kernel->in_place && kernel->advance == NULL) || kernel->beat != NULL || kernel->single;
}

int halo_beats_per_exchange_default(const halo_kernel *kernel, const halo_domain *domain,
                                    const halo_partition *partition, bool moves)
{
    enum { DEFAULT = 8, DEFAULT_OF_PLANES = 4, CELLS_A_LAYER = 16 };
    int beats = is_single(kernel) ? 1 : domain->axes == HALO_AXES ? DEFAULT_OF_PLANES : DEFAULT;
    int64_t wanted = (int64_t)kernel->depth * CELLS_A_LAYER * (moves ? ROOM_TO_SHRINK : 1);
    int64_t there = narrowest(partition);
    while (beats > 1 && there / beats < wanted) {
        beats /= 2;
    }
    return beats;
}

halo_workload halo_beats_per_exchange_workload(const halo_kernel *kernel, const halo_domain *domain)
{
    int bits = 0;
    for (int i = 0; i < HALO_KERNEL_FIELDS; i++) {
        bits += kernel->cell_bits[i];
    }
    return (halo_workload){.domain = *domain,
                           .cell_bytes = (bits + 7) / 8,
                           .depth = kernel->depth,
                           .beats = 1,
                           .corners = kernel->corners};
}

/* Layers of halo on both sides of an axis that is cut, for which there is memory: with half as many
 * bytes as a part's own cells, or with few. */
static double affordable_layers(const halo_workload *workload, const halo_partition *partition)
{
    static const double few = 64 << 20; /* bytes */
    double own = workload->cell_bytes, faces = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        double parts = partition->parts[axis];
        own *= fmax(1, (double)workload->domain.n[axis] / parts);
        faces += parts > 1 ? parts / (double)halo_max(1, workload->domain.n[axis]) : 0;
    }
    return faces > 0 ? fmax(own / 2, few) / (2 * own * faces) : INFINITY;
}

int halo_beats_per_exchange_max(const halo_kernel *kernel, const halo_domain *domain,
                                const halo_partition *partition, bool moves)
{
    enum { MOST = 1024 }; /* a run ends, and is looked at, only after all beats of an exchange */
    int standard = halo_beats_per_exchange_default(kernel, domain, partition, moves);
    int64_t there = narrowest(partition);
    if (is_single(kernel) || there == INT64_MAX || kernel->depth < 1) {
        return standard;
    }
    halo_workload workload = halo_beats_per_exchange_workload(kernel, domain);
    there = moves ? there / ROOM_TO_SHRINK : there;
    double layers = fmin((double)there, affordable_layers(&workload, partition));
    return (int)fmax(standard, fmin(layers / kernel->depth, MOST));
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Messages with the ranks before and after this one, and votes. */
typedef struct {
    halo_world *world;
    char *out, *in; /* [SIDES * stride] */
    size_t stride;
    int rounds; /* of each measurement: as many as there is time for */
} trial;

/* Seconds of a round, the same on all ranks. */
typedef struct {
    double small, vote, medium, large;
    size_t medium_bytes, large_bytes; /* 0: not measured */
} round_times;

static halo_status swap(const trial *t, size_t bytes)
{
    halo_message sent[SIDES], received[SIDES];
    int rank = halo_world_rank(t->world), neighbours = 0;
    for (int other = rank - 1; other <= rank + 1; other += 2) {
        if (other >= 0 && other < halo_world_ranks(t->world)) {
            size_t place = (size_t)neighbours * t->stride;
            sent[neighbours] =
                (halo_message){.rank = other, .data = t->out + place, .bytes = bytes};
            received[neighbours] =
                (halo_message){.rank = other, .data = t->in + place, .bytes = bytes};
            neighbours++;
        }
    }
    return halo_sendrecv(t->world, sent, neighbours, received, neighbours);
}

static halo_status vote(const trial *t)
{
    int64_t numbers[] = {0, 0, 0, 0};
    return halo_allreduce_sum(t->world, numbers, 4);
}

/* Half of the rounds took this or less, here. Votes where `bytes` is 0. */
static halo_status time_rounds(const trial *t, size_t bytes, double *seconds)
{
    double taken[MAX_ROUNDS] = {0};
    halo_status status = HALO_OK;
    for (int round = 0; round < t->rounds; round++) {
        double begun = halo_seconds();
        status = halo_status_first(status, bytes > 0 ? swap(t, bytes) : vote(t));
        taken[round] = halo_seconds() - begun;
    }
    halo_values_sort(taken, t->rounds);
    *seconds = taken[t->rounds / 2];
    return status;
}

/* The maximum over all ranks; or a failure of any, with one more round. */
static halo_status agree_on_seconds(halo_world *world, halo_status mine, double *const *seconds,
                                    int count)
{
    int64_t longest[MAX_TIMES + 1];
    for (int i = 0; i < count; i++) {
        longest[i] = (int64_t)(fmin(*seconds[i], LONGEST) * PICOSECONDS);
    }
    longest[count] = mine != HALO_OK;
    HALO_TRY(halo_allreduce_max(world, longest, count + 1));
    for (int i = 0; i < count; i++) {
        *seconds[i] = (double)longest[i] / PICOSECONDS;
    }
    return longest[count] != 0 ? halo_agree(world, mine) : HALO_OK;
}

static halo_status allocate(trial *t)
{
    HALO_TRY(HALO_ALLOCATE(t->out, (size_t)SIDES * MAX_MESSAGE, "messages to be timed"));
    return HALO_ALLOCATE(t->in, (size_t)SIDES * MAX_MESSAGE, "messages to be timed");
}

/* In the first round links are made; the second one tells how many others there is time for. */
static halo_status time_small(trial *t, round_times *times)
{
    enum { FIRST = 2 };
    char little[2][SIDES * SMALL_STRIDE] = {{0}};
    double *all[] = {&times->small};
    trial small = {.world = t->world, .out = little[0], .in = little[1], .rounds = 1};
    small.stride = SMALL_STRIDE;
    halo_status status = allocate(t);
    for (int round = 0; round < FIRST; round++) {
        status = halo_status_first(status, time_rounds(&small, 1, &times->small));
    }
    HALO_TRY(agree_on_seconds(t->world, status, all, 1));
    double fit = patience / fmax(times->small, patience / MAX_ROUNDS);
    small.rounds = t->rounds = fit > 1 ? (int)fit : 1;
    return t->rounds > 1 ? time_rounds(&small, 1, &times->small) : HALO_OK;
}

/* Return the bytes of a part's halo on one side, for the best number of beats known so far. */
static size_t message_bytes(const halo_machine *machine, const halo_workload *workload,
                            const int parts[HALO_AXES], int min, int max)
{
    double bytes = (double)workload->cell_bytes * workload->depth *
                   halo_model_best_beats(machine, workload, parts, min, max);
    for (int axis = 1; axis < HALO_AXES; axis++) {
        bytes *= fmax(1, (double)workload->domain.n[axis] / parts[axis]);
    }
    return (size_t)fmin(fmax(bytes, 1), MAX_MESSAGE);
}

/* On one machine messages of all sizes take about the same time for this purpose. Where there is
 * time for one round only, the time that grows with the size is not told apart: it is the same for
 * each beat. */
static halo_status time_large(const trial *t, round_times *times, size_t bytes)
{
    enum { LARGE = 4096 };
    if (bytes < LARGE || halo_world_node_ranks(t->world) == halo_world_ranks(t->world)) {
        return HALO_OK;
    }
    times->large_bytes = bytes;
    if (t->rounds == 1) {
        return time_rounds(t, bytes, &times->large);
    }
    times->medium_bytes = bytes / 4;
    HALO_TRY(swap(t, bytes));
    HALO_TRY(time_rounds(t, times->large_bytes, &times->large));
    return time_rounds(t, times->medium_bytes, &times->medium);
}

/* Large messages take longer than small ones also where they are fast: they are announced first.
 * From the medium one on the time grows with the size. */
static void set_figures(halo_machine *machine, const round_times *times, int ranks)
{
    machine->overlap = times->large_bytes > 0 ? travels_alone : 0;
    machine->vote_seconds = times->vote / halo_model_vote_rounds(ranks);
    machine->message_seconds = times->small;
    if (times->medium_bytes == 0) {
        machine->message_seconds = fmax(times->small, times->large);
    } else {
        double grows = fmax(0, times->large - times->medium) /
                       (double)(times->large_bytes - times->medium_bytes);
        machine->byte_seconds = grows;
        machine->message_seconds =
            fmax(times->small, times->large - grows * (double)times->large_bytes);
    }
}

static halo_status measure(trial *t, const halo_workload *workload, const int parts[HALO_AXES],
                           int min, int max, halo_machine *machine)
{
    round_times times = {0};
    double *all[MAX_TIMES] = {&times.small, &times.vote, &times.medium, &times.large};
    HALO_TRY(time_small(t, &times));
    const halo_machine guess = {.cell_seconds = machine->cell_seconds,
                                .message_seconds = patience / t->rounds,
                                .vote_seconds = patience / t->rounds};
    halo_status status = time_rounds(t, 0, &times.vote);
    size_t bytes = message_bytes(&guess, workload, parts, min, max);
    status = halo_status_first(status, time_large(t, &times, bytes));
    HALO_TRY(agree_on_seconds(t->world, status, all, MAX_TIMES));
    set_figures(machine, &times, halo_world_ranks(t->world));
    return HALO_OK;
}

halo_status halo_beats_per_exchange_measure(halo_world *world, const halo_workload *workload,
                                            const int parts[HALO_AXES], int min, int max,
                                            halo_machine *machine)
{
    *machine = (halo_machine){.cell_seconds = machine->cell_seconds};
    if (halo_world_ranks(world) == 1 || min >= max) {
        return HALO_OK;
    }
    trial t = {.world = world, .stride = MAX_MESSAGE};
    halo_status status = measure(&t, workload, parts, min, max, machine);
    free(t.out);
    free(t.in);
    return status;
}
