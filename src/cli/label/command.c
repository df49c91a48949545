#include "app/command.h"
#include "cli/commands.h"
#include "cli/label/job.h"
#include "cli/label/summary.h"

static halo_status label_body(halo_world *world, cli_balance *balance, app_options *given,
                              void *arguments)
{
    cli_label_job job;
    (void)given;
    halo_status status = cli_label_run(&job, world, balance, arguments);
    if (status == HALO_OK) {
        status = label_summary_report(&job);
    }
    cli_label_free(&job);
    return status;
}

int label_command(int argc, char **argv)
{
    label_arguments arguments;
    const command called = {.syntax = &label_syntax,
                            .program = "halobeat label",
                            .arguments = &arguments,
                            .common = &arguments.common,
                            .body = label_body,
                            .context = &arguments};
    return command_call(&called, argc, argv);
}
