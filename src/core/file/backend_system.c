#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, O_NOFOLLOW, pwrite */
#include "core/file/backend.h"

#include "core/file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static halo_status open_file(halo_file_backend *backend, const char *name)
{
    backend->handle = open(name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    return backend->handle >= 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

static halo_status write_file(halo_file_backend *backend, int64_t offset, const void *data,
                              size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = pwrite(backend->handle, (const char *)data + done, bytes - done,
                                 (off_t)(offset + (int64_t)done));
        if (written <= 0) {
            return halo_atomic_fail(backend->path, written < 0 ? errno : ENOSPC);
        }
        done += (size_t)written;
    }
    return HALO_OK;
}

static halo_status flush_file(halo_file_backend *backend)
{
    return fsync(backend->handle) == 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

static halo_status close_file(halo_file_backend *backend)
{
    int handle = backend->handle;
    backend->handle = -1;
    return handle < 0 || close(handle) == 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

static void abandon_file(halo_file_backend *backend)
{
    if (backend->handle >= 0) {
        close(backend->handle);
        backend->handle = -1;
    }
}

const halo_file_calls halo_file_of_system = {.open = open_file,
                                             .write = write_file,
                                             .flush = flush_file,
                                             .close = close_file,
                                             .abandon = abandon_file};
