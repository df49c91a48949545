#define _GNU_SOURCE /* pipe2, vfork, syscall */
#include "cli/tasks/shell.h"

#include "cli/tasks/simple.h"
#include "core/world/clock.h"
#include "core/world/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUT, ERROR, PIPES, ENDS = 2 };
enum { LOOK_MILLISECONDS = 100 };
enum { UNKNOWN = 127 }; /* the status of a job that could not be run, or not be waited for */

typedef struct {
    const atomic_bool *stop;
    shell_watcher *watcher;
    pid_t process;
    int from[PIPES]; /* -1: at its end */
    halo_buffer text[PIPES];
    double ends, kills; /* when it is asked to end; when it is killed; 0: never */
} child;

typedef struct {
    const char *command;
    simple_command simple; /* the same, where no shell is needed */
    char **environment;
} start_plan;

/* ---- starting -------------------------------------------------------------------------------- */

static halo_status make_environment(char ***out)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    HALO_TRY(HALO_ALLOCATE(*out, count + 1, "the environment of a job"));
    for (size_t i = 0; i < count; i++) {
        /* A program of MPI would speak to this job's launcher, and end with it. */
        if (!halo_launcher_is_variable(environ[i])) {
            (*out)[kept++] = environ[i];
        }
    }
    return HALO_OK;
}

/* In the child, which shares the parent's memory until it has become another program: without a
 * shell where none is needed, unless there is no such program, as the shell will say. */
static _Noreturn void become_job(const start_plan *plan, const int ends[PIPES][ENDS],
                                 shell_watcher *watcher)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)plan->command, NULL};
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    shell_watcher_note(watcher, getpid()); /* here, where the parent cannot have ended unseen */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(ends[OUT][1], STDOUT_FILENO) >= 0 && dup2(ends[ERROR][1], STDERR_FILENO) >= 0) {
        if (plan->simple.words != NULL) {
            execvpe(plan->simple.words[0], plan->simple.words, plan->environment);
        }
        execve("/bin/sh", words, plan->environment);
    }
    _exit(UNKNOWN);
}

/* By itself, so that nothing is changed behind the back of who calls it. */
static pid_t __attribute__((noinline))
fork_job(const start_plan *plan, const int ends[PIPES][ENDS], shell_watcher *watcher)
{
    pid_t process = vfork();
    if (process == 0) {
        become_job(plan, ends, watcher);
    }
    return process;
}

static halo_status start(child *c, const char *command)
{
    int ends[PIPES][ENDS] = {{-1, -1}, {-1, -1}};
    start_plan plan = {.command = command};
    halo_status status = make_environment(&plan.environment);
    status = halo_status_first(status, simple_command_parse(&plan.simple, command));
    if (status == HALO_OK &&
        (pipe2(ends[OUT], O_CLOEXEC) != 0 || pipe2(ends[ERROR], O_CLOEXEC) != 0)) {
        status = halo_fail(HALO_FILE, "a job cannot be started: %s", strerror(errno));
    }
    if (status == HALO_OK) {
        c->process = fork_job(&plan, (const int(*)[ENDS])ends, c->watcher);
        if (c->process < 0) {
            status = halo_fail(HALO_FILE, "a job cannot be started: %s", strerror(errno));
        }
    }
    for (int i = 0; i < PIPES; i++) {
        c->from[i] = status == HALO_OK ? ends[i][0] : -1;
        for (int end = status == HALO_OK; end < ENDS; end++) {
            if (ends[i][end] >= 0) {
                close(ends[i][end]);
            }
        }
    }
    simple_command_free(&plan.simple);
    free(plan.environment);
    return status;
}

/* ---- until its end --------------------------------------------------------------------------- */

static halo_status read_some(child *c, int pipe)
{
    enum { PIECE = 1 << 16, MOST = 1 << 29 };
    halo_status status =
        c->text[pipe].size < MOST
            ? halo_buffer_reserve(&c->text[pipe], PIECE)
            : halo_fail(HALO_ARGUMENT, "it writes more than %d bytes; send that to a file", MOST);
    ssize_t bytes = -1;
    if (status == HALO_OK) {
        bytes = read(c->from[pipe], c->text[pipe].data + c->text[pipe].size, PIECE);
        c->text[pipe].size += bytes > 0 ? (size_t)bytes : 0;
    }
    if (bytes <= 0 && !(bytes < 0 && status == HALO_OK && errno == EINTR)) {
        close(c->from[pipe]);
        c->from[pipe] = -1;
    }
    return status;
}

/* Asks all of its processes to end, and later ends them. */
static void end_if_due(child *c, bool now)
{
    double seconds = halo_seconds();
    if (c->kills <= 0 && (now || *c->stop || (c->ends > 0 && seconds >= c->ends))) {
        shell_group_ask(c->process);
        c->kills = seconds + SHELL_GRACE_SECONDS;
    } else if (c->kills > 0 && seconds >= c->kills) {
        shell_group_kill(c->process);
    }
}

/* Both are read until they end: processes that it has left behind may still write. */
static halo_status read_all(child *c)
{
    static const double patience = 2; /* after SIGKILL: what is left is in another group */
    halo_status status = HALO_OK;
    while ((c->from[OUT] >= 0 || c->from[ERROR] >= 0) &&
           (c->kills <= 0 || halo_seconds() < c->kills + patience)) {
        struct pollfd watched[PIPES] = {{.fd = c->from[OUT], .events = POLLIN},
                                        {.fd = c->from[ERROR], .events = POLLIN}};
        poll(watched, PIPES, LOOK_MILLISECONDS);
        end_if_due(c, status != HALO_OK);
        for (int i = 0; i < PIPES; i++) {
            if (c->from[i] >= 0 && watched[i].revents != 0) {
                status = halo_status_first(status, read_some(c, i));
            }
        }
    }
    for (int i = 0; i < PIPES; i++) {
        if (c->from[i] >= 0) {
            close(c->from[i]);
        }
    }
    return status;
}

/* Leaves it to be waited for: as long as it is, its number is nobody else's. */
static bool has_ended(const child *c)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
           info.si_pid != 0;
}

/* It may have closed both pipes and go on: until it ends or has to be ended. */
static void outlast(child *c)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    int process = -1;
#ifdef SYS_pidfd_open
    process = has_ended(c) ? -1 : (int)syscall(SYS_pidfd_open, c->process, 0);
#endif
    while (!has_ended(c)) {
        struct pollfd watched = {.fd = process, .events = POLLIN};
        if (process >= 0) {
            poll(&watched, 1, LOOK_MILLISECONDS);
        } else {
            nanosleep(&pause, NULL);
        }
        end_if_due(c, false);
    }
    if (process >= 0) {
        close(process);
    }
}

static int reap(child *c)
{
    int status = 0;
    pid_t ended;
    outlast(c);
    if (c->kills <= 0) {
        shell_watcher_note(c->watcher, 0);
    }
    while ((ended = waitpid(c->process, &status, 0)) < 0 && errno == EINTR) {
    }
    if (c->kills > 0) { /* others of its group may have closed the pipes, and not listen */
        shell_group_outlast(c->process, c->kills - halo_seconds());
        shell_watcher_note(c->watcher, 0);
    }
    return ended > 0 ? status : UNKNOWN << 8; /* as of an exit */
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

halo_status shell_run(const char *command, double limit, const atomic_bool *stop,
                      shell_watcher *watcher, shell_result *result, halo_buffer *written)
{
    child c = {.stop = stop, .watcher = watcher, .from = {-1, -1}};
    double begun = halo_seconds();
    *result = (shell_result){.begun = now()};
    signal(SIGCHLD, SIG_DFL); /* or nothing would be left to wait for */
    HALO_TRY(start(&c, command));
    c.ends = limit > 0 ? begun + limit : 0;
    halo_status status = read_all(&c);
    int ended = reap(&c);
    result->seconds = halo_seconds() - begun;
    result->exit = WIFEXITED(ended) ? WEXITSTATUS(ended) : 0;
    result->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    result->timed_out = c.kills > 0 && !*stop;
    result->out_bytes = (uint32_t)c.text[OUT].size;
    for (int i = 0; i < PIPES; i++) {
        if (status == HALO_OK) {
            status = halo_buffer_append(written, c.text[i].data, c.text[i].size);
        }
        halo_buffer_free(&c.text[i]);
    }
    return status;
}
