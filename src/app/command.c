#include "app/command.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>

static int exit_status(halo_status status)
{
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static int run(const command *called, app_options *given, int rank)
{
    halo_world *world = NULL;
    cli_balance balance;
    halo_status created = cli_balance_create(&balance, &called->common->balance);
    halo_world_options options = {.wait = called->common->wait, .slowdown = balance.slowdown};
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, &options);
    if (status == HALO_OK) {
        status = cli_balance_begin(&balance, world, created);
    }
    if (status == HALO_OK) {
        status = called->body(world, &balance, given, called->context);
    }
    if (status != HALO_OK && rank == 0) {
        fprintf(stderr, "%s: %s\n", called->program, halo_last_message());
    }
    cli_balance_end(&balance);
    halo_world_destroy(&world);
    cli_balance_free(&balance);
    return exit_status(status);
}

int command_call(const command *called, int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    app_options *given;
    app_verdict verdict = app_options_parse(&given, called->syntax, called->program, argc, argv,
                                            rank == 0, called->arguments);
    called->common->given = given;
    int status = verdict == APP_PARSED   ? run(called, given, rank)
                 : verdict == APP_HELPED ? 0
                                         : EXIT_USAGE;
    app_options_destroy(&given);
    return status;
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
