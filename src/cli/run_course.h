#ifndef HALOBEAT_CLI_RUN_COURSE_H
#define HALOBEAT_CLI_RUN_COURSE_H

#include "cli/run_job.h"

/* Collective. Beat from the first to the last, or until nothing changes or a signal comes, and do
 * on the way what is due. Fills in how it ended. */
halo_status run_course_run(run_job *job);

/* The run's watcher (halo_beat_options.watch); `context` is the run_job. */
bool run_course_watch(void *context, int64_t beats, int64_t changed);

#endif
