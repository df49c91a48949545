#include "core/world/job.h"

#include "core/transport/threads/run.h"
#include "core/world/launcher.h"

#include <stdbool.h>
#include <stdlib.h>

/* The job of a build without MPI: one rank, which is the calling thread. Programs with more ranks
 * make them by halo_run. */

/* A job is of a process, not of any object. */
static halo_team *job_team;
static halo_world *job_world; /* from begin to end */
static bool job_refused;

halo_world *halo_job_world(void)
{
    return job_world;
}

bool halo_job_is_started(void)
{
    return job_world != NULL;
}

bool halo_job_has_ended(void)
{
    return job_refused;
}

int halo_job_rank(void)
{
    return job_refused ? halo_launcher_rank() : 0;
}

halo_status halo_job_begin(int *argc, char ***argv, const halo_monitor_options *options)
{
    (void)argc;
    (void)argv;
    (void)options;
    if (job_world != NULL) {
        return HALO_OK;
    }
    halo_copies copies = halo_launcher_copies();
    job_refused = copies.count > 1;
    if (job_refused) {
        return halo_launcher_refuse(copies);
    }
    HALO_TRY(halo_team_create(&job_team, 1));
    halo_status status = halo_world_create_threads(&job_world, job_team, 0, NULL);
    if (status != HALO_OK) {
        halo_team_destroy(&job_team);
    }
    return status;
}

void halo_job_abandon(int status)
{
    exit(status);
}

int halo_job_end(int status)
{
    halo_world_destroy(&job_world);
    halo_team_destroy(&job_team);
    return status;
}
