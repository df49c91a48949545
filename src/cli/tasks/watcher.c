#define _GNU_SOURCE /* pipe2, MAP_ANONYMOUS, syscall */
#include "cli/tasks/watcher.h"

#include "base/memory.h"
#include "cli/tasks/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shell_watcher {
    atomic_int *group; /* in memory that both processes have */
    int alive;         /* the end of a pipe that closes when the rank ends */
    pid_t process;
};
_Static_assert(sizeof(pid_t) == sizeof(int), "a process has the number of an int");

/* ---- process groups -------------------------------------------------------------------------- */

void shell_group_ask(pid_t group)
{
    kill(-group, SIGTERM);
    kill(-group, SIGCONT);
}

void shell_group_kill(pid_t group)
{
    kill(-group, SIGKILL);
}

void shell_group_outlast(pid_t group, double seconds)
{
    static const struct timespec pause = {.tv_nsec = 10000000};
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    double passed = 0;
    while (kill(-group, 0) == 0 && passed < seconds) {
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
    }
    shell_group_kill(group);
}

/* ---- the process that watches ---------------------------------------------------------------- */

/* The launcher waits until everybody has closed what a rank writes to, and MPI's own sockets tell
 * it that a rank has ended: none of them may stay open here. */
static void close_files(int kept)
{
    enum { MOST = 1 << 16 };
    if (dup2(kept, 0) != 0) {
        _exit(1);
    }
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 1U, UINT_MAX, 0U) == 0) {
        return;
    }
#endif
    for (int file = 1; file < MOST; file++) {
        close(file);
    }
}

/* Only what is allowed behind a fork of a process that has threads. */
static _Noreturn void watch(const atomic_int *group, int rank_lives)
{
    char nothing;
    ssize_t bytes;
    setsid(); /* neither the terminal's signals nor those for the rank's group are for this one */
    signal(SIGTERM, SIG_IGN);
    close_files(rank_lives);
    while ((bytes = read(0, &nothing, 1)) > 0 || (bytes < 0 && errno == EINTR)) {
    }
    pid_t left = atomic_load(group);
    if (left > 0) {
        shell_group_ask(left);
        shell_group_outlast(left, SHELL_GRACE_SECONDS);
    }
    _exit(0);
}

/* ---- for the rank ---------------------------------------------------------------------------- */

static halo_status start(shell_watcher *watcher)
{
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return halo_fail(HALO_FILE, "jobs cannot be watched: %s", strerror(errno));
    }
    watcher->alive = ends[1];
    watcher->process = fork();
    if (watcher->process == 0) {
        close(ends[1]);
        watch(watcher->group, ends[0]);
    }
    int reason = errno;
    close(ends[0]);
    return watcher->process > 0
               ? HALO_OK
               : halo_fail(HALO_FILE, "jobs cannot be watched: %s", strerror(reason));
}

halo_status shell_watcher_create(shell_watcher **out)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "what watches jobs"));
    shell_watcher *watcher = *out;
    watcher->alive = watcher->process = -1;
    watcher->group = mmap(NULL, sizeof *watcher->group, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (watcher->group == MAP_FAILED) {
        watcher->group = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: what watches jobs");
    }
    return start(watcher);
}

void shell_watcher_destroy(shell_watcher **out)
{
    shell_watcher *watcher = *out;
    if (watcher == NULL) {
        return;
    }
    if (watcher->alive >= 0) {
        close(watcher->alive);
    }
    while (watcher->process > 0 && waitpid(watcher->process, NULL, 0) < 0 && errno == EINTR) {
    }
    if (watcher->group != NULL) {
        munmap(watcher->group, sizeof *watcher->group);
    }
    free(watcher);
    *out = NULL;
}

void shell_watcher_note(shell_watcher *watcher, pid_t group)
{
    if (watcher != NULL) {
        atomic_store(watcher->group, group);
    }
}
