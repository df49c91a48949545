#ifndef HALOBEAT_CLI_TASKS_PROCESS_H
#define HALOBEAT_CLI_TASKS_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

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

#endif
