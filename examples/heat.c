/* Heat on a plate: a whole parallel program with strips, halos, votes, and boundaries that
 * move when a rank becomes slow.
 *   mpiexec -n 4 heat [SIZE [BEATS]]
 * The edges of the plate are kept at 0; its middle, a quarter of it, starts at 1. */

#include "core/balancing.h"
#include "core/beat.h"
#include "core/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* 5-point Jacobi relaxation: all that a stencil's author writes. */
static halo_status heat_step(halo_step *step)
{
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const double *above = halo_row(step->in, y - 1);
        const double *here = halo_row(step->in, y);
        const double *below = halo_row(step->in, y + 1);
        double *next = halo_row(step->out, y);
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            next[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        }
    }
    return HALO_OK;
}

static const halo_kernel heat = {
    .name = "heat", .help = "heat on a plate", .cell_bits = {64}, .depth = 1, .step = heat_step};

static void start(const halo_view *cells, int64_t size)
{
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        double *row = halo_row(cells, y);
        int64_t place = cells->owned.lo[0] + y;
        for (int64_t x = size / 4; x < size - size / 4; x++) {
            row[x] = place >= size / 4 && place < size - size / 4 ? 1 : 0;
        }
    }
}

/* Sums over ranks are whole numbers, so that they are the same for every number of ranks: heat in
 * units of 2^-40. */
static halo_status measure(halo_world *world, const halo_view *cells, int64_t *heat_units)
{
    *heat_units = 0;
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        const double *row = halo_row(cells, y);
        for (int64_t x = 0; x < cells->owned.n[1]; x++) {
            *heat_units += (int64_t)(row[x] * 1099511627776.0);
        }
    }
    return halo_sum(world, heat_units, 1);
}

static halo_status run(halo_world *world, int64_t size, int64_t beats, int64_t *heat_units)
{
    halo_domain plate = {.axes = 2, .n = {size, size, 1}};
    halo_partition strips;
    HALO_TRY(halo_partition_strips(&strips, &plate, halo_world_ranks(world)));
    halo_beat *beat = NULL;
    halo_balancing *balancing = NULL;
    halo_status status;
    HALO_TRY_OR(done, halo_balancing_create(&balancing, world, NULL));
    halo_beat_options options = {.balancing = balancing};
    HALO_TRY_OR(done, halo_beat_create(&beat, world, &plate, &strips, &heat, &options));
    start(halo_beat_view(beat, 0), size);
    HALO_TRY_OR(done, halo_beat_run(beat, beats));
    status = measure(world, halo_beat_view(beat, 0), heat_units);
done:
    halo_beat_destroy(&beat);
    halo_balancing_destroy(&balancing);
    halo_partition_free(&strips);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 1024;
    int64_t beats = argc > 2 ? strtoll(argv[2], NULL, 10) : 100;
    halo_world *world = NULL;
    int64_t heat_units = 0;
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, NULL);
    if (status == HALO_OK) {
        status = run(world, size, beats, &heat_units);
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && status == HALO_OK) {
        printf("heat left after %" PRId64 " beats: %.9f of the plate's cells at 1\n", beats,
               (double)heat_units / 1099511627776.0 / (double)(size * size));
    } else if (rank == 0) {
        fprintf(stderr, "heat: %s\n", halo_last_message());
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
