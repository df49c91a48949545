#define _DEFAULT_SOURCE /* lstat */
#include "core/file.h"

#include "core/collect.h"
#include "core/partial.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_PARTIAL_PATH_SIZE, NAMES_TRIED = 100 };

/* MPI counts are ints; larger blocks are written in pieces. */
static const size_t PIECE = (size_t)1 << 30;

/* Every rank opens the file on its own: opening and closing over all ranks would make them wait
 * for each other inside MPI, which spins. */
struct halo_file {
    halo_world *world;
    MPI_File handle;
    halo_status status; /* of the writes so far */
    char message[HALO_MESSAGE_SIZE];
    char path[PATH_SIZE];      /* as the caller gave it, for messages */
    char target[PATH_SIZE];    /* what is renamed to: `path` with links followed */
    char temporary[PATH_SIZE]; /* beside the target, so that renaming is atomic */
};

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
            return halo_partial_fail(path, CLASSES[i].reason);
        }
    }
    if (reason != 0) {
        return halo_partial_fail(path, reason);
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return halo_fail(HALO_FILE, "cannot write %s: %s", path, text);
}

static halo_status open_temporary(halo_file *file, int mode)
{
    char name[PATH_SIZE + 8];
#ifdef OPEN_MPI
    const char *prefix = "";
#else
    /* ROMIO takes what stands before the first colon for the name of a file system. */
    const char *prefix = strchr(file->temporary, ':') != NULL ? "ufs:" : "";
#endif
    snprintf(name, sizeof name, "%s%s", prefix, file->temporary);
    errno = 0;
    int code =
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_WRONLY | mode, MPI_INFO_NULL, &file->handle);
    if (code != MPI_SUCCESS) {
        int reason = errno;
        file->handle = MPI_FILE_NULL;
        return fail_with_code(file->path, code, reason);
    }
    MPI_File_set_errhandler(file->handle, MPI_ERRORS_RETURN);
    return HALO_OK;
}

/* Rank 0 only. */
static halo_status create_temporary(halo_file *file)
{
    halo_partial_clean(file->target);
    for (int i = 0; i < NAMES_TRIED; i++) {
        if (!halo_partial_name(file->temporary, PATH_SIZE, file->target, i)) {
            return halo_partial_fail(file->path, ENAMETOOLONG);
        }
        struct stat left;
        if (lstat(file->temporary, &left) != 0) {
            return open_temporary(file, MPI_MODE_CREATE | MPI_MODE_EXCL);
        }
    }
    return halo_fail(HALO_FILE,
                     "cannot write %s: %s is left over from a run that was killed; "
                     "remove it and its like",
                     file->path, file->temporary);
}

static halo_status begin_on_first_rank(halo_file *file)
{
    HALO_TRY(halo_partial_target(file->target, file->path));
    return create_temporary(file);
}

/* Close what is open; the first failure counts. */
static halo_status close_handle(halo_file *file)
{
    if (file->handle == MPI_FILE_NULL) {
        return HALO_OK;
    }
    errno = 0;
    int code = MPI_File_close(&file->handle);
    file->handle = MPI_FILE_NULL;
    return code == MPI_SUCCESS ? HALO_OK : fail_with_code(file->path, code, errno);
}

/* Leave nothing behind, and the last message as it is: it says why. */
static void discard(halo_file **file, bool created)
{
    if ((*file)->handle != MPI_FILE_NULL) {
        MPI_File_close(&(*file)->handle);
    }
    if (created && halo_world_rank((*file)->world) == 0) {
        unlink((*file)->temporary);
    }
    free(*file);
    *file = NULL;
}

/* Local. A file that is not open yet. */
static halo_status name_file(halo_file **out, halo_world *world, const char *path)
{
    *out = NULL;
    if (strlen(path) >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "cannot write %.100s...: a path may have %d bytes", path,
                         PATH_SIZE - 1);
    }
    halo_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a file handle");
    }
    file->world = world;
    file->handle = MPI_FILE_NULL;
    memcpy(file->path, path, strlen(path) + 1);
    *out = file;
    return HALO_OK;
}

halo_status halo_file_check(halo_world *world, const char *path)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        halo_file *file;
        status = name_file(&file, world, path);
        if (file != NULL) {
            status = halo_partial_target(file->target, file->path);
            free(file);
        }
    }
    return halo_agree(world, status);
}

halo_status halo_file_create(halo_file **out, halo_world *world, const char *path)
{
    *out = NULL;
    int rank = halo_world_rank(world);
    halo_file *file;
    halo_status status = halo_agree(world, name_file(&file, world, path));
    if (status != HALO_OK || file == NULL) {
        free(file);
        return status;
    }
    bool created = false;
    if (rank == 0) {
        status = begin_on_first_rank(file);
        created = status == HALO_OK;
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    HALO_TRY_OR(failed, halo_share(world, file->temporary, sizeof file->temporary, 0));
    if (rank != 0) {
        status = open_temporary(file, 0);
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    *out = file;
    return HALO_OK;
failed:
    discard(&file, created);
    return status;
}

/* Later writes must not hide the first failure, which commit will report. */
static halo_status note_failure(halo_file *file, halo_status status)
{
    if (status != HALO_OK && file->status == HALO_OK) {
        file->status = status;
        snprintf(file->message, sizeof file->message, "%s", halo_last_message());
    }
    return status;
}

halo_status halo_file_write(halo_file *file, int64_t offset, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        int piece = (int)(bytes - done < PIECE ? bytes - done : PIECE);
        int written = 0;
        MPI_Status result;
        errno = 0;
        int code = MPI_File_write_at(file->handle, offset + (int64_t)done,
                                     (const char *)data + done, piece, MPI_BYTE, &result);
        int reason = errno;
        if (code != MPI_SUCCESS) {
            return note_failure(file, fail_with_code(file->path, code, reason));
        }
        MPI_Get_count(&result, MPI_BYTE, &written);
        if (written <= 0) {
            /* The system says so when a disk fills up in the middle of a write. */
            return note_failure(file, halo_partial_fail(file->path, reason != 0 ? reason : ENOSPC));
        }
        done += (size_t)written;
    }
    return HALO_OK;
}

/* Some file systems find out that they are full only here. */
static halo_status flush(halo_file *file)
{
    errno = 0;
    int code = MPI_File_sync(file->handle);
    return code == MPI_SUCCESS ? HALO_OK : fail_with_code(file->path, code, errno);
}

halo_status halo_file_commit(halo_file **file, halo_status mine)
{
    halo_file *done = *file;
    halo_world *world = done->world;
    halo_status status = mine;
    if (status == HALO_OK && done->status != HALO_OK) {
        status = halo_fail(done->status, "%s", done->message);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = flush(done);
        halo_status closed = close_handle(done);
        status = halo_agree(world, status != HALO_OK ? status : closed);
    }
    if (status == HALO_OK && halo_world_rank(world) == 0 &&
        rename(done->temporary, done->target) != 0) {
        status = halo_partial_fail(done->path, errno);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        free(done);
    } else {
        discard(&done, true);
    }
    *file = NULL;
    return status;
}
