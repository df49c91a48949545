#ifndef HALOBEAT_CLI_LIFE_LOOP_H
#define HALOBEAT_CLI_LIFE_LOOP_H

#include "cli/life/job.h"

/* Collective. From the first generation to the last, with all that happens on the way; why it ended
 * is in job->ending. A grid that outgrows the memory is no failure here. */
halo_status life_course_run(cli_life_job *job);

/* Local; a halo_life_options.watch whose context is the job. */
bool life_course_watch(void *job, int64_t generation);

#endif
