#define _GNU_SOURCE /* syscall */
#include "cli/tasks/shell.h"

#include "cli/tasks/process.h"
#include "core/world/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLISECONDS = 100, LOOK_OFTEN_MILLISECONDS = 5 };
enum { WATCHED = SHELL_STREAMS + 1 };

typedef struct {
    const shell_job *job;
    shell_result *result;
    pid_t process;
    int handle;              /* of the process, to be waited for; -1 where the system has none */
    int from[SHELL_STREAMS]; /* -1: at its end */
    double begun, kills;     /* when it was begun; when it is killed; 0: never */
    halo_status status;      /* of taking what it writes */
} child;

/* ---- its end --------------------------------------------------------------------------------- */

/* Leaves it to be waited for: as long as it is, its number is nobody else's. */
static bool has_ended(const child *c)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
           info.si_pid != 0;
}

static shell_reason find_reason(const child *c)
{
    double limit = c->job->limit != NULL ? c->job->limit(c->job->context) : 0;
    bool late = limit > 0 && halo_seconds() - c->begun >= limit;
    c->result->limit = limit;
    return c->status != HALO_OK        ? SHELL_OUTPUT
           : atomic_load(c->job->stop) ? SHELL_STOPPED
           : late                      ? SHELL_TIME
                                       : SHELL_ENDED;
}

/* Asks all of its processes to end, and later ends them: also the first one, wherever it is. */
static void end_if_due(child *c)
{
    if (c->kills > 0) {
        if (halo_seconds() >= c->kills) {
            process_group_kill(c->process);
            kill(c->process, SIGKILL);
        }
        return;
    }
    c->result->reason = (int32_t)find_reason(c);
    if (c->result->reason != SHELL_ENDED) {
        process_group_ask(c->process);
        c->kills = halo_seconds() + SHELL_GRACE_SECONDS;
    }
}

static int reap(child *c)
{
    int status = 0;
    pid_t ended;
    bool requested = c->kills > 0;
    if (!requested) {
        shell_watcher_note(c->job->watcher, c->job->process_slot, 0);
    }
    while ((ended = waitpid(c->process, &status, 0)) < 0 && errno == EINTR) {
    }
    if (requested) { /* others of its group may not listen */
        process_group_outlast(c->process, c->kills - halo_seconds());
        shell_watcher_note(c->job->watcher, c->job->process_slot, 0);
    }
    return ended > 0 ? status : SHELL_UNKNOWN << 8; /* as of an exit */
}

/* ---- what it writes -------------------------------------------------------------------------- */

static void close_stream(child *c, int stream)
{
    close(c->from[stream]);
    c->from[stream] = -1;
}

/* At most `most` bytes, of which there are some, or the end. What is not wanted any more is read
 * all the same, so that the job can end. */
static ssize_t read_some(child *c, int stream, size_t most)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    ssize_t bytes = read(c->from[stream], piece, most < PIECE ? most : PIECE);
    if (bytes > 0) {
        c->result->bytes[stream] += bytes;
        HALO_IF_OK(c->status, c->job->take(c->job->context, stream, piece, (size_t)bytes));
    } else if (bytes == 0 || errno != EINTR) {
        close_stream(c, stream);
    }
    return bytes;
}

/* The process has ended, and what it has written is in the pipe; processes that it has left behind
 * may write more. */
static void read_rest(child *c, int stream)
{
    int there = 0;
    if (c->from[stream] < 0) {
        return;
    }
    ioctl(c->from[stream], FIONREAD, &there);
    while (there > 0 && c->from[stream] >= 0) {
        ssize_t bytes = read_some(c, stream, (size_t)there);
        there -= bytes > 0 ? (int)bytes : 0;
    }
    struct pollfd end = {.fd = c->from[stream], .events = POLLIN};
    if (c->from[stream] < 0) {
        return;
    }
    if (poll(&end, 1, 0) == 0 || (end.revents & POLLIN) != 0) { /* others can write to it */
        shell_watcher_adopt(c->job->watcher, c->from[stream]);
    }
    close_stream(c, stream);
}

/* A process that has closed both pipes may go on. */
static void outlast(child *c)
{
    for (bool ended = false; !ended;) {
        struct pollfd watched[WATCHED] = {{.fd = c->from[SHELL_OUT], .events = POLLIN},
                                          {.fd = c->from[SHELL_ERROR], .events = POLLIN},
                                          {.fd = c->handle, .events = POLLIN}};
        poll(watched, WATCHED, c->handle >= 0 ? LOOK_MILLISECONDS : LOOK_OFTEN_MILLISECONDS);
        for (int i = 0; i < SHELL_STREAMS; i++) {
            if (c->from[i] >= 0 && watched[i].revents != 0) {
                read_some(c, i, SIZE_MAX);
            }
        }
        ended = (c->handle < 0 || watched[SHELL_STREAMS].revents != 0) && has_ended(c);
        if (!ended) {
            end_if_due(c);
        }
    }
    for (int i = 0; i < SHELL_STREAMS; i++) {
        read_rest(c, i);
    }
}

/* ---- one job --------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void follow(child *c)
{
#ifdef SYS_pidfd_open
    c->handle = (int)syscall(SYS_pidfd_open, c->process, 0);
#endif
    outlast(c);
    if (c->handle >= 0) {
        close(c->handle);
    }
    int ended = reap(c);
    if (c->status != HALO_OK) {
        c->result->reason = SHELL_OUTPUT;
    }
    c->result->exit = WIFEXITED(ended) ? WEXITSTATUS(ended) : 0;
    c->result->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
}

halo_status shell_run(const shell_job *job, shell_result *result)
{
    child c = {
        .job = job, .result = result, .handle = -1, .begun = halo_seconds(), .status = HALO_OK};
    *result = (shell_result){.begun = now()};
    signal(SIGCHLD, SIG_DFL); /* or nothing would be left to wait for */
    int error = 0;
    halo_status started = job_start(job, &c.process, c.from, &error);
    if (started == HALO_MEMORY) {
        return started;
    }
    if (started == HALO_OK) {
        follow(&c);
    } else {
        result->exit = SHELL_UNKNOWN;
        result->reason = SHELL_UNSTARTED;
        result->error = error;
    }
    result->seconds = halo_seconds() - c.begun;
    return c.status;
}
