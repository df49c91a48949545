#include "cli/commands.h"
#include "cli/label_job.h"
#include "cli/label_summary.h"

#include <stdio.h>

/* One message for all ranks, on stderr. */
static void print_failure(int rank)
{
    if (rank == 0) {
        fprintf(stderr, "halobeat label: %s\n", halo_last_message());
    }
}

static int exit_status(halo_status status)
{
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

int label_command(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    label_arguments arguments;
    arguments_verdict verdict = label_arguments_parse(argc, argv, rank == 0, &arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    halo_world *world;
    halo_world_options options = {.wait = arguments.wait};
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, &options);
    if (status != HALO_OK) {
        print_failure(rank);
        return exit_status(status);
    }
    cli_label_job job;
    status = cli_label_run(&job, world, &arguments);
    if (status == HALO_OK) {
        status = label_summary_report(&job);
    }
    if (status != HALO_OK) {
        print_failure(rank);
    }
    cli_label_free(&job);
    halo_world_destroy(&world);
    return exit_status(status);
}
