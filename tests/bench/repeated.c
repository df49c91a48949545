/* repeated [quick], with two ranks: what balancing costs a master and its worker, and what an
 * operation of the clustering in tests/sim takes; one line. The master rests; the shortest of many
 * batches counts, since other programs only ever add to them.
 *
 * With more ranks: what all of the clustering takes with each balancer, in turn; medians. */

#include "core/master/repeated_work.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "sim/clustering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 3, BYTES = 64 };

static halo_status work(void *context, const halo_work_part *part)
{
    (void)context;
    memset(part->units_back, 1, (size_t)(part->hi - part->lo) * BYTES);
    return HALO_OK;
}

/* Seconds of a beat, of which nothing but messages is left. */
static halo_status batch(halo_world *world, bool balanced, int beats, double *seconds)
{
    char units[UNITS * BYTES] = {0}, back[UNITS * BYTES];
    const halo_repeated_work_options options = {
        .units = UNITS,
        .unit_out = BYTES,
        .unit_back = BYTES,
        .work = work,
        .balancer = balanced ? "lb2" : "none",
        .workers = {.master_rests = true, .unmeasured = !balanced}};
    const halo_repeated_work_beat beat = {.units = units, .units_back = back};
    halo_repeated_work *repeated;
    HALO_TRY(halo_repeated_work_create(&repeated, world, &options));
    halo_status status = HALO_OK;
    double begun = halo_seconds();
    for (int i = 0; i < beats && status == HALO_OK; i++) {
        status = halo_repeated_work_run(repeated, &beat, NULL);
    }
    *seconds = fmin(*seconds, (halo_seconds() - begun) / beats);
    halo_repeated_work_destroy(&repeated);
    return status;
}

static halo_status measure(halo_world *world, int batches)
{
    enum { BEATS = 1000 };
    double plain = INFINITY, balanced = INFINITY, lines, clusters;
    for (int i = 0; i < batches; i++) {
        HALO_TRY(batch(world, false, BEATS, &plain));
        HALO_TRY(batch(world, true, BEATS, &balanced));
    }
    if (halo_world_rank(world) == 0) {
        clustering_measure(&lines, &clusters);
        printf("balancing=%.3g beat=%.3g operation=%.3g operations=%.0f cluster_cost=%.3f\n",
               1e6 * (balanced - plain), 1e6 * plain, 1e9 * lines, (balanced - plain) / lines,
               clusters / lines);
    }
    return HALO_OK;
}

static int by_size(const void *a, const void *b)
{
    const double *one = a, *two = b;
    return (*one > *two) - (*one < *two);
}

static halo_status cluster(halo_world *world, int rounds)
{
    enum { BALANCERS = 3, MOST = 31 };
    static const char *const balancers[BALANCERS] = {"none", "lb1", "lb2"};
    static double seconds[BALANCERS][MOST];
    static clustering data;
    for (int round = 0; round < rounds; round++) {
        for (int b = 0; b < BALANCERS; b++) {
            const clustering_options options = {
                .balancer = balancers[b], .iterations = 10, .computes = true};
            clustering_result result;
            HALO_TRY(clustering_run(world, &options, &data, &result));
            seconds[b][round] = result.seconds;
        }
    }
    for (int b = 0; b < BALANCERS && halo_world_rank(world) == 0; b++) {
        qsort(seconds[b], (size_t)rounds, sizeof seconds[b][0], by_size);
        printf("%s=%.4f%c", balancers[b], seconds[b][rounds / 2], b < BALANCERS - 1 ? ' ' : '\n');
    }
    return HALO_OK;
}

int main(int argc, char **argv)
{
    halo_world *world = NULL;
    MPI_Init(&argc, &argv);
    halo_status status = halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL);
    if (status == HALO_OK && halo_world_ranks(world) < 2) {
        status = halo_fail(HALO_RANKS, "1 rank; use 2 or more");
    }
    if (status == HALO_OK) {
        int times = argc > 1 ? 3 : 15;
        status = halo_world_ranks(world) == 2 ? measure(world, times) : cluster(world, times);
    }
    if (status != HALO_OK) {
        fprintf(stderr, "repeated: %s\n", halo_last_message());
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
