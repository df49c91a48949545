#include "app/command.h"
#include "cli/commands.h"
#include "cli/synthetic/job.h"
#include "cli/synthetic/summary.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
    synthetic_arguments arguments;
    bool ran; /* out */
    halo_synthetic_verdict verdict;
} synthetic_call;

static halo_status synthetic_body(halo_world *world, cli_balance *balance, app_options *given,
                                  void *context)
{
    synthetic_call *call = context;
    (void)given;
    cli_synthetic_job job;
    halo_status status = cli_synthetic_run(&job, world, balance, &call->arguments);
    if (status == HALO_OK) {
        status = synthetic_summary_report(&job);
    }
    call->ran = true;
    call->verdict = job.verdict;
    cli_synthetic_free(&job);
    return status;
}

static void complain(const halo_synthetic_verdict *verdict)
{
    fprintf(stderr,
            "halobeat synthetic: the result is wrong: %" PRId64 " wrong cells (the first in row "
            "%" PRId64 ", column %" PRId64 "), digest %016" PRIx64 " instead of %016" PRIx64
            "; this is a fault of the program or the machine\n",
            verdict->wrong_cells, verdict->row, verdict->column, verdict->digest,
            verdict->expected);
}

int synthetic_command(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    synthetic_call call = {0};
    const command called = {.syntax = &synthetic_syntax,
                            .program = "halobeat synthetic",
                            .arguments = &call.arguments,
                            .common = &call.arguments.common,
                            .body = synthetic_body,
                            .context = &call};
    int status = command_call(&called, argc, argv);
    if (status == 0 && call.ran && !call.verdict.holds) {
        if (rank == 0) {
            complain(&call.verdict);
        }
        status = EXIT_FAILED;
    }
    return status;
}
