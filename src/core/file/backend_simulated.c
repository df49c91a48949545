#include "core/file/backend.h"

#include "core/file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* What backend.c does, on simulated machines: writing costs no virtual time. */

halo_file_backend halo_file_backend_none(const char *path)
{
    return (halo_file_backend){.path = path, .handle = -1};
}

halo_status halo_file_backend_open(halo_file_backend *backend, const char *name)
{
    backend->handle = open(name, O_WRONLY | O_CLOEXEC);
    return backend->handle >= 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

halo_status halo_file_backend_write(halo_file_backend *backend, int64_t offset, const void *data,
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

halo_status halo_file_backend_flush(halo_file_backend *backend)
{
    return fsync(backend->handle) == 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

halo_status halo_file_backend_close(halo_file_backend *backend)
{
    int handle = backend->handle;
    backend->handle = -1;
    return handle < 0 || close(handle) == 0 ? HALO_OK : halo_atomic_fail(backend->path, errno);
}

void halo_file_backend_abandon(halo_file_backend *backend)
{
    if (backend->handle >= 0) {
        close(backend->handle);
        backend->handle = -1;
    }
}
