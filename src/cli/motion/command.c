#include "cli/commands.h"
#include "cli/motion/job.h"
#include "cli/motion/summary.h"

/* A call, and how it ended. */
typedef struct {
    motion_arguments arguments;
    bool stopped; /* by a signal */
    int64_t pairs;
} call;

static halo_status motion_body(halo_world *world, cli_balance *balance, app_options *given,
                               void *context)
{
    call *c = context;
    cli_motion_job job;
    halo_status status = cli_motion_run(&job, world, balance, given, &c->arguments);
    if (status == HALO_OK) {
        status = motion_summary_report(&job);
    }
    if (status == HALO_OK) {
        c->stopped = job.course.ending == COURSE_ENDING_SIGNAL;
        c->pairs = cli_motion_pairs(&job);
    }
    cli_motion_free(&job);
    return status;
}

int motion_command(int argc, char **argv)
{
    static const char program[] = "halobeat motion";
    call c = {0};
    const command called = {.syntax = &motion_syntax,
                            .program = program,
                            .arguments = &c.arguments,
                            .common = &c.arguments.common,
                            .body = motion_body,
                            .context = &c};
    int status = command_call(&called, argc, argv);
    if (status == 0 && c.stopped) {
        const char *saved = c.pairs > 0 ? c.arguments.saving.checkpoint : NULL;
        status = command_stopped(program, "after pair", c.pairs, saved);
    }
    motion_arguments_free(&c.arguments);
    return status;
}
