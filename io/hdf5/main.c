#define _GNU_SOURCE /* O_ASYNC, syscall */
#include "io/hdf5/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* halobeat-hdf5: reads one HDF5 file for a reader of libhalobeat-image, which starts it with the
 * descriptors of protocol.h, and ends it. */

/* ---- its life -------------------------------------------------------------------------------- */

/* The reader has gone, perhaps without a word: so does this process, whatever the library does. */
static void end_with_reader(int signal)
{
    struct pollfd reader = {.fd = HDF5_SOCKET, .events = POLLIN};
    int reason = errno;
    (void)signal;
    if (poll(&reader, 1, 0) > 0 && (reader.revents & (POLLHUP | POLLERR)) != 0) {
        _exit(0);
    }
    errno = reason;
}

/* By a signal when something happens to the socket. PR_SET_PDEATHSIG would kill this process when
 * the thread ends that has started it. */
static bool watch_reader(void)
{
    struct sigaction action = {.sa_handler = end_with_reader, .sa_flags = SA_RESTART};
    return sigaction(SIGIO, &action, NULL) == 0 && fcntl(HDF5_SOCKET, F_SETOWN, getpid()) == 0 &&
           fcntl(HDF5_SOCKET, F_SETFL, fcntl(HDF5_SOCKET, F_GETFL) | O_ASYNC) == 0;
}

static bool has_reader(void)
{
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(HDF5_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
           type == SOCK_SEQPACKET;
}

static void begin(void)
{
#ifdef SYS_close_range
    syscall(SYS_close_range, (unsigned)HDF5_DESCRIPTORS, ~0U, 0U);
#endif
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* many network file systems have no locks */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hdf5_limits_begin();
}

/* ---- requests -------------------------------------------------------------------------------- */

static halo_status answer_open(hdf5_helper *helper, const hdf5_request *request, hdf5_reply *reply)
{
    helper->follows = request->follows != 0;
    halo_status status = hdf5_open(helper, request->path);
    reply->description = helper->about;
    return status;
}

static halo_status answer_attribute(hdf5_helper *helper, const hdf5_request *request,
                                    hdf5_reply *reply)
{
    return hdf5_read_attribute(helper, request->path, request->name, &reply->attribute);
}

static halo_status answer_dimension(hdf5_helper *helper, const hdf5_request *request,
                                    hdf5_reply *reply)
{
    return hdf5_read_dimension(helper, request->start[0], &reply->attribute);
}

static halo_status answer_file_name(hdf5_helper *helper, const hdf5_request *request,
                                    hdf5_reply *reply)
{
    return hdf5_file_name(helper, request->start[0], &reply->attribute);
}

static halo_status map_window(hdf5_helper *helper, size_t bytes)
{
    if (helper->window != NULL) {
        return HALO_OK;
    }
    hdf5_limits_allow(bytes);
    void *window =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, HDF5_WINDOW, 0);
    if (window == MAP_FAILED) {
        return halo_fail(HALO_MEMORY, "%zu bytes of shared memory cannot be mapped: %s", bytes,
                         strerror(errno));
    }
    helper->window = window;
    helper->window_bytes = bytes;
    return HALO_OK;
}

static halo_status answer_box(hdf5_helper *helper, const hdf5_request *request, hdf5_reply *reply)
{
    (void)reply;
    HALO_TRY(map_window(helper, request->window));
    HALO_TRY(hdf5_read_box(helper, request));
    return hdf5_check_read(helper);
}

static void answer(hdf5_helper *helper, const hdf5_request *request, hdf5_reply *reply)
{
    static halo_status (*const answers[])(hdf5_helper *, const hdf5_request *,
                                          hdf5_reply *) = {[HDF5_OPEN] = answer_open,
                                                           [HDF5_ATTRIBUTE] = answer_attribute,
                                                           [HDF5_BOX] = answer_box,
                                                           [HDF5_DIMENSION] = answer_dimension,
                                                           [HDF5_FILE_NAME] = answer_file_name};
    hdf5_limits_progress(0);
    halo_status status = answers[request->what](helper, request, reply);
    reply->status = (int32_t)status;
    if (status != HALO_OK) {
        snprintf(reply->sentence, sizeof reply->sentence, "%s", halo_last_message());
    }
}

static bool receive(hdf5_request *request)
{
    ssize_t got;
    do {
        got = recv(HDF5_SOCKET, request, sizeof *request, 0);
    } while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *request && request->what >= 0 && request->what < HDF5_REQUESTS;
}

static bool reply_with(const hdf5_reply *reply)
{
    ssize_t sent;
    do {
        sent = send(HDF5_SOCKET, reply, sizeof *reply, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *reply;
}

int main(void)
{
    static hdf5_helper helper = {.file = -1, .set = -1, .access = -1};
    static hdf5_request request;
    static hdf5_reply reply;
    if (!has_reader()) {
        fprintf(stderr, HDF5_HELPER ": started by halobeat, to read HDF5 files; use that\n");
        return 2;
    }
    begin();
    bool going = watch_reader();
    while (going && receive(&request)) {
        memset(&reply, 0, sizeof reply);
        answer(&helper, &request, &reply);
        going = reply_with(&reply);
    }
    _exit(0); /* nothing is to be saved; and a damaged library is not to be asked to tidy up */
}
