#define _GNU_SOURCE /* F_OFD_SETLK; realpath, fsync */
#include "core/file/atomic.h"

#include "base/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100, PATH_SIZE = HALO_ATOMIC_PATH_SIZE };

static const struct {
    int reason;
    const char *remedy;
} REMEDIES[] = {
    {ENOSPC, "free some, or write elsewhere"},
    {EDQUOT, "free some, or write elsewhere"},
    {EFBIG, "raise the limit on file sizes (ulimit -f), or write elsewhere"},
    {EEXIST, "remove what runs that were killed have left beside it (.NAME.partial-*)"},
    {ENOENT, "create the folder first, or write elsewhere"},
    {ENOTDIR, "part of the path is a file; write elsewhere"},
    {EISDIR, "name a file in it"},
    {EACCES, "change its permissions, or write elsewhere"},
    {EPERM, "change its permissions, or write elsewhere"},
    {EROFS, "write elsewhere"},
    {ENAMETOOLONG, "choose a shorter name"},
    {EMFILE, "raise the limit on open files (ulimit -n)"},
    {EIO, "check the disk, or write elsewhere"},
};

halo_status halo_atomic_fail(const char *path, int reason)
{
    for (size_t i = 0; i < sizeof REMEDIES / sizeof REMEDIES[0]; i++) {
        if (REMEDIES[i].reason == reason) {
            return halo_fail(HALO_FILE, "cannot write %s: %s; %s", path, strerror(reason),
                             REMEDIES[i].remedy);
        }
    }
    return halo_fail(HALO_FILE, "cannot write %s: %s", path, strerror(reason));
}

static halo_status check_folder(const char *target, const char *path)
{
    char folder[PATH_SIZE];
    halo_partial_folder(target, folder);
    bool usable = access(folder[0] == '\0' ? "." : folder, W_OK | X_OK) == 0;
    return usable ? HALO_OK : halo_atomic_fail(path, errno);
}

/* A link is opened as a shell would, so that the system's protection of links that others have put
 * into folders for all holds (fs.protected_symlinks). */
static halo_status follow_link(const char *path, char *target)
{
    int handle = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle < 0 && errno == EACCES) {
        return halo_atomic_fail(path, EACCES);
    }
    if (handle >= 0) {
        close(handle);
    }
    char *resolved = realpath(path, NULL);
    if (resolved != NULL && strlen(resolved) < PATH_SIZE) {
        strcpy(target, resolved);
    }
    free(resolved);
    return HALO_OK;
}

/* Data for standard output are kept in this folder until they are complete. */
static halo_status find_temporary(char *target)
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(target, PATH_SIZE, "%s/halobeat-output",
                          folder != NULL && *folder != '\0' ? folder : "/tmp");
    return length < PATH_SIZE
               ? check_folder(target, target)
               : halo_fail(HALO_FILE, "TMPDIR is a name of more than %d bytes", PATH_SIZE);
}

halo_status halo_atomic_target(char *target, const char *path)
{
    if (halo_is_standard(path)) {
        return find_temporary(target);
    }
    if (path[0] == '\0') {
        return halo_fail(HALO_FILE, "cannot write a file without a name; name one");
    }
    if (strlen(path) >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "cannot write %.100s...: a path may have %d bytes", path,
                         PATH_SIZE - 1);
    }
    struct stat there;
    strcpy(target, path);
    bool is_there = lstat(path, &there) == 0;
    if (is_there && S_ISLNK(there.st_mode)) {
        HALO_TRY(follow_link(path, target));
        is_there = stat(target, &there) == 0;
    }
    if (!is_there) {
        return errno == ENOENT ? check_folder(target, path) : halo_atomic_fail(path, errno);
    }
    if (S_ISDIR(there.st_mode)) {
        return halo_atomic_fail(path, EISDIR);
    }
    if (!S_ISREG(there.st_mode)) {
        return halo_fail(HALO_FILE,
                         "cannot write %s: it is a device or a pipe; name an ordinary file", path);
    }
    if (access(target, W_OK) != 0) {
        return halo_atomic_fail(path, errno);
    }
    return check_folder(target, path);
}

/* A lock of this open file, which ends with the last process that has it open, on any host that
 * shares the disk. It is beyond all data: functions of a transport may lock what they write (those
 * of MPI do on some disks). 0 or errno's value. */
static int lock_file(int handle)
{
    struct flock beyond = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
    return fcntl(handle, F_OFD_SETLK, &beyond) == 0 ? 0 : errno;
}

/* Remove the file if nobody has it locked, who writes to it or is about to. */
static void remove_if_left(int folder, const char *name)
{
    int handle = openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat there;
    if (handle < 0) {
        return;
    }
    if (fstat(handle, &there) == 0 && S_ISREG(there.st_mode) && lock_file(handle) == 0) {
        unlinkat(folder, name, 0);
    }
    close(handle);
}

void halo_atomic_clean(const char *path)
{
    char target[PATH_SIZE];
    if (halo_atomic_target(target, path) == HALO_OK) {
        halo_partial_each(target, false, remove_if_left);
    }
}

void halo_atomic_clean_folder(const char *target)
{
    halo_partial_each(target, true, remove_if_left);
}

/* Another process that cleans may have come between the two calls, and has the lock or has removed
 * the file: then EEXIST. A disk without locks has files that nobody cleans. */
static int create_locked(const char *name, mode_t mode, int *lock)
{
    struct stat created;
    int handle = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (handle < 0) {
        return errno;
    }
    int reason = lock_file(handle);
    bool taken = reason == EAGAIN || reason == EACCES;
    if (taken || fstat(handle, &created) != 0 || created.st_nlink == 0) {
        close(handle);
        return EEXIST;
    }
    *lock = handle;
    return 0;
}

/* A file that replaces another, or goes to standard output, must not be readable for others before
 * it is complete. The name is empty after a failure. */
static halo_status create_file(halo_atomic_file *file)
{
    enum { ANYBODY = 0666, OWNER = 0600 };
    struct stat there;
    bool hides = halo_is_standard(file->path) || stat(file->target, &there) == 0;
    int reason = EEXIST;
    if (!file->many) {
        halo_partial_each(file->target, false, remove_if_left);
    }
    for (int i = 0; i < NAMES_TRIED && reason == EEXIST; i++) {
        reason = halo_partial_name(file->temporary, file->target, "partial")
                     ? create_locked(file->temporary, hides ? OWNER : ANYBODY, &file->lock)
                     : ENAMETOOLONG;
    }
    if (reason == 0) {
        return HALO_OK;
    }
    file->temporary[0] = '\0';
    return halo_atomic_fail(file->path, reason);
}

halo_status halo_atomic_begin(halo_atomic_file *file, const char *path)
{
    HALO_TRY(halo_atomic_target(file->target, path));
    memcpy(file->path, path, strlen(path) + 1);
    return create_file(file);
}

/* So that the name outlasts a loss of power, too. Not every disk can do it. */
static void sync_folder(const char *target)
{
    char folder[PATH_SIZE];
    halo_partial_folder(target, folder);
    int handle = open(folder[0] == '\0' ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

static halo_status send_out(const halo_atomic_file *file)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    int handle = open(file->temporary, O_RDONLY | O_CLOEXEC);
    ssize_t got = handle;
    halo_status status = HALO_OK;
    while (status == HALO_OK && handle >= 0 && (got = read(handle, piece, sizeof piece)) > 0) {
        status = halo_standard_output_write(piece, (size_t)got);
    }
    if (status == HALO_OK && got < 0) {
        status = halo_atomic_fail(file->temporary, errno);
    }
    if (handle >= 0) {
        close(handle);
    }
    return status;
}

/* The file must be on the disk before its name is, or a crash could leave an empty one. */
static halo_status complete(const halo_atomic_file *file)
{
    const halo_partial_rights rights = halo_partial_rights_of(file->target);
    halo_partial_rights_give(&rights, file->lock);
    return file->many || fsync(file->lock) == 0 ? HALO_OK : halo_atomic_fail(file->path, errno);
}

/* The file has its name. */
static void finish(halo_atomic_file *file)
{
    if (!file->many) {
        sync_folder(file->target);
    }
    close(file->lock);
    file->temporary[0] = '\0';
}

halo_status halo_atomic_commit(halo_atomic_file *file)
{
    if (halo_is_standard(file->path)) {
        HALO_TRY(send_out(file));
        halo_atomic_discard(file);
        return HALO_OK;
    }
    HALO_TRY(complete(file));
    if (rename(file->temporary, file->target) != 0) {
        return halo_atomic_fail(file->path, errno);
    }
    finish(file);
    return HALO_OK;
}

/* ---- two files, or none ---------------------------------------------------------------------- */

/* Keeps what has the file's name under a second one, `kept`, that is empty if nothing is there. On
 * disks without hard links it then no longer has the first. */
static int keep(const halo_atomic_file *file, char kept[PATH_SIZE])
{
    char name[PATH_SIZE];
    struct stat there;
    kept[0] = '\0';
    if (lstat(file->target, &there) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (S_ISDIR(there.st_mode)) {
        return EISDIR; /* and could be renamed as a file */
    }
    if (!halo_partial_name(name, file->target, "old")) {
        return ENAMETOOLONG;
    }
    if (link(file->target, name) != 0 && rename(file->target, name) != 0) {
        return errno;
    }
    memcpy(kept, name, strlen(name) + 1);
    return 0;
}

static bool are_one(const char *a, const char *b)
{
    struct stat one, other;
    return lstat(a, &one) == 0 && lstat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A name that a failing rename cannot give back, a link may. What gets neither stays as `kept`. */
static void put_back(const halo_atomic_file *file, char *kept)
{
    if (are_one(kept, file->target) || rename(kept, file->target) == 0) {
        return;
    }
    unlink(file->target);
    if (link(kept, file->target) != 0) {
        kept[0] = '\0';
    }
}

/* 0 or errno's value. The old header goes before the new samples come, so that it never stands over
 * them, whenever this process is killed or power is lost. */
static int rename_both(const halo_atomic_file *data, const halo_atomic_file *head, bool *moved)
{
    bool there = unlink(head->target) == 0;
    if (!there && errno != ENOENT) {
        return errno;
    }
    if (there && !head->many) {
        sync_folder(head->target);
    }
    *moved = rename(data->temporary, data->target) == 0;
    return *moved && rename(head->temporary, head->target) == 0 ? 0 : errno;
}

/* As rename_both; after a failure both names have what they had. */
static int replace_both(const halo_atomic_file *data, const halo_atomic_file *head)
{
    char old_data[PATH_SIZE] = "", old_head[PATH_SIZE] = "";
    bool moved = false;
    int reason = keep(data, old_data);
    reason = reason == 0 ? keep(head, old_head) : reason;
    reason = reason == 0 ? rename_both(data, head, &moved) : reason;
    if (reason != 0 && old_data[0] != '\0') {
        put_back(data, old_data);
    } else if (moved && reason != 0) {
        unlink(data->target);
    }
    if (reason != 0 && old_head[0] != '\0') {
        put_back(head, old_head);
    }
    /* Renaming one of two names of a file to the other leaves both. */
    unlink(old_data);
    unlink(old_head);
    return reason;
}

halo_status halo_atomic_commit_both(halo_atomic_file *data, halo_atomic_file *head)
{
    HALO_TRY(complete(data));
    HALO_TRY(complete(head));
    int reason = replace_both(data, head);
    if (reason != 0) {
        return halo_atomic_fail(head->path, reason);
    }
    finish(data);
    finish(head);
    return HALO_OK;
}

void halo_atomic_discard(halo_atomic_file *file)
{
    if (file->temporary[0] != '\0') {
        unlink(file->temporary);
        close(file->lock);
        file->temporary[0] = '\0';
    }
}
