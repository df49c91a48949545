#include "app/command.h"
#include "cli/commands.h"
#include "cli/snake/job.h"
#include "cli/snake/summary.h"

typedef struct {
    snake_arguments arguments;
    bool stopped; /* out: by a signal */
    int64_t beats;
} call;

static halo_status snake_body(halo_world *world, cli_balance *balance, app_options *given,
                              void *context)
{
    call *c = context;
    snake_job job;
    halo_status status = snake_job_run(&job, world, balance, given, &c->arguments);
    if (status == HALO_OK) {
        status = snake_summary_report(&job);
    }
    if (status == HALO_OK) {
        c->stopped = job.course.ending == COURSE_ENDING_SIGNAL;
        c->beats = snake_job_progress(&job).beats;
    }
    snake_job_free(&job);
    return status;
}

int snake_command(int argc, char **argv)
{
    static const char program[] = "halobeat snake";
    call c = {.stopped = false};
    const command called = {.syntax = &snake_syntax,
                            .program = program,
                            .arguments = &c.arguments,
                            .common = &c.arguments.common,
                            .body = snake_body,
                            .context = &c};
    int status = command_call(&called, argc, argv);
    return status == 0 && c.stopped
               ? command_stopped(program, "at beat", c.beats, c.arguments.saving.checkpoint)
               : status;
}
