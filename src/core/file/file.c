#include "core/file/file.h"

#include "base/memory.h"
#include "core/file/atomic.h"
#include "core/file/backend.h"
#include "core/world/collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE };

/* Every rank opens the file on its own: opening and closing over all ranks would make them wait
 * for each other inside MPI, which spins. */
struct halo_file {
    halo_world *world;
    halo_file_backend backend;
    halo_status status; /* of the writes so far */
    char message[HALO_MESSAGE_SIZE];
    char path[PATH_SIZE];      /* as the caller gave it, for messages */
    char target[PATH_SIZE];    /* what is renamed to: `path` with links followed */
    char temporary[PATH_SIZE]; /* beside the target, so that renaming is atomic */
};

static halo_status begin_on_first_rank(halo_file *file)
{
    HALO_TRY(halo_atomic_target(file->target, file->path));
    HALO_TRY(halo_atomic_create(file->temporary, file->target, file->path));
    return halo_file_backend_open(&file->backend, file->temporary);
}

/* Leave nothing behind, and the last message as it is: it says why. */
static void discard(halo_file **file)
{
    halo_file_backend_abandon(&(*file)->backend);
    if ((*file)->temporary[0] != '\0' && halo_world_rank((*file)->world) == 0) {
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
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a file handle"));
    halo_file *file = *out;
    file->world = world;
    memcpy(file->path, path, strlen(path) + 1);
    file->backend = halo_file_backend_none(file->path);
    return HALO_OK;
}

halo_status halo_file_check(halo_world *world, const char *path)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        halo_file *file;
        status = name_file(&file, world, path);
        if (file != NULL) {
            status = halo_atomic_target(file->target, file->path);
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
    if (rank == 0) {
        status = begin_on_first_rank(file);
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    HALO_TRY_OR(failed, halo_bcast(world, file->temporary, sizeof file->temporary, 0));
    if (rank != 0) {
        status = halo_file_backend_open(&file->backend, file->temporary);
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    *out = file;
    return HALO_OK;
failed:
    discard(&file);
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
    return note_failure(file, halo_file_backend_write(&file->backend, offset, data, bytes));
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
        status = halo_file_backend_flush(&done->backend);
        halo_status closed = halo_file_backend_close(&done->backend);
        status = halo_agree(world, halo_status_first(status, closed));
    }
    if (status == HALO_OK && halo_world_rank(world) == 0 &&
        rename(done->temporary, done->target) != 0) {
        status = halo_atomic_fail(done->path, errno);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        free(done);
    } else {
        discard(&done);
    }
    *file = NULL;
    return status;
}
