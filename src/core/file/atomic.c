#define _DEFAULT_SOURCE /* gethostname, kill, dirfd, realpath, fsync */
#include "core/file/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_KEPT = 113, /* of the target's name: with all the rest 255 bytes at most */
    HOST_KEPT = 64,
    BOOT_KEPT = 36,
    PREFIX_SIZE = 256,
    NAMES_TRIED = 100,
    PATH_SIZE = HALO_ATOMIC_PATH_SIZE
};

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

halo_status halo_atomic_target(char *target, const char *path)
{
    if (path[0] == '\0') {
        return halo_fail(HALO_FILE, "cannot write a file without a name; name one");
    }
    if (strlen(path) >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "cannot write %.100s...: a path may have %d bytes", path,
                         PATH_SIZE - 1);
    }
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

/* Empty where there is no such thing. */
static void read_boot(char *out)
{
    FILE *from = fopen("/proc/sys/kernel/random/boot_id", "r");
    size_t bytes = from != NULL ? fread(out, 1, BOOT_KEPT, from) : 0;
    out[bytes] = '\0';
    out[strcspn(out, "/\n")] = '\0';
    if (from != NULL) {
        fclose(from);
    }
}

/* 0 where there is no such thing. */
static unsigned long long process_space(void)
{
    struct stat space;
    return stat("/proc/self/ns/pid", &space) == 0 ? (unsigned long long)space.st_ino : 0;
}

/* What the names of this machine's processes have in common. */
static void name_prefix(char *out, const char *target)
{
    const char *slash = strrchr(target, '/');
    char host[HOST_KEPT + 1] = "";
    char boot[BOOT_KEPT + 1];
    if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    for (char *c = host; *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    read_boot(boot);
    snprintf(out, PREFIX_SIZE, ".%.*s.partial-%s-%s-%llx-", (int)NAME_KEPT,
             slash == NULL ? target : slash + 1, host, boot, process_space());
}

/* Attempts 0, 1, ... have different names. False if a name does not fit. */
static bool name_file(char *out, const char *target, int attempt)
{
    char prefix[PREFIX_SIZE];
    name_prefix(prefix, target);
    if (strlen(target) >= PATH_SIZE) {
        return false;
    }
    find_folder(target, out);
    size_t folder = strlen(out);
    int length =
        snprintf(out + folder, PATH_SIZE - folder, "%s%ld-%d", prefix, (long)getpid(), attempt);
    return length >= 0 && (size_t)length < PATH_SIZE - folder;
}

/* Is `name` a process's that no longer exists? Numbers may have been given to a new process since:
 * then the file stays, which harms nobody. */
static bool is_left_behind(const char *name, const char *prefix)
{
    size_t bytes = strlen(prefix);
    if (strncmp(name, prefix, bytes) != 0) {
        return false;
    }
    char *end;
    errno = 0;
    long process = strtol(name + bytes, &end, 10);
    if (errno != 0 || process <= 0 || process > INT_MAX || end[0] != '-' || end[1] == '\0' ||
        end[1 + strspn(end + 1, "0123456789")] != '\0') {
        return false;
    }
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static void clean(const char *target)
{
    char prefix[PREFIX_SIZE];
    char folder[PATH_SIZE];
    if (strlen(target) >= sizeof folder) {
        return; /* nobody can have written there */
    }
    find_folder(target, folder);
    DIR *open = opendir(folder[0] == '\0' ? "." : folder);
    if (open == NULL) {
        return;
    }
    name_prefix(prefix, target);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        if (is_left_behind(entry->d_name, prefix)) {
            unlinkat(dirfd(open), entry->d_name, 0);
        }
    }
    closedir(open);
}

/* The name is empty after a failure. */
static halo_status create_file(char *out, const char *target, const char *path)
{
    int reason = EEXIST;
    clean(target);
    for (int i = 0; i < NAMES_TRIED && reason == EEXIST; i++) {
        if (!name_file(out, target, i)) {
            reason = ENAMETOOLONG;
            break;
        }
        int handle = open(out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (handle >= 0) {
            close(handle);
            return HALO_OK;
        }
        reason = errno;
    }
    out[0] = '\0';
    return halo_atomic_fail(path, reason);
}

halo_status halo_atomic_begin(halo_atomic_file *file, const char *path)
{
    HALO_TRY(halo_atomic_target(file->target, path));
    memcpy(file->path, path, strlen(path) + 1);
    return create_file(file->temporary, file->target, path);
}

/* The file must be on the disk before its name is, or a crash could leave an empty one. */
halo_status halo_atomic_commit(halo_atomic_file *file)
{
    int handle = open(file->temporary, O_RDONLY);
    if (handle < 0) {
        return halo_atomic_fail(file->path, errno);
    }
    int reason = fsync(handle) == 0 ? 0 : errno;
    close(handle);
    if (reason == 0 && rename(file->temporary, file->target) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        return halo_atomic_fail(file->path, reason);
    }
    file->temporary[0] = '\0';
    return HALO_OK;
}

void halo_atomic_discard(halo_atomic_file *file)
{
    if (file->temporary[0] != '\0') {
        unlink(file->temporary);
        file->temporary[0] = '\0';
    }
}
