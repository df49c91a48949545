#define _GNU_SOURCE /* MAP_ANONYMOUS, accept4's flags */
#include "cli/tasks/process.h"

#include "base/memory.h"
#include "cli/tasks/shell.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct shell_watcher {
    atomic_int *groups; /* [slots], in memory that both processes have */
    int slots;
    int alive; /* the end of a pair of sockets that closes when the rank ends */
    pid_t process;
    atomic_bool adopted; /* was it given pipes? */
};
_Static_assert(sizeof(pid_t) == sizeof(int), "a process has the number of an int");

/* ---- handing over a pipe --------------------------------------------------------------------- */

/* Room for one descriptor beside a message of one byte. */
typedef union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr head;
} descriptor_room;

static struct msghdr message_of(struct iovec *byte, descriptor_room *room)
{
    return (struct msghdr){.msg_iov = byte,
                           .msg_iovlen = 1,
                           .msg_control = room->bytes,
                           .msg_controllen = sizeof room->bytes};
}

void shell_watcher_adopt(shell_watcher *watcher, int pipe)
{
    if (watcher == NULL) {
        return;
    }
    char byte = 0;
    descriptor_room room;
    memset(&room, 0, sizeof room);
    struct iovec text = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = message_of(&text, &room);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof pipe);
    memcpy(CMSG_DATA(head), &pipe, sizeof pipe);
    atomic_store(&watcher->adopted, true);
    while (sendmsg(watcher->alive, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

/* -1: it is no pipe that has come. *ended: nobody is at the other end. */
static int receive_pipe(int from, bool *ended)
{
    char byte;
    int pipe = -1;
    descriptor_room room;
    struct iovec text = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = message_of(&text, &room);
    ssize_t bytes = recvmsg(from, &message, 0);
    *ended = bytes == 0 || (bytes < 0 && errno != EINTR);
    struct cmsghdr *head = bytes > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head != NULL && head->cmsg_type == SCM_RIGHTS) {
        memcpy(&pipe, CMSG_DATA(head), sizeof pipe);
    }
    return pipe;
}

/* ---- the process that watches ---------------------------------------------------------------- */

/* The first one is the rank's socket, -1 when the rank has ended; the others are pipes. */
enum { MOST_WATCHED = 512 };
typedef struct {
    struct pollfd at[MOST_WATCHED];
    nfds_t count;
} watched;

static void end_jobs(atomic_int *groups, int slots)
{
    for (int i = 0; i < slots; i++) {
        if (atomic_load(&groups[i]) > 0) {
            process_group_ask(atomic_load(&groups[i]));
        }
    }
    double grace = SHELL_GRACE_SECONDS; /* the first one is waited for; then all others had it */
    for (int i = 0; i < slots; i++) {
        if (atomic_load(&groups[i]) > 0) {
            bool lives = process_group_lives(atomic_load(&groups[i]));
            process_group_outlast(atomic_load(&groups[i]), grace);
            grace = lives ? 0 : grace;
        }
    }
}

static void read_pipes(watched *all)
{
    enum { ROOM = 1 << 14 };
    char dropped[ROOM];
    for (nfds_t i = all->count; i-- > 1;) {
        if (all->at[i].revents != 0 && read(all->at[i].fd, dropped, sizeof dropped) <= 0) {
            close(all->at[i].fd);
            all->at[i] = all->at[--all->count];
        }
    }
}

/* Only what is allowed behind a fork of a process that has threads. The launcher waits until
 * everybody has closed what a rank writes to, and MPI's own sockets tell it that a rank has ended:
 * none of them may stay open here. */
static _Noreturn void watch(atomic_int *groups, int slots, int rank_lives)
{
    watched all = {.at = {{.fd = 0, .events = POLLIN}}, .count = 1};
    setsid(); /* neither the terminal's signals nor those for the rank's group are for this one */
    signal(SIGTERM, SIG_IGN);
    if (dup2(rank_lives, 0) != 0) {
        _exit(1);
    }
    process_close_from(1);
    if (send(0, &(char){0}, 1, MSG_NOSIGNAL) != 1) {
        _exit(1);
    }
    while (all.at[0].fd >= 0 || all.count > 1) {
        if (poll(all.at, all.count, -1) < 0) {
            continue;
        }
        read_pipes(&all);
        if (all.at[0].revents == 0) {
            continue;
        }
        bool ended;
        int pipe = receive_pipe(0, &ended);
        if (pipe >= 0 && all.count < MOST_WATCHED) {
            all.at[all.count++] = (struct pollfd){.fd = pipe, .events = POLLIN};
        } else if (pipe >= 0) {
            close(pipe);
        }
        if (ended) {
            end_jobs(groups, slots);
            all.at[0] = (struct pollfd){.fd = -1};
        }
    }
    _exit(0);
}

/* ---- for the rank ---------------------------------------------------------------------------- */

/* Until the process has left the rank's group, what ends all of that ends it, too: a job that began
 * before would stay. */
static bool is_ready(const shell_watcher *watcher)
{
    char byte;
    ssize_t bytes;
    do {
        bytes = recv(watcher->alive, &byte, 1, 0);
    } while (bytes < 0 && errno == EINTR);
    return bytes == 1;
}

static halo_status start(shell_watcher *watcher)
{
    int ends[2] = {-1, -1};
    HALO_FAIL_IF(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0, HALO_FILE,
                 "jobs cannot be watched: %s", strerror(errno));
    watcher->alive = ends[1];
    watcher->process = fork();
    if (watcher->process == 0) {
        close(ends[1]);
        watch(watcher->groups, watcher->slots, ends[0]);
    }
    int reason = errno;
    close(ends[0]);
    HALO_FAIL_IF(watcher->process < 0, HALO_FILE, "jobs cannot be watched: %s", strerror(reason));
    return HALO_REQUIRE(
        is_ready(watcher), HALO_FILE,
        "jobs cannot be watched: the process that watches them has ended; try again");
}

halo_status shell_watcher_create(shell_watcher **out, int slots)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "what watches jobs"));
    shell_watcher *watcher = *out;
    watcher->alive = watcher->process = -1;
    watcher->slots = slots;
    watcher->groups = mmap(NULL, sizeof *watcher->groups * (size_t)slots, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (watcher->groups == MAP_FAILED) {
        watcher->groups = NULL;
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
    while (watcher->process > 0 && !atomic_load(&watcher->adopted) &&
           waitpid(watcher->process, NULL, 0) < 0 && errno == EINTR) {
    }
    if (watcher->groups != NULL) {
        munmap(watcher->groups, sizeof *watcher->groups * (size_t)watcher->slots);
    }
    free(watcher);
    *out = NULL;
}

void shell_watcher_note(shell_watcher *watcher, int slot, pid_t group)
{
    if (watcher != NULL) {
        atomic_store(&watcher->groups[slot], group);
    }
}
