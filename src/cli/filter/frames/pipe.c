#define _GNU_SOURCE /* tee */
#include "cli/filter/frames/frames.h"

#include "app/ranks/signals.h"
#include "base/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard input and output as pipes of frames. */

enum { LOOK_MS = 100, PATIENCE = 10 /* looks */ };

/* ---- looking at the first bytes -------------------------------------------------------------- */

/* Copies what a pipe begins with into another one, from which it is read. */
static ssize_t look_into_pipe(unsigned char *bytes, size_t count)
{
    int copy[2];
    ssize_t got = -1;
    if (pipe2(copy, O_CLOEXEC) != 0) {
        return -1;
    }
    do {
        got = tee(STDIN_FILENO, copy[1], count, 0);
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
        got = read(copy[0], bytes, (size_t)got);
    }
    close(copy[0]);
    close(copy[1]);
    return got;
}

static ssize_t look(unsigned char *bytes, size_t count)
{
    struct stat about;
    if (fstat(STDIN_FILENO, &about) != 0) {
        return -1;
    }
    if (S_ISREG(about.st_mode)) {
        return pread(STDIN_FILENO, bytes, count, lseek(STDIN_FILENO, 0, SEEK_CUR));
    }
    return S_ISSOCK(about.st_mode)   ? recv(STDIN_FILENO, bytes, count, MSG_PEEK | MSG_WAITALL)
           : S_ISFIFO(about.st_mode) ? look_into_pipe(bytes, count)
                                     : -1;
}

/* A writer may have written less than that so far: more is waited for. */
static ssize_t look_at_all(unsigned char *bytes, size_t count)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    ssize_t before = -1, got = look(bytes, count);
    for (int i = 0; i < LOOK_MS && got > 0 && got < (ssize_t)count; i++) {
        i = got > before ? 0 : i;
        before = got;
        nanosleep(&pause, NULL);
        got = look(bytes, count);
    }
    return got;
}

bool frames_are_at_input(const halo_image_raw *raw)
{
    unsigned char bytes[HALO_FRAMES_SNIFF];
    halo_frames_format format;
    if (raw->width > 0) {
        return raw->planes == 0;
    }
    ssize_t got = look_at_all(bytes, sizeof bytes);
    return got > 0 && halo_frames_sniff(bytes, (size_t)got, &format);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Waits until there is something; false after a signal. */
static bool wait_for_input(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (halo_signals_pending() == 0) {
        if (poll(&input, 1, LOOK_MS) > 0) {
            return true;
        }
    }
    return false;
}

halo_status frames_take(void *context, void *into, size_t bytes, size_t *got)
{
    frames_run *frames = context;
    ssize_t count = 0;
    *got = 0;
    do {
        frames->stopped = frames->stopped || !wait_for_input();
        count = frames->stopped ? 0 : read(STDIN_FILENO, into, bytes);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    HALO_FAIL_IF(count < 0, HALO_FILE, "cannot read standard input: %s", strerror(errno));
    *got = (size_t)count;
    return HALO_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A stopped run does not wait for a reader that takes nothing. */
static halo_status wait_for_reader(void)
{
    struct pollfd output = {.fd = halo_standard_output(), .events = POLLOUT};
    for (int looks = 0; poll(&output, 1, LOOK_MS) <= 0;) {
        looks += halo_signals_pending() != 0;
        HALO_FAIL_IF(looks > PATIENCE, HALO_FILE,
                     "stopped by a signal while the reader of standard output took nothing: the "
                     "last frame is incomplete");
    }
    return HALO_OK;
}

/* The reader has gone. Other programs are ended by the signal, which this one ignores elsewhere. */
static halo_status end_by_sigpipe(void)
{
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &pipes, NULL);
    raise(SIGPIPE);
    return halo_fail(HALO_FILE, "cannot write to standard output: %s", strerror(EPIPE));
}

/* Pieces of this size never wait once there is room for one. */
enum { PIECE = 4096 };

halo_status frames_put(void *context, const void *data, size_t bytes)
{
    const char *at = data;
    (void)context;
    while (bytes > 0) {
        HALO_TRY(wait_for_reader());
        ssize_t written = write(halo_standard_output(), at, bytes < PIECE ? bytes : PIECE);
        if (written < 0 && errno == EPIPE) {
            return end_by_sigpipe();
        }
        HALO_FAIL_IF(written < 0 && errno != EINTR && errno != EAGAIN, HALO_FILE,
                     "cannot write to standard output: %s", strerror(errno));
        at += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
    return HALO_OK;
}
