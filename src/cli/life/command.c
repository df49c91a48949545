#include "app/command.h"
#include "cli/commands.h"
#include "cli/life/job.h"
#include "cli/life/summary.h"

#include <inttypes.h>

typedef struct {
    life_arguments arguments;
    bool stopped; /* out: by a signal */
    int64_t generation;
} life_call;

/* The files have what there is; that it is not all is a failure even so. */
static halo_status judge(const cli_life_job *job, life_call *call)
{
    const life_arguments *arguments = job->arguments;
    const char *saved = arguments->checkpoint != NULL ? arguments->checkpoint
                        : arguments->output != NULL   ? arguments->output
                                                      : job->rescue;
    call->stopped = job->ending == LIFE_ENDING_SIGNAL;
    call->generation = halo_life_generation(job->life);
    if (job->ending != LIFE_ENDING_MEMORY) {
        return HALO_OK;
    }
    return halo_fail(HALO_MEMORY, "%.300s; generation %" PRId64 " %s%.100s", job->memory_message,
                     call->generation,
                     *saved != '\0' ? "is saved in "
                                    : "could not be saved in this folder; use --checkpoint FILE",
                     saved);
}

static halo_status life_body(halo_world *world, cli_balance *balance, void *context)
{
    life_call *call = context;
    cli_life_job job;
    halo_status status = cli_life_run(&job, world, balance, &call->arguments);
    if (status == HALO_OK) {
        status = life_summary_report(&job);
    }
    if (status == HALO_OK) {
        status = judge(&job, call);
    }
    cli_life_free(&job);
    return status;
}

int life_command(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    life_call call = {0};
    arguments_verdict verdict = life_arguments_parse(argc, argv, rank == 0, &call.arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run("life", &call.arguments.common, life_body, &call);
    return status == 0 && call.stopped ? command_stopped("halobeat life", "at generation",
                                                         call.generation, call.arguments.checkpoint)
                                       : status;
}
