#include "cli/command.h"

#include "cli/commands.h"

#include <stdio.h>

static int exit_status(halo_status status)
{
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

int command_run(const char *name, const char *wait, command_body *body, void *job)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    halo_world *world = NULL;
    halo_world_options options = {.wait = wait};
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, &options);
    if (status == HALO_OK) {
        status = body(world, job);
    }
    if (status != HALO_OK && rank == 0) {
        fprintf(stderr, "halobeat %s: %s\n", name, halo_last_message());
    }
    halo_world_destroy(&world);
    return exit_status(status);
}
