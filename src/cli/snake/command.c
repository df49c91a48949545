#include "cli/commands.h"
#include "cli/snake/job.h"
#include "cli/snake/summary.h"

typedef struct {
    snake_arguments arguments;
    bool stopped; /* out: by a signal */
    int64_t beats;
} call;

static halo_status snake_body(halo_world *world, cli_balance *balance, void *context)
{
    call *c = context;
    snake_job job;
    halo_status status = snake_job_run(&job, world, balance, &c->arguments);
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
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call c = {.stopped = false};
    arguments_verdict verdict = snake_arguments_parse(argc, argv, rank == 0, &c.arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run("snake", &c.arguments.common, snake_body, &c);
    return status == 0 && c.stopped ? command_stopped("halobeat snake", "at beat", c.beats,
                                                      c.arguments.saving.checkpoint)
                                    : status;
}
