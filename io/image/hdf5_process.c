#define _GNU_SOURCE /* memfd_create, F_ADD_SEALS */
#include "io/image/hdf5_process.h"

#include "base/memory.h"
#include "base/program_path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_BYTES = 4096, NOT_STARTED = 127 };

struct hdf5_process {
    const char *path;
    pid_t process; /* 0: it has ended */
    int socket, memory;
    unsigned char *window;
    size_t window_bytes;
};

/* ---- starting -------------------------------------------------------------------------------- */

/* A copy of a descriptor above those of the helper, so that none of these is overwritten before it
 * is copied. */
static int lift(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, HDF5_DESCRIPTORS);
}

static int set_descriptors(posix_spawn_file_actions_t *actions, const int own[HDF5_DESCRIPTORS])
{
    int reason = 0;
    for (int i = 0; reason == 0 && i < HDF5_SOCKET; i++) {
        reason = posix_spawn_file_actions_addopen(actions, i, "/dev/null", O_RDWR, 0);
    }
    for (int i = HDF5_SOCKET; reason == 0 && i < HDF5_DESCRIPTORS; i++) {
        reason = posix_spawn_file_actions_adddup2(actions, own[i], i);
    }
    return reason;
}

/* Signals that a terminal sends to our process group are ours to handle; what is blocked or ignored
 * here is not there. */
static int set_apart(posix_spawnattr_t *attributes)
{
    const short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int reason = posix_spawnattr_setpgroup(attributes, 0);
    reason = reason == 0 ? posix_spawnattr_setsigmask(attributes, &none) : reason;
    reason = reason == 0 ? posix_spawnattr_setsigdefault(attributes, &all) : reason;
    return reason == 0 ? posix_spawnattr_setflags(attributes, flags) : reason;
}

/* 0 or the system's reason. */
static int spawn(hdf5_process *process, const char *program, const int own[HDF5_DESCRIPTORS])
{
    char name[] = HDF5_HELPER;
    char *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0) {
        return reason;
    }
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = set_descriptors(&actions, own);
        reason = reason == 0 ? set_apart(&attributes) : reason;
        if (reason == 0) {
            reason =
                posix_spawn(&process->process, program, &actions, &attributes, arguments, environ);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static void close_all(int *descriptors, int count)
{
    for (int i = 0; i < count; i++) {
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
        }
    }
}

static halo_status fail_start(const hdf5_process *process, int reason)
{
    bool memory = reason == ENOMEM || reason == EAGAIN;
    return halo_fail(memory ? HALO_MEMORY : HALO_FILE,
                     "%s: the process that reads HDF5 files cannot be started: %s", process->path,
                     strerror(reason));
}

static halo_status start(hdf5_process *process, int file)
{
    char program[PATH_BYTES];
    int ends[2] = {-1, -1}, own[HDF5_DESCRIPTORS] = {-1, -1, -1, -1, -1, -1};
    if (halo_program_path(HDF5_HELPER, program, sizeof program) != HALO_OK) {
        return halo_fail(HALO_FILE, "%s: %s", process->path, halo_last_message());
    }
    process->memory = memfd_create("halobeat-hdf5", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool well =
        process->memory >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
    int reason = errno;
    if (well) {
        process->socket = ends[0];
        own[HDF5_SOCKET] = lift(ends[1]);
        own[HDF5_FILE] = lift(file);
        own[HDF5_WINDOW] = lift(process->memory);
        reason = errno;
        well = own[HDF5_SOCKET] >= 0 && own[HDF5_FILE] >= 0 && own[HDF5_WINDOW] >= 0;
        reason = well ? spawn(process, program, own) : reason;
        close(ends[1]);
        close_all(own, HDF5_DESCRIPTORS);
    }
    return well && reason == 0 ? HALO_OK : fail_start(process, reason);
}

halo_status halo_hdf5_start(hdf5_process **out, const char *path, int file)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a process that reads HDF5"));
    **out = (hdf5_process){.path = path, .socket = -1, .memory = -1};
    halo_status status = start(*out, file);
    if (status != HALO_OK) {
        (*out)->process = 0;
        halo_hdf5_end(out);
    }
    return status;
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* Returns how it ended, or -1 if that is not known: somebody else has waited for it. */
static int reap(hdf5_process *process)
{
    int result = -1;
    kill(process->process, SIGKILL); /* of no effect on the result of one that has ended */
    while (waitpid(process->process, &result, 0) < 0 && errno == EINTR) {
    }
    process->process = 0;
    return result;
}

void halo_hdf5_end(hdf5_process **process)
{
    hdf5_process *done = *process;
    *process = NULL;
    if (done == NULL) {
        return;
    }
    if (done->process > 0) {
        reap(done);
    }
    if (done->window != NULL) {
        munmap(done->window, done->window_bytes);
    }
    close_all((int[]){done->socket, done->memory}, 2);
    free(done);
}

static halo_status fail_signal(const char *path, int number)
{
    if (number == SIGKILL) {
        return halo_fail(HALO_MEMORY,
                         "%s: the process that reads HDF5 was killed, perhaps for want of memory; "
                         "free some, or copy the file with h5repack -l CHUNK=16x256x256",
                         path);
    }
    return number == SIGXCPU
               ? halo_fail(HALO_FORMAT,
                           "%s: libhdf5 came to nothing in %d seconds; the file is damaged: copy "
                           "or make it again",
                           path, HDF5_SECONDS)
               : halo_fail(HALO_FORMAT,
                           "%s: libhdf5 crashed on it (signal %d, %s); the file is damaged, or the "
                           "library is: copy or make the file again, or save the data set as .npy",
                           path, number, strsignal(number));
}

static halo_status fail_ended(hdf5_process *process)
{
    int result = process->process > 0 ? reap(process) : -1;
    if (result != -1 && WIFSIGNALED(result)) {
        return fail_signal(process->path, WTERMSIG(result));
    }
    if (result != -1 && WIFEXITED(result) && WEXITSTATUS(result) == NOT_STARTED) {
        return halo_fail(
            HALO_FORMAT,
            "%s: HDF5 files need libhdf5, of the version that halobeat was built "
            "with, which is not on this machine; install it (Debian: libhdf5-103-1), or save "
            "the data set as .npy",
            process->path);
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the process that reads HDF5 has ended; the file is damaged: copy or make "
                     "it again",
                     process->path);
}

/* ---- requests -------------------------------------------------------------------------------- */

static bool send_request(const hdf5_process *process, const hdf5_request *request)
{
    ssize_t sent;
    do {
        sent = send(process->socket, request, sizeof *request, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *request;
}

/* Bytes of the reply; 0: the process has ended. */
static size_t receive(const hdf5_process *process, hdf5_reply *reply)
{
    ssize_t got;
    do {
        got = recv(process->socket, reply, sizeof *reply, 0);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

static void end_texts(hdf5_what what, hdf5_reply *reply)
{
    hdf5_description *about = &reply->description;
    reply->sentence[HDF5_SENTENCE - 1] = '\0';
    if (what == HDF5_ATTRIBUTE || what == HDF5_FILE_NAME) {
        reply->attribute.text[HDF5_LONG_TEXT - 1] = '\0';
    } else {
        about->name[HDF5_NAME - 1] = about->type_text[HDF5_WORD - 1] =
            about->shape_text[HDF5_WORD - 1] = '\0';
    }
}

halo_status halo_hdf5_ask(hdf5_process *process, hdf5_request *request, hdf5_reply *reply)
{
    request->window = process->window_bytes;
    bool sent = process->process != 0 && send_request(process, request);
    size_t got = sent ? receive(process, reply) : 0;
    if (got == 0) {
        return fail_ended(process);
    }
    if (got != sizeof *reply) {
        reap(process);
        return halo_fail(HALO_FORMAT,
                         "%s: the process that reads HDF5 did not answer as it should; install "
                         "halobeat whole, or copy or make the file again",
                         process->path);
    }
    end_texts((hdf5_what)request->what, reply);
    if (reply->status == HALO_OK) {
        return HALO_OK;
    }
    bool known = reply->status == HALO_MEMORY || reply->status == HALO_FILE;
    return halo_fail(known ? (halo_status)reply->status : HALO_FORMAT, "%s: %s", process->path,
                     reply->sentence);
}

/* ---- the window ------------------------------------------------------------------------------ */

/* The size is sealed: a page that were cut off would end this process. Memory is taken now, for the
 * same reason. */
halo_status halo_hdf5_window(hdf5_process *process, size_t bytes, const unsigned char **window)
{
    if (process->window == NULL) {
        int reason = posix_fallocate(process->memory, 0, (off_t)bytes);
        void *at = MAP_FAILED;
        if (reason == 0 &&
            fcntl(process->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
            at = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, process->memory, 0);
        }
        if (at == MAP_FAILED) {
            return halo_fail(HALO_MEMORY,
                             "%s: %zu bytes of memory for chunks of an HDF5 file cannot be had: %s",
                             process->path, bytes, strerror(reason != 0 ? reason : errno));
        }
        process->window = at;
        process->window_bytes = bytes;
    }
    *window = process->window;
    return HALO_OK;
}
