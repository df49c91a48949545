#include "core/world/job.h"

#include "core/transport/launcher.h"
#include "core/transport/processes.h"
#include "core/transport/threads/run.h"

#include <stdbool.h>
#include <stdlib.h>

/* The job of a process that no launcher has started is one rank, which is the calling thread;
 * programs with more ranks make them by halo_run. */

/* A job is of a process, not of any object. */
static const halo_processes *job_processes; /* that connect the ranks; NULL: there is one rank */
static halo_team *job_team;
static halo_world *job_world; /* from begin to end */
static bool job_refused;

halo_world *halo_job_world(void)
{
    return job_world;
}

bool halo_job_is_started(void)
{
    return job_world != NULL || halo_processes_are_started();
}

bool halo_job_has_ended(void)
{
    return job_refused || (job_processes != NULL && job_processes->has_ended());
}

int halo_job_rank(void)
{
    return halo_job_has_ended()    ? halo_launcher_rank()
           : job_processes != NULL ? job_processes->rank()
                                   : 0;
}

bool halo_job_is_refused(void)
{
    return job_refused;
}

static halo_status begin_alone(void)
{
    HALO_TRY(halo_team_create(&job_team, 1));
    halo_status status = halo_world_create_threads(&job_world, job_team, 0, NULL);
    if (status != HALO_OK) {
        halo_team_destroy(&job_team);
    }
    return status;
}

halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options)
{
    if (job_world != NULL) {
        return HALO_OK;
    }
    if (!halo_processes_are_linked() && !halo_processes_are_started() &&
        !halo_launcher_has_ranks()) {
        return begin_alone();
    }
    halo_status status = halo_launcher_check();
    status = status == HALO_OK ? halo_processes_get(&job_processes) : status;
    job_refused = status != HALO_OK;
    return job_refused ? status : job_processes->begin(argc, argv, options, &job_world);
}

void halo_job_abandon(int status)
{
    if (job_processes != NULL && !job_processes->has_ended()) {
        job_processes->abandon(status);
    }
    /* It ends this process, too, and says more about one that has ended before. */
    if (job_refused && halo_launcher_is_there()) {
        halo_launcher_let_print();
        halo_launcher_abort(halo_launcher_socket(), status);
        halo_launcher_let_print();
    }
    exit(status);
}

int halo_job_end(int status)
{
    if (job_processes != NULL) {
        return job_processes->end(&job_world, status);
    }
    halo_world_destroy(&job_world);
    halo_team_destroy(&job_team);
    return status;
}
