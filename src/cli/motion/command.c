#include "cli/commands.h"
#include "cli/motion/job.h"
#include "cli/motion/summary.h"

/* What is handed through command_run. */
typedef struct {
    motion_arguments arguments;
    bool stopped; /* by a signal */
    int64_t pairs;
} call;

static halo_status motion_body(halo_world *world, cli_balance *balance, void *context)
{
    call *c = context;
    cli_motion_job job;
    halo_status status = cli_motion_run(&job, world, balance, &c->arguments);
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

static int run(call *c, int argc, char **argv, int rank)
{
    arguments_verdict verdict = motion_arguments_parse(argc, argv, rank == 0, &c->arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run("motion", &c->arguments.common, motion_body, c);
    return status == 0 && c->stopped
               ? command_stopped("halobeat motion", "after pair", c->pairs,
                                 c->pairs > 0 ? c->arguments.saving.checkpoint : NULL)
               : status;
}

int motion_command(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call c = {0};
    int status = run(&c, argc, argv, rank);
    motion_arguments_free(&c.arguments);
    return status;
}
