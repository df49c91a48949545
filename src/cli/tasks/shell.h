#ifndef HALOBEAT_CLI_TASKS_SHELL_H
#define HALOBEAT_CLI_TASKS_SHELL_H

#include "base/memory.h"
#include "cli/tasks/watcher.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One job: a command that /bin/sh runs, and what it writes. */

typedef struct {
    double begun, seconds; /* since 1970; till its end */
    int32_t exit, signal;  /* its status; the signal that ended it, or 0 */
    int32_t timed_out;     /* was it ended since it took too long? */
    uint32_t out_bytes;    /* of `written`: standard output, and behind it standard error */
} shell_result;

/* Seconds between SIGTERM and SIGKILL. */
#define SHELL_GRACE_SECONDS 2.

/* Local, from any thread, one job at a time for a watcher. Runs `command` with its own process
 * group, /dev/null as standard input, and without what an MPI program of its own would take for its
 * launcher's. After `limit` seconds (0: none) all processes of the group are ended, by SIGTERM and
 * SHELL_GRACE_SECONDS later by SIGKILL, and so they are once *stop is true, or, where there is a
 * `watcher`, when this process ends. What a job that came to its own end has left running goes on.
 * HALO_FILE if the system cannot start it, HALO_MEMORY.
 */
halo_status shell_run(const char *command, double limit, const atomic_bool *stop,
                      shell_watcher *watcher, shell_result *result, halo_buffer *written);

/* Has it failed? A job that was ended has, whatever its status. */
static inline bool shell_failed(const shell_result *result)
{
    return result->exit != 0 || result->signal != 0 || result->timed_out != 0;
}

#endif
