#ifndef HALOBEAT_CLI_RUN_COURSE_H
#define HALOBEAT_CLI_RUN_COURSE_H

#include "cli/run_job.h"

/* Local. How a job beats, takes pictures and saves checkpoints; when is yet to be filled in. */
cli_course run_course_of(run_job *job);

#endif
