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
    const char *saved = arguments->saving.checkpoint != NULL ? arguments->saving.checkpoint
                        : arguments->output != NULL          ? arguments->output
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

static halo_status life_body(halo_world *world, cli_balance *balance, app_options *given,
                             void *context)
{
    life_call *call = context;
    cli_life_job job;
    halo_status status = cli_life_run(&job, world, balance, given, &call->arguments);
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
    static const char program[] = "halobeat life";
    life_call call = {0};
    const command called = {.syntax = &life_syntax,
                            .program = program,
                            .arguments = &call.arguments,
                            .common = &call.arguments.common,
                            .body = life_body,
                            .context = &call};
    int status = command_call(&called, argc, argv);
    return status == 0 && call.stopped ? command_stopped(program, "at generation", call.generation,
                                                         call.arguments.saving.checkpoint)
                                       : status;
}
