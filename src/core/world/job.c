#include "core/world/job.h"

#include "core/world/world.h"

#include <mpi.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPI itself is of a process, not of any object. */
static bool begun_here;

static halo_status connect_monitor(void)
{
    halo_world *world;
    HALO_TRY(halo_world_create(&world, MPI_COMM_WORLD, NULL));
    halo_status status = halo_world_ranks(world) > 1 ? halo_monitor_connect(world) : HALO_OK;
    if (halo_world_ranks(world) == 1) {
        halo_monitor_end();
    }
    halo_world_destroy(&world);
    return status;
}

halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options)
{
    int started = 0, provided;
    MPI_Initialized(&started);
    if (started) {
        return HALO_OK;
    }
    halo_monitor_begin(options);
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return halo_fail(HALO_MPI, "MPI could not be started");
    }
    begun_here = true;
    return connect_monitor();
}

/* Where the launcher's end of this process is, if it speaks version 1 of PMI; else -1. */
static int launcher_socket(void)
{
    const char *number = getenv("PMI_FD");
    return number != NULL ? atoi(number) : -1;
}

/* MPICH before 4.2 may wait in MPI_Finalize for a message that only a rank that waits there as well
 * could send (mended in its commit 08d8105b7b of 2023): on four hosts most short jobs did not end.
 * On one host it does not happen. */
static bool finalize_may_hang(const halo_world *world)
{
#ifdef MPICH_NUMVERSION
    return MPICH_NUMVERSION < 40200000 && launcher_socket() >= 0 &&
           halo_world_node_ranks(world) < halo_world_ranks(world);
#else
    (void)world;
    return false;
#endif
}

/* Takes leave of MPICH's launcher as MPI_Finalize would (PMI 1: a line each way). Hydra counts a
 * process that ends without it as dead, and now and then fails over that. */
static void leave_launcher(void)
{
    static const char leave[] = "cmd=finalize\n";
    char answer[64];
    int launcher = launcher_socket();
    struct pollfd reading = {.fd = launcher, .events = POLLIN};
    if (write(launcher, leave, strlen(leave)) == (ssize_t)strlen(leave) &&
        poll(&reading, 1, 1000) == 1) {
        ssize_t got = read(launcher, answer, sizeof answer);
        (void)got;
    }
}

int halo_job_end(int status)
{
    halo_world *world = NULL;
    if (!begun_here) {
        return status;
    }
    if (halo_world_create(&world, MPI_COMM_WORLD, NULL) == HALO_OK) {
        bool hangs = finalize_may_hang(world);
        /* Nobody leaves while others still send to it. */
        halo_status agreed = halo_world_agree(world, HALO_OK);
        halo_world_destroy(&world);
        halo_monitor_end();
        if (hangs && agreed == HALO_OK) {
            leave_launcher();
            exit(status);
        }
    }
    halo_monitor_end();
    MPI_Finalize();
    return status;
}
