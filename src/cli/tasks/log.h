#ifndef HALOBEAT_CLI_TASKS_LOG_H
#define HALOBEAT_CLI_TASKS_LOG_H

#include "cli/tasks/list.h"
#include "cli/tasks/shell.h"

#include <stdio.h>

/* What has become of jobs, a line each, as soon as it is known: the columns of GNU parallel's
 * --joblog. All functions are local; rank 0 calls them. */

/* Opens the log for appending, and writes its first line unless it has one. HALO_FILE. */
halo_status job_log_open(FILE **out, const char *path);

/* Appends job `number`, from 1, which ran on `host`, and hands it to the system. HALO_FILE. */
halo_status job_log_add(FILE *log, const char *path, int64_t number, const char *host,
                        const shell_result *result, size_t written, const char *command);

/* Reads a log, if there is one: done[i], [jobs], becomes true for job i (from 0) that is in it and
 * did not fail. HALO_FORMAT if it is no log, or one
 * of other jobs: `command` says what job i is, in new memory. A line that was cut off is passed
 * over. HALO_FILE, HALO_MEMORY. */
halo_status job_log_read(const char *path, int64_t jobs,
                         halo_status (*command)(void *context, int64_t i, char **out),
                         void *context, bool *done);

#endif
