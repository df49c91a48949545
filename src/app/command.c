#include "app/command.h"

#include <inttypes.h>
#include <stdio.h>

static int exit_status(halo_status status)
{
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

int command_run_as(const char *program, const common_arguments *common, command_body *body,
                   void *job)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    halo_world *world = NULL;
    cli_balance balance;
    halo_status created = cli_balance_create(&balance, &common->balance);
    halo_world_options options = {.wait = common->wait, .drag = balance.drag};
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, &options);
    if (status == HALO_OK) {
        status = cli_balance_begin(&balance, world, created);
    }
    if (status == HALO_OK) {
        status = body(world, &balance, job);
    }
    if (status != HALO_OK && rank == 0) {
        fprintf(stderr, "%s: %s\n", program, halo_last_message());
    }
    cli_balance_end(&balance);
    halo_world_destroy(&world);
    cli_balance_free(&balance);
    return exit_status(status);
}

int command_run(const char *name, const common_arguments *common, command_body *body, void *job)
{
    char program[64];
    snprintf(program, sizeof program, "halobeat %s", name);
    return command_run_as(program, common, body, job);
}

int command_stopped(const char *program, const char *counted, int64_t count, const char *checkpoint)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "%s: stopped by a signal %s %" PRId64 "%s%s\n", program, counted, count,
                checkpoint != NULL ? "; go on with --restore " : "",
                checkpoint != NULL ? checkpoint : "");
    }
    return EXIT_FAILED;
}
