#define _POSIX_C_SOURCE 200809L /* pread */
#include "base/read_at.h"

#include <errno.h>
#include <unistd.h>

int64_t halo_read_at(int file, void *out, size_t bytes, int64_t at)
{
    size_t done = 0;
    for (ssize_t got = 1; got != 0 && done < bytes;) {
        got = pread(file, (char *)out + done, bytes - done, (off_t)(at + (int64_t)done));
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return (int64_t)done;
}
