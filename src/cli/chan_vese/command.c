#include "app/command.h"
#include "cli/chan_vese/job.h"
#include "cli/chan_vese/summary.h"
#include "cli/commands.h"

/* A call, and how it ended. */
typedef struct {
    chan_vese_arguments arguments;
    bool stopped; /* by a signal */
    int64_t beats;
} call;

static halo_status chan_vese_body(halo_world *world, cli_balance *balance, app_options *given,
                                  void *context)
{
    call *c = context;
    chan_vese_job job;
    halo_status status = chan_vese_job_run(&job, world, balance, given, &c->arguments);
    if (status == HALO_OK) {
        status = chan_vese_summary_report(&job);
    }
    if (status == HALO_OK) {
        c->stopped = job.course.ending == COURSE_ENDING_SIGNAL;
        c->beats = chan_vese_job_beats(&job);
    }
    chan_vese_job_free(&job);
    return status;
}

int chan_vese_command(int argc, char **argv)
{
    static const char program[] = "halobeat chan-vese";
    call c = {0};
    const command called = {.syntax = &chan_vese_syntax,
                            .program = program,
                            .arguments = &c.arguments,
                            .common = &c.arguments.common,
                            .body = chan_vese_body,
                            .context = &c};
    int status = command_call(&called, argc, argv);
    return status == 0 && c.stopped
               ? command_stopped(program, "at beat", c.beats, c.arguments.saving.checkpoint)
               : status;
}
