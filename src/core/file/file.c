#include "core/file/file.h"

#include "base/memory.h"
#include "core/file/atomic.h"
#include "core/file/backend.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <stdlib.h>

/* Every rank opens the file on its own: opening and closing over all ranks would make them wait
 * for each other inside MPI, which spins. */
struct halo_file {
    halo_world *world;
    halo_file_backend backend;
    halo_status status; /* of the writes so far */
    char message[HALO_MESSAGE_SIZE];
    halo_atomic_file names; /* the target's is known on rank 0 only */
};

/* Leave nothing behind, and the last message as it is: it says why. */
static void discard(halo_file **file)
{
    halo_file_backend_abandon(&(*file)->backend);
    if (halo_world_rank((*file)->world) == 0) {
        halo_atomic_discard(&(*file)->names);
    }
    free(*file);
    *file = NULL;
}

halo_status halo_file_check(halo_world *world, const char *path)
{
    char target[HALO_ATOMIC_PATH_SIZE];
    return halo_agree(world,
                      halo_world_rank(world) == 0 ? halo_atomic_target(target, path) : HALO_OK);
}

halo_status halo_file_create(halo_file **out, halo_world *world, const char *path)
{
    *out = NULL;
    halo_file *file;
    halo_status status = halo_agree(world, HALO_ALLOCATE(file, 1, "a file handle"));
    if (status != HALO_OK || file == NULL) {
        free(file);
        return status;
    }
    file->world = world;
    halo_atomic_file *names = &file->names;
    file->backend = halo_file_backend_none(names->path);
    if (halo_world_rank(world) == 0) {
        status = halo_atomic_begin(names, path);
    } else {
        snprintf(names->path, sizeof names->path, "%s",
                 path); /* the first rank refuses long ones */
    }
    HALO_TRY_OR(failed, halo_agree(world, status));
    HALO_TRY_OR(failed, halo_bcast(world, names->temporary, sizeof names->temporary, 0));
    status = halo_file_backend_open(&file->backend, names->temporary);
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
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        status = halo_atomic_commit(&done->names);
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
