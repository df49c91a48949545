/* Prototypes that have no checks of their own: `open` is defined here. */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "io/hdf5/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libhdf5 opens whatever a link names, and would wait for a fifo without end. Its calls of `open`
 * arrive here, since a program's functions come before those of libraries. There is no parameter
 * for a state, which is that of the process, as the table of its files is. */

static struct {
    bool watching;
    char **names; /* [count] real names of the files that were opened */
    int64_t count, room;
    char refused[HDF5_SENTENCE / 2]; /* the last name that could not be opened, and why; or "" */
    bool odd;                        /* that one is there, but no ordinary file */
    bool short_of; /* of descriptors or memory: a file that is there could not be opened */
} gate;

/* The library goes on with other folders where a name is not there, or is no ordinary file. */
static void refuse(const char *path, const char *reason)
{
    if (gate.odd) {
        return;
    }
    snprintf(gate.refused, sizeof gate.refused, "%.150s: %.60s", path, reason);
}

static bool note(char *name)
{
    for (int64_t i = 0; i < gate.count; i++) {
        if (strcmp(gate.names[i], name) == 0) {
            free(name);
            return true;
        }
    }
    if (gate.count == gate.room) {
        int64_t room = 2 * gate.room + 16;
        char **names = realloc(gate.names, (size_t)room * sizeof *names);
        if (names == NULL) {
            free(name);
            return false;
        }
        gate.names = names;
        gate.room = room;
    }
    gate.names[gate.count++] = name;
    return true;
}

bool hdf5_gate_note(const char *path)
{
    char *real = realpath(path, NULL);
    return real != NULL && note(real);
}

/* Open regular files only. */
static int open_file(const char *path, int flags)
{
    struct stat about;
    int file = stat(path, &about) != 0  ? -1
               : S_ISREG(about.st_mode) ? (int)syscall(SYS_openat, AT_FDCWD, path,
                                                       flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
                                        : -2;
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(file);
        file = -2;
    }
    if (file == -2) {
        refuse(path, "is no ordinary file");
        gate.odd = true;
        errno = EACCES;
        return -1;
    }
    if (file < 0) {
        int reason = errno;
        gate.short_of = gate.short_of || (reason != ENOENT && reason != ENOTDIR);
        refuse(path, strerror(reason));
        errno = reason;
        return -1;
    }
    gate.refused[0] = '\0';
    gate.odd = false;
    gate.short_of = gate.short_of || !hdf5_gate_note(path);
    return file;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list more;
        va_start(more, flags);
        mode = (mode_t)va_arg(more, unsigned);
        va_end(more);
    }
    if (!gate.watching) {
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0) {
        errno = EROFS;
        return -1;
    }
    return open_file(path, flags);
}

void hdf5_gate_watch(void)
{
    gate.watching = true;
}

const char *hdf5_gate_refused(void)
{
    return gate.refused;
}

bool hdf5_gate_short(void)
{
    return gate.short_of;
}

const char *hdf5_gate_name(uint64_t index)
{
    return index < (uint64_t)gate.count ? gate.names[index] : NULL;
}
