#ifndef HALOBEAT_CLI_TASKS_SHELL_H
#define HALOBEAT_CLI_TASKS_SHELL_H

#include "base/status.h"
#include "cli/tasks/process.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One job: a command that a shell runs, and what it writes. */

enum { SHELL_OUT, SHELL_ERROR, SHELL_STREAMS };

/* Why a job has ended. */
typedef enum {
    SHELL_ENDED,    /* by itself, or by a signal that this program did not send */
    SHELL_TIME,     /* it took longer than its limit */
    SHELL_STOPPED,  /* the run is to end */
    SHELL_OUTPUT,   /* what it writes could not be taken */
    SHELL_UNSTARTED /* it was never begun */
} shell_reason;

typedef struct {
    double begun, seconds;        /* since 1970; till its end */
    double limit;                 /* of SHELL_TIME: the seconds that it might take */
    int64_t bytes[SHELL_STREAMS]; /* written, in all */
    int32_t exit, signal;         /* its status; the signal that ended it, or 0 */
    int32_t reason;               /* a shell_reason */
    int32_t error;                /* of SHELL_UNSTARTED: the number of the system's error */
} shell_result;

/* Seconds between SIGTERM and SIGKILL. */
#define SHELL_GRACE_SECONDS 2.

/* The status of a job that was not begun, or could not be waited for. */
enum { SHELL_UNKNOWN = 127 };

typedef struct {
    const char *command;
    const char *shell; /* the program that runs it, as by SHELL -c COMMAND. NULL: /bin/sh, and no
                        * shell for a command that needs none */
    int64_t number;    /* of the job, from 1, and */
    int slot;          /* of those that run at the same time, from 0: for its environment */
    int process_slot;  /* the same among those of this process */
    const atomic_bool *stop;
    shell_watcher *watcher; /* or NULL */
    void *context;          /* of the functions */

    /* Takes what the job has written to a stream, [bytes], in the order in which it was. After a
     * failure the job is ended. */
    halo_status (*take)(void *context, int stream, const void *data, size_t bytes);

    /* The seconds that the job may take, asked for every 100 ms; 0: no limit. */
    double (*limit)(void *context);
} shell_job;

/* Local, from any thread. Runs a job with its own process group, /dev/null as standard input, no
 * other file than its three, and without what an MPI program of its own would take for its
 * launcher's; HALOBEAT_TASK, PARALLEL_SEQ and PARALLEL_JOBSLOT are in its environment. It ends when
 * its first process ends; other processes that it has left running go on, and what they write is
 * dropped. After its limit all processes of the group are ended, by SIGTERM and SHELL_GRACE_SECONDS
 * later by SIGKILL, and so they are once *stop is true, or, where there is a watcher, when this
 * process ends. What `take` returned, or HALO_MEMORY; that it could not be begun is in the result.
 */
halo_status shell_run(const shell_job *job, shell_result *result);

/* Has it failed? A job that was ended has, whatever its status, unless the run was to end: then it
 * has if it did not come to its own end. */
static inline bool shell_failed(const shell_result *result)
{
    bool ended = result->reason != SHELL_ENDED && result->reason != SHELL_STOPPED;
    return result->exit != 0 || result->signal != 0 || ended;
}

/* Local, from any thread (start.c). Begins a job: *process is its first process, and `from` are the
 * reading ends of what it writes to. HALO_FILE with the reason in *error, as of errno; HALO_MEMORY.
 */
halo_status job_start(const shell_job *job, pid_t *process, int from[SHELL_STREAMS], int *error);

#endif
