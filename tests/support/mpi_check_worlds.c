#define _DEFAULT_SOURCE
#include "core/transport/mpi/world_mpi.h"
#include "core/world/clock.h"
#include "support/check_worlds.h"

#include <stdio.h>
#include <time.h>

/* Worlds of mpi_check.h whose ranks are processes of MPI. */

enum { POLL_NANOSECONDS = 2000000 };

static bool run_world(MPI_Comm comm, const check_request *requested, int64_t *run)
{
    halo_world *world;
    if (halo_world_create_mpi(&world, comm, NULL) != HALO_OK) {
        fprintf(stderr, "%s\n", halo_last_message());
        return false;
    }
    bool good = check_run_world(world, 0, requested, run);
    halo_world_destroy(&world);
    return good;
}

/* Collective over MPI_COMM_WORLD. Is `good` true on all ranks? Whoever comes early sleeps: MPI's
 * own waits spin, and take the cores from those who work. */
static bool all_good(bool good)
{
    int everywhere = good, complete = 0;
    MPI_Request agreement;
    MPI_Iallreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &agreement);
    for (;;) {
        MPI_Test(&agreement, &complete, MPI_STATUS_IGNORE);
        if (complete) {
            return everywhere != 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_NANOSECONDS}, NULL);
    }
}

/* Returns how many of the worlds failed. */
static int run_worlds(const check_request *requested, int rank)
{
    check_tally tally = {0};
    double begun = halo_seconds();
    for (int w = 0; w < requested->worlds; w++) {
        MPI_Comm comm;
        bool belongs = rank < requested->sizes[w];
        MPI_Comm_split(MPI_COMM_WORLD, belongs ? 0 : MPI_UNDEFINED, rank, &comm);
        bool good = !belongs || run_world(comm, requested, &tally.run);
        if (belongs) {
            MPI_Comm_free(&comm);
        }
        check_add(&tally, requested->sizes[w], all_good(good));
    }
    if (rank == 0) {
        check_print_tally(requested, &tally, begun);
    }
    return tally.failed;
}

int check_run_processes(int argc, char **argv, check_request *requested)
{
    int rank, ranks, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool good =
        all_good(check_sizes_fit(requested, ranks, rank == 0)) && run_worlds(requested, rank) == 0;
    MPI_Finalize();
    return good ? 0 : 1;
}
