#define _GNU_SOURCE /* F_OFD_SETLK; dirfd, realpath, fsync */
#include "core/file/atomic.h"

#include "base/standard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_KEPT = 200, /* of the target's name: with all the rest 255 bytes at most */
    PREFIX_SIZE = 256,
    NAMES_TRIED = 100,
    PATH_SIZE = HALO_ATOMIC_PATH_SIZE
};

static const char PARTIAL[] = ".partial-";

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

/* The folder of `path`, with its slash; empty for the current one. `folder` has room for
 * strlen(path) + 1 bytes. */
static void find_folder(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    memcpy(folder, path, bytes);
    folder[bytes] = '\0';
}

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
    find_folder(target, folder);
    bool usable = access(folder[0] == '\0' ? "." : folder, W_OK | X_OK) == 0;
    return usable ? HALO_OK : halo_atomic_fail(path, errno);
}

/* A link is opened as a shell would, so that the system's protection of links that others have put
 * into folders for all holds (fs.protected_symlinks). */
static halo_status check_link(const char *path)
{
    struct stat there;
    if (lstat(path, &there) != 0 || !S_ISLNK(there.st_mode)) {
        return HALO_OK;
    }
    int handle = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle >= 0) {
        close(handle);
        return HALO_OK;
    }
    return errno == EACCES ? halo_atomic_fail(path, EACCES) : HALO_OK;
}

/* Where data for standard output are kept until they are whole. */
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
    HALO_TRY(check_link(path));
    char *resolved = realpath(path, NULL);
    const char *followed = resolved != NULL && strlen(resolved) < PATH_SIZE ? resolved : path;
    memcpy(target, followed, strlen(followed) + 1);
    free(resolved);
    struct stat there;
    if (stat(target, &there) != 0) {
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

/* What the names of all temporary files for `target` begin with. */
static void name_prefix(char *out, const char *target)
{
    const char *slash = strrchr(target, '/');
    snprintf(out, PREFIX_SIZE, ".%.*s%s", (int)NAME_KEPT, slash == NULL ? target : slash + 1,
             PARTIAL);
}

/* A name that no other process uses, beside the target. False if it does not fit. */
static bool name_file(char *out, const char *target)
{
    char prefix[PREFIX_SIZE];
    uint64_t number;
    if (strlen(target) >= PATH_SIZE || getrandom(&number, sizeof number, 0) < 0) {
        return false;
    }
    name_prefix(prefix, target);
    find_folder(target, out);
    size_t folder = strlen(out);
    int length = snprintf(out + folder, PATH_SIZE - folder, "%s%016" PRIx64, prefix, number);
    return length >= 0 && (size_t)length < PATH_SIZE - folder;
}

/* A lock of this open file, which ends with the last process that has it open, on any host that
 * shares the disk. It is beyond all data: MPI locks what it writes on some disks. 0 or errno's
 * value. */
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

/* Files of names that begin with `prefix` and have `mark` in them. */
static void clean(const char *target, const char *prefix, const char *mark)
{
    char folder[PATH_SIZE];
    if (strlen(target) >= sizeof folder) {
        return; /* nobody can have written there */
    }
    find_folder(target, folder);
    DIR *open = opendir(folder[0] == '\0' ? "." : folder);
    if (open == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
            strstr(entry->d_name, mark) != NULL) {
            remove_if_left(dirfd(open), entry->d_name);
        }
    }
    closedir(open);
}

void halo_atomic_clean_folder(const char *target)
{
    clean(target, ".", PARTIAL);
}

/* Another process that cleans may have come between the two calls, and has the lock or has removed
 * the file: then EEXIST. A disk without locks has files that nobody cleans. */
static int create_locked(const char *name, int *lock)
{
    struct stat created;
    int handle = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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

/* The name is empty after a failure. */
static halo_status create_file(halo_atomic_file *file)
{
    int reason = EEXIST;
    if (!file->many) {
        char prefix[PREFIX_SIZE];
        name_prefix(prefix, file->target);
        clean(file->target, prefix, PARTIAL);
    }
    for (int i = 0; i < NAMES_TRIED && reason == EEXIST; i++) {
        reason = name_file(file->temporary, file->target)
                     ? create_locked(file->temporary, &file->lock)
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

/* What is replaced keeps its mode, and its owner where that may be given away. */
static void keep_rights(int handle, const char *target)
{
    struct stat there;
    if (stat(target, &there) != 0) {
        return;
    }
    /* Giving it away takes bits of the mode with it. */
    int given = geteuid() == 0 ? fchown(handle, there.st_uid, there.st_gid) : 0;
    int kept = fchmod(handle, there.st_mode & 07777);
    (void)given;
    (void)kept;
}

/* So that the name outlasts a loss of power, too. Not every disk can do it. */
static void sync_folder(const char *target)
{
    char folder[PATH_SIZE];
    find_folder(target, folder);
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
halo_status halo_atomic_commit(halo_atomic_file *file)
{
    if (halo_is_standard(file->path)) {
        HALO_TRY(send_out(file));
        halo_atomic_discard(file);
        return HALO_OK;
    }
    keep_rights(file->lock, file->target);
    if ((!file->many && fsync(file->lock) != 0) || rename(file->temporary, file->target) != 0) {
        return halo_atomic_fail(file->path, errno);
    }
    if (!file->many) {
        sync_folder(file->target);
    }
    close(file->lock);
    file->temporary[0] = '\0';
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
