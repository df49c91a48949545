#include "app/command.h"
#include "cli/chan_vese/job.h"
#include "cli/chan_vese/summary.h"
#include "cli/commands.h"

#include <mpi.h>

/* A call, and how it ended. */
typedef struct {
    chan_vese_arguments arguments;
    bool stopped; /* by a signal */
    int64_t beats;
} call;

static halo_status chan_vese_body(halo_world *world, cli_balance *balance, void *context)
{
    call *c = context;
    chan_vese_job job;
    halo_status status = chan_vese_job_run(&job, world, balance, &c->arguments);
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
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call c = {0};
    arguments_verdict verdict = chan_vese_arguments_parse(argc, argv, rank == 0, &c.arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run("chan-vese", &c.arguments.common, chan_vese_body, &c);
    return status == 0 && c.stopped ? command_stopped("halobeat chan-vese", "at beat", c.beats,
                                                      c.arguments.saving.checkpoint)
                                    : status;
}
