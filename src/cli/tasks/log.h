#ifndef HALOBEAT_CLI_TASKS_LOG_H
#define HALOBEAT_CLI_TASKS_LOG_H

#include "cli/tasks/shell.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A log of jobs, a line for each as soon as it has ended: the columns of GNU parallel's
 * --joblog. All functions are local; rank 0 calls them. */

/* Zero-initialise it. */
typedef struct {
    const char *path;
    FILE *file; /* NULL: there is none */
    bool begun; /* has it the first line? */
} job_log;

/* Opens the log for reading and, if the run `writes` to it, for appending, and locks it then. One
 * that is only read need not exist. `path` must stay valid. HALO_FILE, also if another run has it;
 * HALO_FORMAT if it is no log. */
halo_status job_log_open(job_log *log, const char *path, bool writes);

/* After opening: done[i], [jobs], becomes true for job i (from 0) that is in the log and did not
 * fail. HALO_FORMAT if the log is of other jobs: `command` says what job i is, in new memory. A
 * line that was cut off is passed over. HALO_FILE, HALO_MEMORY. */
halo_status job_log_read(const job_log *log, int64_t jobs,
                         halo_status (*command)(void *context, int64_t i, char **out),
                         void *context, bool *done);

/* After reading: removes a line that was cut off, or writes the first line. HALO_FILE. */
halo_status job_log_begin(const job_log *log);

/* Appends job `number`, from 1, which ran on `host`, and hands it to the system. HALO_FILE. */
halo_status job_log_add(const job_log *log, int64_t number, const char *host,
                        const shell_result *result, const char *command);

/* Returns false if what was written is not all in the file. Accepts one that is not open. */
bool job_log_close(job_log *log);

#endif
