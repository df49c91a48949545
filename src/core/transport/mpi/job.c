#include "base/version.h"
#include "core/transport/launcher.h"
#include "core/transport/mpi/failure.h"
#include "core/transport/mpi/mpi_internal.h"
#include "core/transport/mpi/start.h"
#include "core/transport/processes.h"
#include "core/world/world_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* MPI itself is of a process, not of any object. */
static bool begun_here;

static bool is_started(void)
{
    int started = 0;
    MPI_Initialized(&started);
    return started != 0;
}

static bool has_ended(void)
{
    int ended = 0;
    MPI_Finalized(&ended);
    return ended != 0;
}

static int rank_of_process(void)
{
    int rank = 0;
    if (is_started() && halo_mpi_library_fits()) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    return rank;
}

#ifndef HALOBEAT_SIMGRID /* which starts ranks by itself */
/* Has the launcher of another MPI started ranks that do not find each other? MPI is ended then: it
 * has nobody to tell. */
static halo_status check_launcher(halo_copies copies)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1 || copies.count <= 1) {
        return HALO_OK;
    }
    halo_monitor_end();
    begun_here = false;
    MPI_Finalize();
    return halo_launcher_refuse(copies);
}
#endif

static halo_status connect_monitor(halo_world **world)
{
    HALO_TRY(halo_mpi_create_world(world, MPI_COMM_WORLD, NULL, 0, true));
    if (halo_world_ranks(*world) > 1) {
        return halo_monitor_connect(*world);
    }
    halo_monitor_end();
    return HALO_OK;
}

static halo_status begin(int *argc, char ***argv, const halo_monitor_options *options,
                         halo_world **world)
{
    if (is_started()) {
        return halo_world_create_mpi(world, MPI_COMM_WORLD, NULL);
    }
    HALO_TRY(halo_mpi_check_library());
    halo_monitor_begin(options);
#ifndef HALOBEAT_SIMGRID
    halo_copies copies = halo_launcher_copies(); /* now: MPI writes such variables itself */
#endif
    HALO_TRY(halo_mpi_start(argc, argv, options->program));
    begun_here = true;
    halo_mpi_failure_ends_job(options->program);
#ifndef HALOBEAT_SIMGRID
    HALO_TRY(check_launcher(copies));
#endif
    return connect_monitor(world);
}

/* MPICH before 4.2 may wait in MPI_Finalize for a message that only a rank that waits there as well
 * could send (mended in its commit 08d8105b7b of 2023): on four hosts most short jobs did not end.
 * On one host it does not happen. */
static bool finalize_may_hang(const halo_world *world)
{
#ifdef MPICH_NUMVERSION
    return MPICH_NUMVERSION < 40200000 && halo_launcher_is_there() &&
           halo_world_node_ranks(world) < halo_world_ranks(world);
#else
    (void)world;
    return false;
#endif
}

static int end(halo_world **world, int status)
{
    if (!begun_here) {
        halo_world_destroy(world);
        return status;
    }
    if (*world != NULL) {
        bool hangs = finalize_may_hang(*world);
        /* Nobody leaves while others still send to it. */
        halo_status agreed = halo_world_agree(*world, HALO_OK);
        halo_world_destroy(world);
        halo_monitor_end();
        if (hangs && agreed == HALO_OK) {
            halo_launcher_leave();
            exit(status);
        }
    }
    halo_monitor_end();
    int code = MPI_Finalize();
    if (code != MPI_SUCCESS) {
        (void)halo_mpi_status(code, "MPI_Finalize");
    }
    return status;
}

static halo_status adopt(const void *comm, size_t comm_bytes, halo_world **world)
{
    MPI_Comm handle;
    if (comm_bytes != sizeof handle) {
        return halo_fail(HALO_ARGUMENT, "a communicator has %zu bytes, and those of %s have %zu",
                         comm_bytes, HALO_MPI_NAME, sizeof handle);
    }
    memcpy(&handle, comm, sizeof handle);
    return halo_world_create_mpi(world, handle, NULL);
}

static const char mark[] = HALO_PROCESSES_MARK HALO_MPI_NAME;

const halo_processes halo_mpi_processes = {.name = mark + sizeof HALO_PROCESSES_MARK - 1,
                                           .version = HALOBEAT_VERSION,
                                           .world_bytes = sizeof(struct halo_world),
                                           .transport_bytes = sizeof(halo_transport),
                                           .is_started = is_started,
                                           .has_ended = has_ended,
                                           .rank = rank_of_process,
                                           .begin = begin,
                                           .end = end,
                                           .abandon = halo_mpi_abandon,
                                           .adopt = adopt};
