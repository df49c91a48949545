#ifndef HALOBEAT_CLI_TASKS_WATCHER_H
#define HALOBEAT_CLI_TASKS_WATCHER_H

#include "base/status.h"

#include <sys/types.h>

/* A small process beside a rank that outlives it: when the rank ends, by whatever signal, it ends
 * the processes of the job that the rank was running, SIGTERM first and SIGKILL two seconds later.
 * (PR_SET_PDEATHSIG would reach a job's shell alone, and not what that has started.) */
typedef struct shell_watcher shell_watcher;

/* Local. Starts the process, which leaves the rank's session and keeps none of its files open.
 * HALO_FILE if the system cannot, HALO_MEMORY. */
halo_status shell_watcher_create(shell_watcher **out);

/* Local. Ends it. Accepts a pointer to NULL. */
void shell_watcher_destroy(shell_watcher **watcher);

/* Local; async-signal-safe, also between vfork and exec. From now on process group `group` is
 * the one to end; 0: none. `watcher` may be NULL. */
void shell_watcher_note(shell_watcher *watcher, pid_t group);

/* Local. Ends a process group: asks all of its processes, also those that were stopped; later kills
 * them. */
void shell_group_ask(pid_t group);
void shell_group_kill(pid_t group);

/* Local. Waits for at most `seconds` until nothing is left of the group, and then kills the rest.
 */
void shell_group_outlast(pid_t group, double seconds);

#endif
