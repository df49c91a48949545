#include "app/command.h"
#include "cli/commands.h"
#include "cli/label/job.h"
#include "cli/label/summary.h"

static halo_status label_body(halo_world *world, cli_balance *balance, void *arguments)
{
    cli_label_job job;
    halo_status status = cli_label_run(&job, world, balance, arguments);
    if (status == HALO_OK) {
        status = label_summary_report(&job);
    }
    cli_label_free(&job);
    return status;
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
    return command_run("label", &arguments.common, label_body, &arguments);
}
