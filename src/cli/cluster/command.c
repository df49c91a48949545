#include "app/command.h"
#include "cli/cluster/job.h"
#include "cli/cluster/summary.h"
#include "cli/commands.h"

#include <mpi.h>

/* A call, and how it ended. */
typedef struct {
    cluster_arguments arguments;
    bool stopped; /* by a signal */
    int64_t beats;
} call;

static halo_status cluster_body(halo_world *world, cli_balance *balance, void *context)
{
    call *c = context;
    cli_cluster_job job;
    halo_status status = cluster_job_run(&job, world, balance, &c->arguments);
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
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    call c = {0};
    arguments_verdict verdict = cluster_arguments_parse(argc, argv, rank == 0, &c.arguments);
    if (verdict != ARGUMENTS_GOOD) {
        return verdict == ARGUMENTS_HELPED ? 0 : EXIT_USAGE;
    }
    int status = command_run("cluster", &c.arguments.common, cluster_body, &c);
    return status == 0 && c.stopped ? command_stopped("halobeat cluster", "at beat", c.beats,
                                                      c.arguments.saving.checkpoint)
                                    : status;
}
