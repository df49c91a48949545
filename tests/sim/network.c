#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Is virtual time what the platform file says? Prints each rank's seconds for 100 million flops
 * and, for each rank but the last, the delay to the next. With the argument "deadlock" rank 0 waits
 * for a message that nobody sends: whoever started it must notice. */

static const double FLOPS = 1e8;

static double compute(void)
{
    double begun = halo_seconds();
    halo_simulated_compute(FLOPS);
    return halo_seconds() - begun;
}

/* One way from this rank to the next, for ranks of one parity; the ranks after them answer. */
static halo_status delay_of(halo_world *world, int parity, double *delay)
{
    int rank = halo_world_rank(world);
    bool asks = rank % 2 == parity && rank + 1 < halo_world_ranks(world);
    bool answers = rank % 2 != parity && rank > 0;
    char byte = 0;
    halo_message there = {.rank = rank + 1, .data = &byte, .bytes = 1};
    halo_message back = {.rank = rank - 1, .data = &byte, .bytes = 1};
    for (int round = 0; round < 2; round++) { /* the second begins when the other is ready */
        double begun = halo_seconds();
        if (asks) {
            HALO_TRY(halo_sendrecv(world, &there, 1, NULL, 0));
            HALO_TRY(halo_sendrecv(world, NULL, 0, &there, 1));
            *delay = (halo_seconds() - begun) / 2;
        } else if (answers) {
            HALO_TRY(halo_sendrecv(world, NULL, 0, &back, 1));
            HALO_TRY(halo_sendrecv(world, &back, 1, NULL, 0));
        }
    }
    return HALO_OK;
}

static halo_status measure(halo_world *world)
{
    int ranks = halo_world_ranks(world);
    double mine[2] = {compute(), 0}, all[2 * 256];
    if (ranks > 256) {
        return halo_fail(HALO_RANKS, "%d ranks, but 256 at most", ranks);
    }
    HALO_TRY(delay_of(world, 0, &mine[1]));
    HALO_TRY(delay_of(world, 1, &mine[1]));
    HALO_TRY(halo_gather(world, mine, sizeof mine, all));
    for (int r = 0; halo_world_rank(world) == 0 && r < ranks; r++) {
        printf("rank %d compute %.6f delay %.6f\n", r, all[(size_t)2 * (size_t)r],
               all[(size_t)2 * (size_t)r + 1]);
    }
    return HALO_OK;
}

static halo_status wait_for_ever(halo_world *world)
{
    char byte;
    halo_message message = {.rank = 1, .data = &byte, .bytes = 1};
    return halo_world_rank(world) == 0 ? halo_sendrecv(world, NULL, 0, &message, 1) : HALO_OK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    halo_world *world = NULL;
    halo_status status = halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL);
    if (status == HALO_OK) {
        status =
            argc > 1 && strcmp(argv[1], "deadlock") == 0 ? wait_for_ever(world) : measure(world);
    }
    if (status != HALO_OK) {
        printf("failed: %s\n", halo_last_message());
    } else if (halo_world_rank(world) == 0) {
        printf("measured\n");
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return status == HALO_OK ? 0 : 1;
}
