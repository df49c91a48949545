#ifndef HALOBEAT_TESTS_FUZZ_MEMORY_FILE_H
#define HALOBEAT_TESTS_FUZZ_MEMORY_FILE_H

#include "fuzz/fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file that is in memory alone, for readers that take a name. It needs _GNU_SOURCE. */
typedef struct {
    int descriptor;
    char path[64];
    bool linked;
} memory_file;

static inline void memory_file_create(memory_file *file, const void *data, size_t size)
{
    file->descriptor = memfd_create("fuzzed", MFD_CLOEXEC);
    demand(file->descriptor >= 0 && write(file->descriptor, data, size) == (ssize_t)size);
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->descriptor);
    file->linked = false;
}

/* The same under a name with this ending. */
static inline void memory_file_create_named(memory_file *file, const void *data, size_t size,
                                            const char *ending)
{
    char target[64];
    memory_file_create(file, data, size);
    snprintf(target, sizeof target, "%s", file->path);
    snprintf(file->path, sizeof file->path, "/tmp/halobeat-fuzzed-%ld%s", (long)getpid(), ending);
    demand(symlink(target, file->path) == 0);
    file->linked = true;
}

/* Demands that the first bytes are `data`, and that there are no others if `whole`. */
static inline void memory_file_check(const memory_file *file, const void *data, size_t size,
                                     bool whole)
{
    demand(lseek(file->descriptor, 0, SEEK_END) >= (off_t)size);
    demand(!whole || lseek(file->descriptor, 0, SEEK_END) == (off_t)size);
    char *now = malloc(size + 1);
    demand(now != NULL && pread(file->descriptor, now, size, 0) == (ssize_t)size);
    for (size_t i = 0; i < size; i++) {
        demand(now[i] == ((const char *)data)[i]);
    }
    free(now);
}

static inline void memory_file_close(memory_file *file)
{
    demand(!file->linked || unlink(file->path) == 0);
    close(file->descriptor);
}

#endif
