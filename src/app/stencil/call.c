#include "app/stencil/call.h"

#include "app/command.h"
#include "app/stencil/job.h"
#include "app/stencil/summary.h"

typedef struct {
    run_arguments arguments;
    run_find *find;
    void *context;
    bool stopped; /* out: by a signal */
    int64_t beats;
} call;

static halo_status find_kernel(call *c, const halo_kernel **kernel)
{
    *kernel = c->arguments.program->kernel;
    return *kernel != NULL ? HALO_OK : c->find(c->context, c->arguments.kernel, kernel);
}

static halo_status run_body(halo_world *world, cli_balance *balance, void *context)
{
    call *c = context;
    const halo_kernel *kernel = NULL;
    run_job job;
    HALO_TRY(halo_agree(world, find_kernel(c, &kernel)));
    halo_status status = run_job_run(&job, world, balance, &c->arguments, kernel);
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
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call c = {.find = find, .context = context};
    arguments_verdict verdict = run_arguments_parse(argc, argv, program, rank == 0, &c.arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run_as(program->name, &c.arguments.common, run_body, &c);
    return status == 0 && c.stopped
               ? command_stopped(program->name, "at beat", c.beats, c.arguments.saving.checkpoint)
               : status;
}
