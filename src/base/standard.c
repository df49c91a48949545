#define _POSIX_C_SOURCE 200809L
#include "base/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Data go to this descriptor once standard output is claimed: the process has one, and so has this
 * file. */
static int data_output = -1;

bool halo_is_standard(const char *path)
{
    return path[0] == '-' && (path[1] == '\0' || (path[1] == '.' && strchr(path, '/') == NULL));
}

/* As there is one command line. */
static const char *arguments_file;

void halo_standard_set_arguments(const char *path)
{
    arguments_file = path;
}

const char *halo_standard_arguments(void)
{
    return arguments_file;
}

void halo_standard_hold(void)
{
    int opened;
    do { /* the lowest number that is free: one that can only be used the wrong way round */
        bool input = fcntl(STDIN_FILENO, F_GETFD) < 0;
        opened = open("/dev/null", (input ? O_WRONLY : O_RDONLY) | O_NOCTTY);
    } while (opened >= 0 && opened <= STDERR_FILENO);
    if (opened > STDERR_FILENO) {
        close(opened);
    }
}

halo_status halo_standard_input_check(void)
{
    return getenv("PMI_FD") == NULL
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "standard input cannot be read under mpiexec, which ends the job when "
                           "data come faster than they are read; start the program without "
                           "mpiexec, and it computes on all cores of this machine, or name a file");
}

halo_status halo_standard_output_claim(void)
{
    if (data_output >= 0) {
        return HALO_OK;
    }
    fflush(stdout);
    data_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (data_output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return halo_fail(HALO_FILE, "standard output cannot be used for data: %s; name a file",
                         strerror(errno));
    }
    return HALO_OK;
}

int halo_standard_output(void)
{
    return data_output;
}

/* Whoever else has it open may have made it one that does not wait. */
static bool may_go_on(void)
{
    struct pollfd room = {.fd = data_output, .events = POLLOUT};
    return errno == EINTR || (errno == EAGAIN && poll(&room, 1, -1) >= 0);
}

halo_status halo_standard_output_write(const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t written = write(data_output, at, bytes);
        if (written < 0 && !may_go_on()) {
            return halo_fail(HALO_FILE, "cannot write to standard output: %s; write to a file",
                             strerror(errno));
        }
        at += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
    return HALO_OK;
}
