/* Loaded into the program before its libraries (LD_PRELOAD): chosen calls that rename files fail,
 * as on a disk with an error, or on one that lacks what other disks have.
 *
 * FAIL_RENAMES="FIRST LAST [KILL]": calls of rename number FIRST to LAST, counted from 1 in each
 * process, fail; or with a third word the process is killed before call FIRST.
 * FAIL_LINKS=1: there are no hard links. FAIL_EXCHANGES=1: two names cannot be exchanged.
 * FOLD_CASE=1: a file is also there under its name in upper case. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long renames;

/* True if this call is one of those. */
static int fails(void)
{
    const char *text = getenv("FAIL_RENAMES");
    long first, last, number = atomic_fetch_add(&renames, 1) + 1;
    char kill_it[8] = "";
    if (text == NULL || sscanf(text, "%ld %ld %7s", &first, &last, kill_it) < 2) {
        return 0;
    }
    if (kill_it[0] != '\0' && number == first) {
        raise(SIGKILL);
    }
    return kill_it[0] == '\0' && number >= first && number <= last;
}

/* The C library's own function of that name. */
static void find(const char *name, void *function, size_t bytes)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, bytes);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    if (fails()) {
        errno = EIO;
        return -1;
    }
    find("rename", &next, sizeof next);
    return next(from, to);
}

int link(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    if (getenv("FAIL_LINKS") != NULL) {
        errno = EPERM;
        return -1;
    }
    find("link", &next, sizeof next);
    return next(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    int (*next)(int, const char *, int, const char *, unsigned);
    if (getenv("FAIL_EXCHANGES") != NULL) {
        errno = EINVAL;
        return -1;
    }
    find("renameat2", &next, sizeof next);
    return next(from_folder, from, to_folder, to, flags);
}

int access(const char *path, int mode)
{
    int (*next)(const char *, int);
    char lower[4096];
    size_t length = strlen(path);
    find("access", &next, sizeof next);
    int found = next(path, mode);
    const char *slash = strrchr(path, '/');
    if (found == 0 || getenv("FOLD_CASE") == NULL || slash == NULL || length >= sizeof lower) {
        return found;
    }
    for (size_t i = 0; i <= length; i++) {
        lower[i] = path + i > slash ? (char)tolower((unsigned char)path[i]) : path[i];
    }
    return next(lower, mode);
}
