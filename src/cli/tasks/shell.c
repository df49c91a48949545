#define _GNU_SOURCE /* pipe2, vfork */
#include "cli/tasks/shell.h"

#include "core/world/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OUT, ERROR, PIPES, ENDS = 2 };
enum { UNKNOWN = 127 }; /* the status of a job that could not be run, or not be waited for */

typedef struct {
    pid_t process;
    int from[PIPES]; /* -1: at its end */
    halo_buffer text[PIPES];
    double ends, kills; /* when it is asked to end; when it is killed; 0: never */
} child;

/* ---- starting -------------------------------------------------------------------------------- */

/* A program of MPI would speak to this job's launcher, and end with it. */
static bool is_launchers(const char *variable)
{
    static const char *const begins[] = {"PMI",    "PMIX_", "OMPI_", "PRTE_",
                                         "HYDRA_", "HYDI_", "MPIR_", "MPI_LOCAL"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (strncmp(variable, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

static halo_status make_environment(char ***out)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    HALO_TRY(HALO_ALLOCATE(*out, count + 1, "the environment of a job"));
    for (size_t i = 0; i < count; i++) {
        if (!is_launchers(environ[i])) {
            (*out)[kept++] = environ[i];
        }
    }
    return HALO_OK;
}

/* In the child, which shares the parent's memory until it has become the shell. */
static _Noreturn void become_shell(const char *command, const int ends[PIPES][ENDS],
                                   char *const *environment)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(ends[OUT][1], STDOUT_FILENO) >= 0 && dup2(ends[ERROR][1], STDERR_FILENO) >= 0) {
        execve("/bin/sh", words, environment);
    }
    _exit(UNKNOWN);
}

/* By itself, so that nothing is changed behind the back of who calls it. */
static pid_t __attribute__((noinline))
fork_shell(const char *command, const int ends[PIPES][ENDS], char *const *environment)
{
    pid_t process = vfork();
    if (process == 0) {
        become_shell(command, ends, environment);
    }
    return process;
}

static halo_status start(child *c, const char *command)
{
    int ends[PIPES][ENDS] = {{-1, -1}, {-1, -1}};
    char **environment = NULL;
    halo_status status = make_environment(&environment);
    if (status == HALO_OK &&
        (pipe2(ends[OUT], O_CLOEXEC) != 0 || pipe2(ends[ERROR], O_CLOEXEC) != 0)) {
        status = halo_fail(HALO_FILE, "a job cannot be started: %s", strerror(errno));
    }
    if (status == HALO_OK) {
        c->process = fork_shell(command, (const int(*)[ENDS])ends, environment);
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
    free(environment);
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

/* Asks all of its processes to end, and two seconds later ends them. */
static void end_if_due(child *c, bool now)
{
    static const double grace = 2;
    double seconds = halo_seconds();
    if (c->kills <= 0 && (now || (c->ends > 0 && seconds >= c->ends))) {
        kill(-c->process, SIGTERM);
        c->kills = seconds + grace;
    } else if (c->kills > 0 && seconds >= c->kills) {
        kill(-c->process, SIGKILL);
    }
}

/* Both are read until they end: processes that it has left behind may still write. */
static halo_status read_all(child *c, const atomic_bool *stop)
{
    enum { LOOK_MILLISECONDS = 100 };
    static const double patience = 2; /* after SIGKILL: what is left is in another group */
    halo_status status = HALO_OK;
    while ((c->from[OUT] >= 0 || c->from[ERROR] >= 0) &&
           (c->kills <= 0 || halo_seconds() < c->kills + patience)) {
        struct pollfd watched[PIPES] = {{.fd = c->from[OUT], .events = POLLIN},
                                        {.fd = c->from[ERROR], .events = POLLIN}};
        poll(watched, PIPES, LOOK_MILLISECONDS);
        end_if_due(c, *stop || status != HALO_OK);
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

/* It may have closed both and go on. */
static int wait_for(child *c, const atomic_bool *stop)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    int status = 0;
    pid_t ended = 0;
    if (c->ends <= 0 && c->kills <= 0 && !*stop) {
        while ((ended = waitpid(c->process, &status, 0)) < 0 && errno == EINTR) {
        }
    }
    while (ended == 0 && (ended = waitpid(c->process, &status, WNOHANG)) == 0) {
        end_if_due(c, *stop);
        nanosleep(&pause, NULL);
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
                      shell_result *result, halo_buffer *written)
{
    child c = {.from = {-1, -1}};
    double begun = halo_seconds();
    *result = (shell_result){.begun = now()};
    signal(SIGCHLD, SIG_DFL); /* or nothing would be left to wait for */
    HALO_TRY(start(&c, command));
    c.ends = limit > 0 ? begun + limit : 0;
    halo_status status = read_all(&c, stop);
    int ended = wait_for(&c, stop);
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
