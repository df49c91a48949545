#include "core/file/file.h"

#include "base/memory.h"
#include "core/file/atomic.h"
#include "core/file/backend.h"
#include "core/file/folders.h"
#include "core/file/route.h"
#include "core/world/collect.h"
#include "core/world/world_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Every rank opens the file on its own: opening and closing over all ranks would make them wait
 * for each other inside the transport, where they spin. Ranks that do not see the folder send what
 * they write to rank 0. */
struct halo_file {
    halo_world *world;
    halo_file_backend backend;
    bool opened;        /* is it, on this rank? */
    halo_route *route;  /* NULL if all ranks see the folder */
    halo_status status; /* of the writes so far */
    char message[HALO_MESSAGE_SIZE];
    halo_atomic_file names; /* the target's is known on rank 0 only */
};

/* Leave nothing behind, and the last message as it is: it says why. */
static void discard(halo_file **file)
{
    if ((*file)->backend.calls != NULL) {
        (*file)->backend.calls->abandon(&(*file)->backend);
    }
    if (halo_world_rank((*file)->world) == 0) {
        halo_atomic_discard(&(*file)->names);
    }
    free(*file);
    *file = NULL;
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

/* Writes to the file; on rank 0 also for others. */
static halo_status write_here(void *context, int64_t offset, const void *data, size_t bytes)
{
    halo_file *file = context;
    /* The disk may be full: what comes then is not worth the time. */
    return file->status != HALO_OK
               ? file->status
               : note_failure(file,
                              file->backend.calls->write(&file->backend, offset, data, bytes));
}

/* Collective. Opens the temporary file on the ranks that see it. */
static halo_status open_file(halo_file *file)
{
    halo_world *world = file->world;
    bool all, mine;
    HALO_TRY(halo_folders_look(world, file->names.temporary, &all, &mine));
    halo_status status = HALO_OK;
    if (mine) {
        status = file->backend.calls->open(&file->backend, file->names.temporary);
        file->opened = status == HALO_OK;
    }
    HALO_TRY(halo_agree(world, status));
    return all ? HALO_OK
               : halo_route_begin(&file->route, world, !mine, halo_folders_number(world),
                                  write_here, file);
}

/* Collective. Make the temporary file, beside which those of killed runs are removed unless it is
 * one of `many`, or nothing will be written to it. */
static halo_status create(halo_file *file, const char *path, bool many)
{
    halo_world *world = file->world;
    halo_atomic_file *names = &file->names;
    halo_status status = HALO_OK;
    const halo_file_calls *calls = world->transport->files;
    file->backend = (halo_file_backend){
        .calls = calls != NULL ? calls : &halo_file_of_system, .path = names->path, .handle = -1};
    if (halo_world_rank(world) == 0) {
        names->many = many;
        status = halo_atomic_begin(names, path);
    } else {
        snprintf(names->path, sizeof names->path, "%s",
                 path); /* the first rank refuses long ones */
    }
    HALO_TRY(halo_agree(world, status));
    return halo_bcast(world, names->temporary, sizeof names->temporary, 0);
}

static halo_status allocate(halo_file **out, halo_world *world)
{
    halo_status status = halo_agree(world, HALO_ALLOCATE(*out, 1, "a file handle"));
    if (status != HALO_OK || *out == NULL) {
        free(*out);
        *out = NULL;
        return status;
    }
    (*out)->world = world;
    return HALO_OK;
}

halo_status halo_file_create(halo_file **out, halo_world *world, const char *path)
{
    halo_file *file;
    *out = NULL;
    HALO_TRY(allocate(&file, world));
    halo_status status = create(file, path, halo_world_is_alone(world));
    if (status == HALO_OK) {
        status = open_file(file);
    }
    if (status == HALO_OK) {
        *out = file;
    } else {
        discard(&file);
    }
    return status;
}

/* Collective. Make a file in the folder, which says more than the system does about it, and let
 * all ranks look for it. */
static halo_status try_folder(halo_world *world, const char *path)
{
    halo_file *file;
    bool all, mine;
    HALO_TRY(allocate(&file, world));
    halo_status status = create(file, path, true);
    if (status == HALO_OK && halo_world_is_alone(world)) {
        halo_atomic_clean_folder(file->names.target);
    }
    if (status == HALO_OK) {
        status = halo_folders_look(world, file->names.temporary, &all, &mine);
    }
    discard(&file);
    return status;
}

halo_status halo_file_check_shared(halo_world *world, const char *path, bool *all)
{
    char target[HALO_ATOMIC_PATH_SIZE] = "";
    bool mine;
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(world, first ? halo_atomic_target(target, path) : HALO_OK));
    HALO_TRY(halo_bcast(world, target, sizeof target, 0));
    HALO_TRY(halo_folders_know(world, target) ? HALO_OK : try_folder(world, path));
    return halo_folders_look(world, target, all, &mine);
}

halo_status halo_file_check(halo_world *world, const char *path)
{
    bool all;
    return halo_file_check_shared(world, path, &all);
}

halo_status halo_file_write(halo_file *file, int64_t offset, const void *data, size_t bytes)
{
    return file->opened ? write_here(file, offset, data, bytes)
                        : note_failure(file, halo_route_send(file->route, offset, data, bytes));
}

/* Collective. Agrees on `mine` and on all writes, flushes, and closes: what is left is to rename.
 */
static halo_status end_writing(halo_file *file, halo_status mine)
{
    halo_world *world = file->world;
    halo_status routed = halo_route_end(&file->route);
    halo_status status = halo_status_first(mine, routed);
    if (status == HALO_OK && file->status != HALO_OK) {
        status = halo_fail(file->status, "%s", file->message);
    }
    HALO_TRY(halo_agree(world, status));
    halo_file_backend *backend = &file->backend;
    /* Ranks of one process leave it to the first, which flushes the whole file before it renames
     * it. */
    bool waits = file->opened && !halo_world_is_process(world);
    status = waits ? backend->calls->flush(backend) : HALO_OK;
    halo_status closed = backend->calls->close(backend);
    return halo_agree(world, halo_status_first(status, closed));
}

static void release(halo_file **file, halo_status status)
{
    if (status == HALO_OK) {
        free(*file);
        *file = NULL;
    } else {
        discard(file);
    }
}

halo_status halo_file_commit(halo_file **file, halo_status mine)
{
    halo_world *world = (*file)->world;
    halo_status status = end_writing(*file, mine);
    if (status == HALO_OK) {
        bool renames = halo_world_rank(world) == 0;
        status = halo_agree(world, renames ? halo_atomic_commit(&(*file)->names) : HALO_OK);
    }
    release(file, status);
    return status;
}

halo_status halo_file_commit_both(halo_file **data, halo_file **head, halo_status mine)
{
    halo_world *world = (*data)->world;
    halo_status first = end_writing(*data, mine), second = end_writing(*head, first);
    halo_status status = halo_status_first(first, second);
    if (status == HALO_OK) {
        bool renames = halo_world_rank(world) == 0;
        status = halo_agree(
            world, renames ? halo_atomic_commit_both(&(*data)->names, &(*head)->names) : HALO_OK);
    }
    release(data, status);
    release(head, status);
    return status;
}
