#define _GNU_SOURCE /* renameat2 */
#include "io/array/zarr_folder.h"

#include "core/file/file.h"
#include "core/file/folders.h"
#include "core/world/collect.h"
#include "io/array/zarr_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE, NAMES_TRIED = 100, OWNER = 0700, ANYBODY = 0777 };

static const int INSIDE = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/* ---- before ---------------------------------------------------------------------------------- */

static const char *const array_marks[] = {".zarray", NULL};

const halo_zarr_kind halo_zarr_array_kind = {array_marks, "an array of zarr"};

/* Finds the file that says what the folder is. */
static bool find_mark(const halo_zarr_folder *folder, char found[HALO_ZARR_TREE_PATH])
{
    struct stat there;
    bool marked = false;
    for (const char *const *mark = folder->kind->marks; *mark != NULL && !marked; mark++) {
        snprintf(found, HALO_ZARR_TREE_PATH, "%s/%s", folder->target, *mark);
        marked = stat(found, &there) == 0 && S_ISREG(there.st_mode);
    }
    return marked;
}

/* On rank 0. What is there may be replaced if it is an array, and nothing else is lost with it. */
static halo_status check_there(const halo_zarr_folder *folder)
{
    char found[HALO_ZARR_TREE_PATH];
    const char *path = folder->path;
    struct stat there;
    if (lstat(folder->target, &there) != 0) {
        return errno == ENOENT ? HALO_OK : halo_atomic_fail(path, errno);
    }
    if (!S_ISDIR(there.st_mode) || !find_mark(folder, found)) {
        return halo_fail(HALO_FILE,
                         "cannot write %s: something else than %s is there; remove it, or give "
                         "another name",
                         path, folder->kind->what);
    }
    return halo_zarr_tree_find_foreign(folder->target, found)
               ? halo_fail(HALO_FILE,
                           "cannot write %s: it would replace %s, and %s is no part "
                           "of one; remove it, or give another name",
                           path, folder->kind->what, found)
               : HALO_OK;
}

/* On rank 0: names, and what stands under them. */
static halo_status find_names(halo_zarr_folder *folder)
{
    char around[PATH_SIZE];
    char *resolved = realpath(folder->path, NULL);
    const char *target = resolved != NULL ? resolved : folder->path;
    bool fits =
        strlen(target) < PATH_SIZE && halo_partial_name(folder->temporary, target, "partial");
    if (fits) {
        memcpy(folder->target, target, strlen(target) + 1);
        halo_partial_folder(target, around);
        fits = access(around[0] != '\0' ? around : ".", W_OK | X_OK) == 0;
    } else {
        errno = ENAMETOOLONG;
    }
    free(resolved);
    return fits ? check_there(folder) : halo_atomic_fail(folder->path, errno);
}

/* Collective. */
static halo_status prepare(halo_zarr_folder *folder, halo_world *world, const halo_zarr_kind *kind,
                           const char *path)
{
    bool first = halo_world_rank(world) == 0, all, mine;
    *folder =
        (halo_zarr_folder){.kind = kind, .handle = -1, .flushes = !halo_world_is_alone(world)};
    halo_status status = strlen(path) < PATH_SIZE ? HALO_OK : halo_atomic_fail(path, ENAMETOOLONG);
    HALO_TRY(halo_agree(world, status));
    memcpy(folder->path, path, strlen(path) + 1);
    HALO_TRY(halo_agree(world, first ? find_names(folder) : HALO_OK));
    HALO_TRY(halo_bcast(world, folder->temporary, sizeof folder->temporary, 0));
    /* A file beside it tells whether all see the folder around it. */
    HALO_TRY(halo_file_check(world, folder->temporary));
    HALO_TRY(halo_folders_look(world, folder->temporary, &all, &mine));
    return all ? HALO_OK
               : halo_fail(HALO_FILE,
                           "cannot write %s: not all ranks see the folder that holds it; "
                           "write it to a disk that all see, or use a name ending in .npy",
                           path);
}

halo_status halo_zarr_folder_check(halo_world *world, const halo_zarr_kind *kind, const char *path)
{
    halo_zarr_folder folder;
    return prepare(&folder, world, kind, path);
}

/* A lock tells a run that still writes from one that was killed; not every disk has locks. */
static bool lock(int handle)
{
    return flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static void remove_if_left(int around, const char *name)
{
    int handle = openat(around, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (handle >= 0 && flock(handle, LOCK_EX | LOCK_NB) == 0) {
        halo_zarr_tree_remove(around, name);
    }
    if (handle >= 0) {
        close(handle);
    }
}

void halo_zarr_folder_clean(const char *target)
{
    halo_partial_each(target, true, remove_if_left);
}

/* The folder that was just made, unless somebody who cleans has come between, or has put another
 * one in its place. EEXIST then. */
static int open_made(halo_zarr_folder *folder)
{
    struct stat made;
    int handle = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (handle < 0) {
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? EEXIST : errno;
    }
    bool own = lock(handle) && fstat(handle, &made) == 0 && made.st_nlink > 0 &&
               (made.st_uid == geteuid() || geteuid() == 0); /* servers turn root into nobody */
    if (!own) {
        close(handle);
        return EEXIST;
    }
    folder->handle = handle;
    return 0;
}

/* On rank 0. */
static halo_status make_folder(halo_zarr_folder *folder)
{
    char mark[HALO_ZARR_TREE_PATH];
    int reason = EEXIST;
    if (find_mark(folder, mark)) {
        folder->rights = halo_partial_rights_of(mark);
        folder->folder_rights = halo_partial_rights_of(folder->target);
    }
    if (folder->flushes) {
        halo_partial_each(folder->target, false, remove_if_left);
    }
    for (int i = 0; i < NAMES_TRIED && reason == EEXIST; i++) {
        bool named = i == 0 || halo_partial_name(folder->temporary, folder->target, "partial");
        mode_t mode = folder->rights.known ? OWNER : ANYBODY;
        reason = !named                                ? ENAMETOOLONG
                 : mkdir(folder->temporary, mode) != 0 ? errno
                                                       : open_made(folder);
    }
    return reason == 0 ? HALO_OK : halo_atomic_fail(folder->path, reason);
}

/* Rank 0 broadcasts this, so that the others can open the folder. */
typedef struct {
    char temporary[PATH_SIZE];
    ino_t number;
    halo_partial_rights rights, folder_rights;
} made_folder;

/* Network file systems may be late. */
static halo_status open_folder(halo_zarr_folder *folder, ino_t number)
{
    enum { LOOKS = 100 };
    const struct timespec pause = {.tv_nsec = 10000000};
    struct stat there;
    for (int i = 0; i < LOOKS && folder->handle < 0; i++) {
        folder->handle = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder->handle < 0) {
            nanosleep(&pause, NULL);
        }
    }
    if (folder->handle < 0) {
        return halo_atomic_fail(folder->path, errno);
    }
    return fstat(folder->handle, &there) == 0 && there.st_ino == number
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "cannot write %s: somebody has replaced %s, where it was being "
                           "written; write it to a folder of your own",
                           folder->path, folder->temporary);
}

/* Collective. */
static halo_status share_folder(halo_zarr_folder *folder, halo_world *world)
{
    made_folder made = {.rights = folder->rights, .folder_rights = folder->folder_rights};
    struct stat there;
    if (halo_world_rank(world) == 0) {
        memcpy(made.temporary, folder->temporary, sizeof made.temporary);
        made.number = fstat(folder->handle, &there) == 0 ? there.st_ino : 0;
    }
    HALO_TRY(halo_bcast(world, &made, sizeof made, 0));
    memcpy(folder->temporary, made.temporary, sizeof made.temporary);
    folder->rights = made.rights;
    folder->folder_rights = made.folder_rights;
    return halo_agree(world, open_folder(folder, made.number));
}

halo_status halo_zarr_folder_begin(halo_zarr_folder *folder, halo_world *world,
                                   const halo_zarr_kind *kind, const char *path)
{
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(prepare(folder, world, kind, path));
    HALO_TRY(halo_agree(world, first ? make_folder(folder) : HALO_OK));
    halo_status status = share_folder(folder, world);
    return status == HALO_OK ? HALO_OK : halo_zarr_folder_end(folder, world, NULL, NULL, status);
}

/* ---- while it is written, and after ---------------------------------------------------------- */

/* 0 or errno's value. */
static int write_all(int file, const char *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(file, data + done, bytes - done);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* Makes a folder in the folder, if no other rank has. */
static int make_inside(const halo_zarr_folder *folder, const char *name)
{
    mode_t mode = folder->rights.known ? OWNER : ANYBODY;
    if (mkdirat(folder->handle, name, mode) != 0) {
        return errno == EEXIST ? 0 : errno;
    }
    int made = folder->rights.known ? openat(folder->handle, name, INSIDE) : -1;
    if (made >= 0) {
        halo_partial_rights_give(&folder->folder_rights, made);
        close(made);
    }
    return 0;
}

/* Opens a new file; the folders around it are made when the first file in them is. */
static int create_file(const halo_zarr_folder *folder, const char *name)
{
    const int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const mode_t mode = folder->rights.known ? 0600 : 0666;
    int file = openat(folder->handle, name, how, mode);
    if (file >= 0 || errno != ENOENT) {
        return file;
    }
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char around[PATH_SIZE];
        snprintf(around, sizeof around, "%.*s", (int)(slash - name), name);
        int reason = make_inside(folder, around);
        if (reason != 0) {
            errno = reason;
            return -1;
        }
    }
    return openat(folder->handle, name, how, mode);
}

halo_status halo_zarr_folder_write(const halo_zarr_folder *folder, const char *name,
                                   const void *data, size_t bytes)
{
    int file = create_file(folder, name);
    int reason = file < 0 ? errno : write_all(file, data, bytes);
    if (reason == 0) {
        halo_partial_rights_give(&folder->rights, file);
    }
    if (reason == 0 && folder->flushes && fdatasync(file) != 0 && errno != EINVAL) {
        reason = errno;
    }
    if (file >= 0 && close(file) != 0 && reason == 0) {
        reason = errno;
    }
    return reason == 0 ? HALO_OK : halo_atomic_fail(folder->path, reason);
}

/* On disks that cannot exchange two names the old one goes aside first, and comes back if the new
 * one cannot have its name. */
static int replace_slowly(const halo_zarr_folder *folder)
{
    char kept[PATH_SIZE];
    if (!halo_partial_name(kept, folder->target, "old")) {
        return ENAMETOOLONG;
    }
    if (rename(folder->target, kept) != 0) {
        return errno;
    }
    int reason = rename(folder->temporary, folder->target) == 0 ? 0 : errno;
    if (reason == 0) {
        halo_zarr_tree_remove(AT_FDCWD, kept);
    } else {
        int back = rename(kept, folder->target);
        (void)back; /* it stays as .NAME.old-NUMBER then */
    }
    return reason;
}

/* On rank 0. */
static halo_status rename_folder(const halo_zarr_folder *folder)
{
    struct stat there;
    HALO_TRY(check_there(folder)); /* it may have come meanwhile */
    int reason = 0;
    if (lstat(folder->target, &there) != 0) {
        reason = rename(folder->temporary, folder->target) == 0 ? 0 : errno;
    } else if (renameat2(AT_FDCWD, folder->temporary, AT_FDCWD, folder->target, RENAME_EXCHANGE) ==
               0) {
        halo_zarr_tree_remove(AT_FDCWD, folder->temporary);
    } else {
        reason = replace_slowly(folder);
    }
    return reason == 0 ? HALO_OK : halo_atomic_fail(folder->path, reason);
}

/* So that the name outlasts a loss of power, too. */
static void sync_around(const halo_zarr_folder *folder)
{
    char around[PATH_SIZE];
    halo_partial_folder(folder->target, around);
    int handle = open(around[0] != '\0' ? around : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

/* On rank 0. */
static halo_status complete(const halo_zarr_folder *folder, const char *text,
                            const char *attributes)
{
    HALO_TRY(attributes != NULL
                 ? halo_zarr_folder_write(folder, ".zattrs", attributes, strlen(attributes))
                 : HALO_OK);
    HALO_TRY(text != NULL ? halo_zarr_folder_write(folder, ".zarray", text, strlen(text))
                          : HALO_OK);
    const halo_partial_rights rights = halo_partial_rights_of(folder->target);
    halo_partial_rights_give(&rights, folder->handle);
    if (folder->flushes) {
        halo_zarr_tree_sync(folder->handle);
    }
    HALO_TRY(rename_folder(folder));
    if (folder->flushes) {
        sync_around(folder);
    }
    return HALO_OK;
}

halo_status halo_zarr_folder_end(halo_zarr_folder *folder, halo_world *world, const char *text,
                                 const char *attributes, halo_status mine)
{
    bool first = halo_world_rank(world) == 0;
    halo_status status = halo_agree(world, mine), done = status;
    if (status == HALO_OK && first) {
        done = complete(folder, text, attributes);
    }
    if (first && done != HALO_OK) {
        halo_zarr_tree_remove(AT_FDCWD, folder->temporary);
    }
    if (folder->handle >= 0) {
        close(folder->handle);
        folder->handle = -1;
    }
    return status == HALO_OK ? halo_agree(world, done) : status;
}
