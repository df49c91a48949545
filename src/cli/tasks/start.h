#ifndef HALOBEAT_CLI_TASKS_START_H
#define HALOBEAT_CLI_TASKS_START_H

#include "cli/tasks/shell.h"

#include <sys/types.h>

/* Local, from any thread. Begins a job: *process is its first process, and `from` are the reading
 * ends of what it writes to. HALO_FILE with the reason in *error, as of errno; HALO_MEMORY. */
halo_status job_start(const shell_job *job, pid_t *process, int from[SHELL_STREAMS], int *error);

#endif
