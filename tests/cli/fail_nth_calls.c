/* The functions that stand in for those of the C library in fail_nth.so: see fail_nth.c. */

#undef _FORTIFY_SOURCE /* with which the C library defines some of these functions inline */
#define _GNU_SOURCE
#include "fail_nth.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define CALLER                 __builtin_return_address(0)
#define FILE_FAILS(kind, file) (fail_nth_has_file(file) && fail_nth_fails(kind, CALLER, 1))
#define PATH_FAILS(kind, path) \
    (fail_nth_has_path(AT_FDCWD, path) && fail_nth_fails(kind, CALLER, 1))
#define STREAM_FAILS(kind, stream) \
    ((stream) != stdout && (stream) != stderr && FILE_FAILS(kind, fileno(stream)))

/* The C library's own function of that name. */
#define NEXT(type, name, parameters)          \
    type(*next) parameters;                   \
    {                                         \
        fail_nth_inside++;                    \
        void *found = dlsym(RTLD_NEXT, name); \
        fail_nth_inside--;                    \
        memcpy(&next, &found, sizeof next);   \
    }

/* ---- memory ------------------------------------------------------------------------------------
 */

void *malloc(size_t size)
{
    return fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_memalign(alignment, size);
    *out = block != NULL ? block : *out;
    return block != NULL ? 0 : ENOMEM;
}

/* The compiler may have put calls of these in the program in place of those of malloc. */
char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = fail_nth_fails(MEMORY, CALLER, 0) ? NULL : __libc_malloc(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    if (fail_nth_fails(MAP, CALLER, 0)) {
        return MAP_FAILED;
    }
    NEXT(void *, "mmap", (void *, size_t, int, int, int, off_t))
    return next(at, bytes, access, flags, file, offset);
}

/* ---- libraries ----------------------------------------------------------------------------------
 */

/* Some are loaded only when a file needs them. */
void *dlopen(const char *name, int how)
{
    NEXT(void *, "dlopen", (const char *, int))
    void *library = next(name, how);
    if (fail_nth_active && library != NULL) {
        fail_nth_look_at_libraries();
    }
    return library;
}

/* ---- processes and what connects them
 * ------------------------------------------------------------ */

pid_t fork(void)
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(pid_t, "fork", (void))
    return next();
}

/* A function that calls vfork must not return in the child: fork does as well. */
pid_t vfork(void)
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(pid_t, "fork", (void))
    return next();
}

int pipe(int ends[2])
{
    return fail_nth_fails(PROCESS, CALLER, 0) ? -1 : pipe2(ends, 0);
}

int pipe2(int ends[2], int flags)
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "pipe2", (int[2], int))
    return next(ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "socketpair", (int, int, int, int[2]))
    return next(domain, type, protocol, ends);
}

int memfd_create(const char *name, unsigned flags)
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "memfd_create", (const char *, unsigned))
    return next(name, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                   void *context)
{
    if (fail_nth_fails(PROCESS, CALLER, 0)) {
        return EAGAIN;
    }
    NEXT(int, "pthread_create", (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
    return next(thread, how, run, context);
}

#define SPAWN(name)                                                                            \
    int name(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,      \
             const posix_spawnattr_t *how, char *const arguments[], char *const environment[]) \
    {                                                                                          \
        if (fail_nth_fails(PROCESS, CALLER, 0)) {                                              \
            return EAGAIN;                                                                     \
        }                                                                                      \
        NEXT(int, #name,                                                                       \
             (pid_t *, const char *, const posix_spawn_file_actions_t *,                       \
              const posix_spawnattr_t *, char *const[], char *const[]))                        \
        return next(process, path, actions, how, arguments, environment);                      \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* ---- files
 * --------------------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list rest)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                                \
    int name(const char *path, int flags, ...)     \
    {                                              \
        va_list rest;                              \
        va_start(rest, flags);                     \
        mode_t mode = mode_of(flags, rest);        \
        va_end(rest);                              \
        if (PATH_FAILS(OPEN, path)) {              \
            return -1;                             \
        }                                          \
        NEXT(int, #name, (const char *, int, ...)) \
        return next(path, flags, mode);            \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                          \
    int name(int from, const char *path, int flags, ...)                        \
    {                                                                           \
        va_list rest;                                                           \
        va_start(rest, flags);                                                  \
        mode_t mode = mode_of(flags, rest);                                     \
        va_end(rest);                                                           \
        if (fail_nth_has_path(from, path) && fail_nth_fails(OPEN, CALLER, 1)) { \
            return -1;                                                          \
        }                                                                       \
        NEXT(int, #name, (int, const char *, int, ...))                         \
        return next(from, path, flags, mode);                                   \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* A call of one file that has the same shape under two names. */
#define OF_FILE(type, failed, name, kind, parameters, types, arguments) \
    type name parameters                                                \
    {                                                                   \
        if (FILE_FAILS(kind, file)) {                                   \
            return failed;                                              \
        }                                                               \
        NEXT(type, #name, types)                                        \
        return next arguments;                                          \
    }
OF_FILE(ssize_t, -1, read, READ, (int file, void *data, size_t bytes), (int, void *, size_t),
        (file, data, bytes))
OF_FILE(ssize_t, -1, pread, READ, (int file, void *data, size_t bytes, off_t at),
        (int, void *, size_t, off_t), (file, data, bytes, at))
OF_FILE(ssize_t, -1, pread64, READ, (int file, void *data, size_t bytes, off_t at),
        (int, void *, size_t, off_t), (file, data, bytes, at))
OF_FILE(ssize_t, -1, __pread_chk, READ, (int file, void *data, size_t bytes, off_t at, size_t room),
        (int, void *, size_t, off_t, size_t), (file, data, bytes, at, room))
OF_FILE(ssize_t, -1, write, WRITE, (int file, const void *data, size_t bytes),
        (int, const void *, size_t), (file, data, bytes))
OF_FILE(ssize_t, -1, pwrite, WRITE, (int file, const void *data, size_t bytes, off_t at),
        (int, const void *, size_t, off_t), (file, data, bytes, at))
OF_FILE(ssize_t, -1, pwrite64, WRITE, (int file, const void *data, size_t bytes, off_t at),
        (int, const void *, size_t, off_t), (file, data, bytes, at))
OF_FILE(int, -1, fsync, SYNC, (int file), (int), (file))
OF_FILE(int, -1, fdatasync, SYNC, (int file), (int), (file))
OF_FILE(int, -1, ftruncate, ROOM, (int file, off_t bytes), (int, off_t), (file, bytes))
OF_FILE(int, -1, ftruncate64, ROOM, (int file, off_t bytes), (int, off_t), (file, bytes))
OF_FILE(int, -1, fallocate, ROOM, (int file, int mode, off_t at, off_t bytes),
        (int, int, off_t, off_t), (file, mode, at, bytes))
OF_FILE(int, ENOSPC, posix_fallocate, ROOM, (int file, off_t at, off_t bytes), (int, off_t, off_t),
        (file, at, bytes))
OF_FILE(int, ENOSPC, posix_fallocate64, ROOM, (int file, off_t at, off_t bytes),
        (int, off_t, off_t), (file, at, bytes))
OF_FILE(int, -1, fchmod, ROOM, (int file, mode_t mode), (int, mode_t), (file, mode))

/* A close that is to fail closes the file all the same. */
int close(int file)
{
    int hit = FILE_FAILS(CLOSE, file);
    NEXT(int, "close", (int))
    int code = next(file);
    errno = hit ? EIO : errno;
    return hit ? -1 : code;
}

FILE *fopen(const char *path, const char *mode)
{
    if (PATH_FAILS(OPEN, path)) {
        return NULL;
    }
    NEXT(FILE *, "fopen", (const char *, const char *))
    return next(path, mode);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    if (STREAM_FAILS(WRITE, stream)) {
        return 0;
    }
    NEXT(size_t, "fwrite", (const void *, size_t, size_t, FILE *))
    return next(data, size, count, stream);
}

size_t fread(void *data, size_t size, size_t count, FILE *stream)
{
    if (STREAM_FAILS(READ, stream)) {
        return 0;
    }
    NEXT(size_t, "fread", (void *, size_t, size_t, FILE *))
    return next(data, size, count, stream);
}

int fflush(FILE *stream)
{
    if (stream != NULL && STREAM_FAILS(WRITE, stream)) {
        return EOF;
    }
    NEXT(int, "fflush", (FILE *))
    return next(stream);
}

int fclose(FILE *stream)
{
    int hit = STREAM_FAILS(CLOSE, stream);
    NEXT(int, "fclose", (FILE *))
    int code = next(stream);
    errno = hit ? EIO : errno;
    return hit ? EOF : code;
}

int rename(const char *from, const char *to)
{
    if (PATH_FAILS(RENAME, from)) {
        return -1;
    }
    NEXT(int, "rename", (const char *, const char *))
    return next(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (fail_nth_has_path(from_folder, from) && fail_nth_fails(RENAME, CALLER, 1)) {
        return -1;
    }
    NEXT(int, "renameat2", (int, const char *, int, const char *, unsigned))
    return next(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    if (PATH_FAILS(RENAME, from)) {
        return -1;
    }
    NEXT(int, "link", (const char *, const char *))
    return next(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    if (PATH_FAILS(FOLDER, path)) {
        return -1;
    }
    NEXT(int, "mkdir", (const char *, mode_t))
    return next(path, mode);
}

DIR *fdopendir(int file)
{
    if (FILE_FAILS(FOLDER, file)) {
        return NULL;
    }
    NEXT(DIR *, "fdopendir", (int))
    return next(file);
}

DIR *opendir(const char *path)
{
    if (PATH_FAILS(FOLDER, path)) {
        return NULL;
    }
    NEXT(DIR *, "opendir", (const char *))
    return next(path);
}
