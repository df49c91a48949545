#ifndef HALOBEAT_APP_STENCIL_LOOP_H
#define HALOBEAT_APP_STENCIL_LOOP_H

#include "app/stencil/job.h"

/* Local. How a job beats, takes pictures and saves checkpoints; when is yet to be filled in. */
cli_course run_course_of(run_job *job);

#endif
