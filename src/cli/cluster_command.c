#include "cli/cluster_job.h"
#include "cli/cluster_summary.h"
#include "cli/command.h"
#include "cli/commands.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>

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

static void tell_of_signal(const call *c)
{
    const char *checkpoint = c->arguments.saving.checkpoint;
    fprintf(stderr, "halobeat cluster: stopped by a signal at beat %" PRId64 "%s%s\n", c->beats,
            checkpoint != NULL ? "; go on with --restore " : "",
            checkpoint != NULL ? checkpoint : "");
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
    if (status == 0 && c.stopped) {
        if (rank == 0) {
            tell_of_signal(&c);
        }
        status = EXIT_FAILED;
    }
    return status;
}
