#include "core/file/backend.h"

#include "core/file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* What disk.c does, on simulated machines: writing costs no virtual time. */

halo_disk halo_disk_none(const char *path)
{
    return (halo_disk){.path = path, .handle = -1};
}

halo_status halo_disk_open(halo_disk *disk, const char *name, bool create)
{
    disk->handle = open(name, O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0666);
    return disk->handle >= 0 ? HALO_OK : halo_partial_fail(disk->path, errno);
}

halo_status halo_disk_write(halo_disk *disk, int64_t offset, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = pwrite(disk->handle, (const char *)data + done, bytes - done,
                                 (off_t)(offset + (int64_t)done));
        if (written <= 0) {
            return halo_partial_fail(disk->path, written < 0 ? errno : ENOSPC);
        }
        done += (size_t)written;
    }
    return HALO_OK;
}

halo_status halo_disk_flush(halo_disk *disk)
{
    return fsync(disk->handle) == 0 ? HALO_OK : halo_partial_fail(disk->path, errno);
}

halo_status halo_disk_close(halo_disk *disk)
{
    int handle = disk->handle;
    disk->handle = -1;
    return handle < 0 || close(handle) == 0 ? HALO_OK : halo_partial_fail(disk->path, errno);
}

void halo_disk_abandon(halo_disk *disk)
{
    if (disk->handle >= 0) {
        close(disk->handle);
        disk->handle = -1;
    }
}
