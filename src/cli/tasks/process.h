#ifndef HALOBEAT_CLI_TASKS_PROCESS_H
#define HALOBEAT_CLI_TASKS_PROCESS_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

/* ---- groups of processes (process.c) --------------------------------------------------------- */

/* Processes of jobs. All functions are local and allocate nothing, so that a process may call them
 * behind a fork. */

/* Asks all processes of a group to end, also those that were stopped. */
void process_group_ask(pid_t group);

void process_group_kill(pid_t group);

/* Is a process of the group left that has not ended? One that has, and that nobody waits for, as in
 * a container whose first process does not reap, is none. */
bool process_group_lives(pid_t group);

/* Waits for at most `seconds` until the group has ended, and then kills the rest. */
void process_group_outlast(pid_t group, double seconds);

/* Closes all files from descriptor `first` on. */
void process_close_from(int first);

/* ---- the watcher (watcher.c) ----------------------------------------------------------------- */

/* A small process beside a rank that outlives it: when the rank ends, by whatever signal, it ends
 * the processes of the jobs that the rank was running, SIGTERM first and SIGKILL two seconds later.
 * (PR_SET_PDEATHSIG would reach a job's shell alone, and not what that has started.) It also reads,
 * and drops, what processes write that a job has left behind, so that they neither wait nor end by
 * SIGPIPE: as long as there are such processes, it stays. */
typedef struct shell_watcher shell_watcher;

/* Local. Starts the process for jobs of `slots` at a time; it leaves the rank's session and keeps
 * none of its files open. HALO_FILE if the system cannot, HALO_MEMORY. */
halo_status shell_watcher_create(shell_watcher **out, int slots);

/* Local. Ends it, and waits for that unless processes are left that it reads from. Accepts a
 * pointer to NULL. */
void shell_watcher_destroy(shell_watcher **watcher);

/* Local; async-signal-safe, also between vfork and exec. From now on process group `group` is
 * the one to end of those in slot `slot`; 0: none. `watcher` may be NULL. */
void shell_watcher_note(shell_watcher *watcher, int slot, pid_t group);

/* Local, from any thread. Hands over the reading end of a pipe that others may still write to. The
 * caller closes its own descriptor. `watcher` may be NULL. */
void shell_watcher_adopt(shell_watcher *watcher, int pipe);

#endif
