#include "app/command.h"
#include "cli/cluster/job.h"
#include "cli/cluster/summary.h"
#include "cli/commands.h"

/* A call, and how it ended. */
typedef struct {
    cluster_arguments arguments;
    bool stopped; /* by a signal */
    int64_t beats;
} call;

static halo_status cluster_body(halo_world *world, cli_balance *balance, app_options *given,
                                void *context)
{
    call *c = context;
    cli_cluster_job job;
    halo_status status = cluster_job_run(&job, world, balance, given, &c->arguments);
    if (status == HALO_OK) {
        status = cluster_summary_report(&job);
    }
    if (status == HALO_OK) {
        c->stopped = job.course.ending == COURSE_ENDING_SIGNAL;
        c->beats = cluster_job_beats(&job);
    }
    cluster_job_free(&job);
    return status;
}

int cluster_command(int argc, char **argv)
{
    static const char program[] = "halobeat cluster";
    call c = {0};
    const command called = {.syntax = &cluster_syntax,
                            .program = program,
                            .arguments = &c.arguments,
                            .common = &c.arguments.common,
                            .body = cluster_body,
                            .context = &c};
    int status = command_call(&called, argc, argv);
    return status == 0 && c.stopped
               ? command_stopped(program, "at beat", c.beats, c.arguments.saving.checkpoint)
               : status;
}
