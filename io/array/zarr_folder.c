#define _GNU_SOURCE /* renameat2 */
#include "io/array/zarr_folder.h"

#include "core/file/file.h"
#include "core/file/folders.h"
#include "core/world/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE, DEEPEST = 8 };

/* ---- what is in an array's folder ------------------------------------------------------------ */

/* Descriptions, and chunks by their numbers. */
static bool is_own(const char *name)
{
    return strcmp(name, ".zarray") == 0 || strcmp(name, ".zattrs") == 0 ||
           strspn(name, "0123456789.") == strlen(name);
}

/* The first name that is none of an array's, in the folder or one in it. */
static bool find_foreign(const char *path, int depth, char found[PATH_SIZE])
{
    DIR *folder = opendir(path);
    bool foreign = folder == NULL;
    snprintf(found, PATH_SIZE, "%s", path);
    while (!foreign) {
        const struct dirent *entry = readdir(folder);
        struct stat about;
        if (entry == NULL) {
            break;
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        char inner[PATH_SIZE];
        bool fits = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < PATH_SIZE;
        foreign = !fits || !is_own(entry->d_name) || lstat(inner, &about) != 0 ||
                  !(S_ISREG(about.st_mode) || (S_ISDIR(about.st_mode) && depth < DEEPEST));
        if (foreign) {
            snprintf(found, PATH_SIZE, "%s", inner);
        } else if (S_ISDIR(about.st_mode)) {
            foreign = find_foreign(inner, depth + 1, found);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return foreign;
}

/* Nothing but what is an array's, so that the folder stays if there is more. */
static void remove_own(const char *path, int depth)
{
    DIR *folder = opendir(path);
    while (folder != NULL) {
        const struct dirent *entry = readdir(folder);
        char inner[PATH_SIZE];
        if (entry == NULL) {
            break;
        }
        bool here = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        bool fits = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < PATH_SIZE;
        if (!here && fits && is_own(entry->d_name) && unlink(inner) != 0 && depth < DEEPEST) {
            remove_own(inner, depth + 1); /* a folder */
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(path);
}

/* ---- before ---------------------------------------------------------------------------------- */

/* On rank 0. What is there may be replaced if it is an array, and nothing else is lost with it. */
static halo_status check_there(const char *path, const char *target)
{
    char found[PATH_SIZE + sizeof "/.zarray"];
    struct stat there, array;
    if (lstat(target, &there) != 0) {
        return errno == ENOENT ? HALO_OK : halo_atomic_fail(path, errno);
    }
    snprintf(found, sizeof found, "%s/.zarray", target);
    if (!S_ISDIR(there.st_mode) || stat(found, &array) != 0) {
        return halo_fail(HALO_FILE,
                         "cannot write %s: something else than an array of zarr is there; remove "
                         "it, or give another name",
                         path);
    }
    return find_foreign(target, 0, found)
               ? halo_fail(HALO_FILE,
                           "cannot write %s: it would replace the array there, and %s is no part "
                           "of one; remove it, or give another name",
                           path, found)
               : HALO_OK;
}

/* On rank 0: names, and what stands under them. */
static halo_status find_names(halo_zarr_folder *folder)
{
    char *resolved = realpath(folder->path, NULL);
    const char *target = resolved != NULL ? resolved : folder->path;
    size_t length = strlen(target);
    bool fits = length + sizeof "..partial" < PATH_SIZE;
    if (fits) {
        const char *slash = strrchr(target, '/');
        int before = slash != NULL ? (int)(slash - target) + 1 : 0;
        memcpy(folder->target, target, length + 1);
        snprintf(folder->temporary, PATH_SIZE, "%.*s.%s.partial", before, target, target + before);
        char around[PATH_SIZE];
        snprintf(around, sizeof around, "%.*s", before > 0 ? before : 1, before > 0 ? target : ".");
        fits = access(around, W_OK | X_OK) == 0;
    } else {
        errno = ENAMETOOLONG;
    }
    free(resolved);
    return fits ? check_there(folder->path, folder->target) : halo_atomic_fail(folder->path, errno);
}

/* Collective. */
static halo_status prepare(halo_zarr_folder *folder, halo_world *world, const char *path)
{
    bool first = halo_world_rank(world) == 0, all, mine;
    *folder = (halo_zarr_folder){.lock = -1, .flushes = !halo_world_is_alone(world)};
    halo_status status = strlen(path) < PATH_SIZE ? HALO_OK : halo_atomic_fail(path, ENAMETOOLONG);
    HALO_TRY(halo_agree(world, status));
    memcpy(folder->path, path, strlen(path) + 1);
    HALO_TRY(halo_agree(world, first ? find_names(folder) : HALO_OK));
    HALO_TRY(halo_bcast(world, folder->temporary, sizeof folder->temporary, 0));
    /* A file beside it tells whether all see the folder around it. */
    char beside[PATH_SIZE + sizeof ".probe"];
    snprintf(beside, sizeof beside, "%s.probe", folder->temporary);
    HALO_TRY(halo_file_check(world, beside));
    HALO_TRY(halo_folders_look(world, beside, &all, &mine));
    return all ? HALO_OK
               : halo_fail(HALO_FILE,
                           "cannot write %s: not all ranks see the folder that holds it; "
                           "write it to a disk that all see, or use a name ending in .npy",
                           path);
}

halo_status halo_zarr_folder_check(halo_world *world, const char *path)
{
    halo_zarr_folder folder;
    return prepare(&folder, world, path);
}

/* On rank 0. A lock tells a run that still writes from one that was killed; not every disk has
 * locks. */
static halo_status make_folder(halo_zarr_folder *folder)
{
    for (int tries = 0; tries < 2; tries++) {
        bool made = mkdir(folder->temporary, 0777) == 0;
        if (!made && errno != EEXIST) {
            return halo_atomic_fail(folder->path, errno);
        }
        folder->lock = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder->lock >= 0 && flock(folder->lock, LOCK_EX | LOCK_NB) != 0 &&
            errno == EWOULDBLOCK) {
            close(folder->lock);
            folder->lock = -1;
            return halo_fail(HALO_FILE,
                             "cannot write %s: another run is writing it; wait for its end, or "
                             "give another name",
                             folder->path);
        }
        if (made && folder->lock >= 0) {
            return HALO_OK;
        }
        if (folder->lock >= 0) {
            close(folder->lock);
            folder->lock = -1;
        }
        remove_own(folder->temporary, 0);
    }
    return halo_fail(HALO_FILE, "cannot write %s: %s is in its way; remove it", folder->path,
                     folder->temporary);
}

static bool sees(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0;
}

/* Network file systems may be late. */
static halo_status wait_for_folder(const halo_zarr_folder *folder)
{
    enum { LOOKS = 100 };
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < LOOKS && !sees(folder->temporary); i++) {
        nanosleep(&pause, NULL);
    }
    return sees(folder->temporary) ? HALO_OK : halo_atomic_fail(folder->path, ENOENT);
}

halo_status halo_zarr_folder_begin(halo_zarr_folder *folder, halo_world *world, const char *path)
{
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(prepare(folder, world, path));
    HALO_TRY(halo_agree(world, first ? make_folder(folder) : HALO_OK));
    halo_status status = halo_agree(world, wait_for_folder(folder));
    return status == HALO_OK ? HALO_OK : halo_zarr_folder_end(folder, world, NULL, status);
}

/* ---- while it is written, and after ---------------------------------------------------------- */

halo_status halo_zarr_folder_write(const halo_zarr_folder *folder, const char *name,
                                   const void *data, size_t bytes)
{
    char path[PATH_SIZE + 256];
    snprintf(path, sizeof path, "%s/%s", folder->temporary, name);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int reason = file < 0 ? errno : 0;
    for (size_t done = 0; reason == 0 && done < bytes;) {
        ssize_t written = write(file, (const char *)data + done, bytes - done);
        reason = written < 0 && errno != EINTR ? errno : 0;
        done += written > 0 ? (size_t)written : 0;
    }
    if (reason == 0 && folder->flushes && fdatasync(file) != 0 && errno != EINVAL) {
        reason = errno;
    }
    if (file >= 0 && close(file) != 0 && reason == 0) {
        reason = errno;
    }
    return reason == 0 ? HALO_OK : halo_atomic_fail(folder->path, reason);
}

/* On rank 0. */
static halo_status rename_folder(const halo_zarr_folder *folder)
{
    HALO_TRY(check_there(folder->path, folder->target)); /* it may have come meanwhile */
    bool there = sees(folder->target);
    if (there &&
        renameat2(AT_FDCWD, folder->temporary, AT_FDCWD, folder->target, RENAME_EXCHANGE) == 0) {
        remove_own(folder->temporary, 0);
        return HALO_OK;
    }
    if (there) { /* disks that cannot exchange two */
        remove_own(folder->target, 0);
    }
    return rename(folder->temporary, folder->target) == 0 ? HALO_OK
                                                          : halo_atomic_fail(folder->path, errno);
}

/* So that the name outlasts a loss of power, too. */
static void sync_around(const halo_zarr_folder *folder)
{
    char around[PATH_SIZE];
    const char *slash = strrchr(folder->target, '/');
    snprintf(around, sizeof around, "%.*s", slash != NULL ? (int)(slash - folder->target) + 1 : 1,
             slash != NULL ? folder->target : ".");
    int handle = open(around, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

halo_status halo_zarr_folder_end(halo_zarr_folder *folder, halo_world *world, const char *text,
                                 halo_status mine)
{
    bool first = halo_world_rank(world) == 0;
    halo_status status = halo_agree(world, mine), done = status;
    if (status == HALO_OK && first) {
        done = halo_zarr_folder_write(folder, ".zarray", text, strlen(text));
        if (done == HALO_OK && folder->flushes && folder->lock >= 0) {
            fsync(folder->lock);
        }
        if (done == HALO_OK) {
            done = rename_folder(folder);
        }
        if (done == HALO_OK && folder->flushes) {
            sync_around(folder);
        }
    }
    if (first && done != HALO_OK) {
        remove_own(folder->temporary, 0);
    }
    if (folder->lock >= 0) {
        close(folder->lock);
        folder->lock = -1;
    }
    return status == HALO_OK ? halo_agree(world, done) : status;
}
