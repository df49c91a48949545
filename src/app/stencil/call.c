#include "app/stencil/call.h"

#include "app/command.h"
#include "app/stencil/job.h"
#include "app/stencil/summary.h"

typedef struct {
    const run_program *program;
    run_arguments arguments;
    run_find *find;
    void *context;
    bool stopped; /* out: by a signal */
    int64_t beats;
} call;

static halo_status find_kernel(call *c, const halo_kernel **kernel)
{
    *kernel = c->program->kernel;
    return *kernel != NULL ? HALO_OK : c->find(c->context, c->arguments.kernel, kernel);
}

static halo_status run_body(halo_world *world, cli_balance *balance, app_options *given,
                            void *context)
{
    call *c = context;
    const halo_kernel *kernel = NULL;
    run_job job;
    HALO_TRY(halo_agree(world, find_kernel(c, &kernel)));
    halo_status status = run_job_run(&job, world, balance, given, &c->arguments, kernel);
    if (status == HALO_OK) {
        status = run_summary_report(&job);
    }
    if (status == HALO_OK) {
        c->stopped = job.course.ending == COURSE_ENDING_SIGNAL;
        c->beats = run_job_beats(&job);
    }
    run_job_free(&job);
    return status;
}

int run_call(int argc, char **argv, const run_program *program, run_find *find, void *context)
{
    char text[RUN_DOCUMENTATION];
    const app_syntax syntax =
        program->kernel != NULL ? run_program_syntax(program, text) : *program->syntax;
    call c = {.program = program, .find = find, .context = context};
    const command called = {.syntax = &syntax,
                            .program = program->name,
                            .arguments = &c.arguments,
                            .common = &c.arguments.common,
                            .body = run_body,
                            .context = &c};
    int status = command_call(&called, argc, argv);
    return status == 0 && c.stopped
               ? command_stopped(program->name, "at beat", c.beats, c.arguments.saving.checkpoint)
               : status;
}
