#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
#include "core/transport/mpi/mpi_internal.h"

#include "core/file/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE };

/* MPI counts are ints; larger blocks are written in pieces. */
static const size_t PIECE = (size_t)1 << 30;

/* MPI's error classes for files, as the system names them. */
static const struct {
    int error_class;
    int reason;
} CLASSES[] = {
    {MPI_ERR_NO_SPACE, ENOSPC}, {MPI_ERR_QUOTA, EDQUOT},        {MPI_ERR_ACCESS, EACCES},
    {MPI_ERR_READ_ONLY, EROFS}, {MPI_ERR_NO_SUCH_FILE, ENOENT}, {MPI_ERR_FILE_EXISTS, EEXIST},
    {MPI_ERR_BAD_FILE, ENOENT}, {MPI_ERR_NO_MEM, ENOMEM},
};

/* `reason` is errno after the call, 0 if the call left it alone: MPI libraries know more in some
 * cases and the system in others. */
static halo_status fail_with_code(const char *path, int code, int reason)
{
    int error_class = MPI_ERR_OTHER;
    MPI_Error_class(code, &error_class);
    for (size_t i = 0; i < sizeof CLASSES / sizeof CLASSES[0]; i++) {
        if (CLASSES[i].error_class == error_class) {
            return halo_atomic_fail(path, CLASSES[i].reason);
        }
    }
    if (reason != 0) {
        return halo_atomic_fail(path, reason);
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return halo_fail(HALO_FILE, "cannot write %s: %s", path, text);
}

/* As MPI takes the name of a file that is there, open as *file if that is not -1. ROMIO takes what
 * stands before the first colon for the name of a file system. Open MPI 4.1 writes behind a buffer
 * when a path has more than 240 bytes. */
static void name_file(char whole[PATH_SIZE + 8], const char *name, int *file)
{
#ifdef OPEN_MPI
    enum { SHORT = 200 };
    *file = strlen(name) > SHORT ? open(name, O_WRONLY | O_CLOEXEC) : -1;
    if (*file >= 0) {
        snprintf(whole, PATH_SIZE + 8, "/proc/self/fd/%d", *file);
        return;
    }
    const char *prefix = "";
#else
    *file = -1;
    const char *prefix = strchr(name, ':') != NULL ? "ufs:" : "";
#endif
    snprintf(whole, PATH_SIZE + 8, "%s%s", prefix, name);
}

static halo_status open_file(halo_file_backend *backend, const char *name)
{
    char whole[PATH_SIZE + 8];
    int file;
    name_file(whole, name, &file);
    MPI_File opened;
    errno = 0;
    int code = MPI_File_open(MPI_COMM_SELF, whole, MPI_MODE_WRONLY, MPI_INFO_NULL, &opened);
    int reason = errno;
    if (file >= 0) {
        close(file);
    }
    if (code != MPI_SUCCESS) {
        return fail_with_code(backend->path, code, reason);
    }
    MPI_File_set_errhandler(opened, MPI_ERRORS_RETURN);
    backend->file = opened;
    return HALO_OK;
}

static halo_status write_file(halo_file_backend *backend, int64_t offset, const void *data,
                              size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        int piece = (int)(bytes - done < PIECE ? bytes - done : PIECE);
        int written = 0;
        MPI_Status result;
        errno = 0;
        int code = MPI_File_write_at(backend->file, offset + (int64_t)done,
                                     (const char *)data + done, piece, MPI_BYTE, &result);
        int reason = errno;
        if (code != MPI_SUCCESS) {
            return fail_with_code(backend->path, code, reason);
        }
        MPI_Get_count(&result, MPI_BYTE, &written);
        if (written <= 0) {
            /* The system says so when a disk fills up in the middle of a write. */
            return halo_atomic_fail(backend->path, reason != 0 ? reason : ENOSPC);
        }
        done += (size_t)written;
    }
    return HALO_OK;
}

static halo_status flush_file(halo_file_backend *backend)
{
    errno = 0;
    int code = MPI_File_sync(backend->file);
    return code == MPI_SUCCESS ? HALO_OK : fail_with_code(backend->path, code, errno);
}

static halo_status close_file(halo_file_backend *backend)
{
    MPI_File closing = backend->file;
    if (closing == NULL) {
        return HALO_OK;
    }
    backend->file = NULL;
    errno = 0;
    int code = MPI_File_close(&closing);
    return code == MPI_SUCCESS ? HALO_OK : fail_with_code(backend->path, code, errno);
}

static void abandon_file(halo_file_backend *backend)
{
    MPI_File closing = backend->file;
    if (closing != NULL) {
        MPI_File_close(&closing);
        backend->file = NULL;
    }
}

const halo_file_calls halo_mpi_files = {.open = open_file,
                                        .write = write_file,
                                        .flush = flush_file,
                                        .close = close_file,
                                        .abandon = abandon_file};
