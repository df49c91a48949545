/* Loaded into the program before its libraries (LD_PRELOAD): on a chosen rank, one chosen call for
 * memory or of the system fails, as it does when memory, a disk or processes have come to an end.
 *
 * FAIL_NTH="RANK KIND NUMBER [SIGNAL]" in the environment says which: "1 memory 23". With a fourth
 * word, a name in the table below, the process gets that signal before the call, and the call does
 * not fail: twice with "INT+INT". With HOLD, a line goes to the named pipe HOLD_TOLD, and the call
 * takes until there is a file HOLD_UNTIL. Kinds are in the table below. Calls for memory and for
 * processes count if the program itself makes them, or the C library or one of the libraries in the
 * list below for it; what MPI asks for is left alone. Calls for files count for files in
 * FAIL_FOLDER, whoever makes them.
 *
 * FAIL_SITES=FILE: the rank of FAIL_NTH="RANK" adds a line "KIND NUMBER PLACE" to it for each call,
 * in which PLACE is the same for calls from the same lines of the program. Nothing fails. */

#undef _FORTIFY_SOURCE /* with which the C library defines some of these functions inline */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { MEMORY, MAP, PROCESS, OPEN, READ, WRITE, SYNC, RENAME, ROOM, CLOSE, FOLDER, KINDS };

static const struct {
    const char *name;
    int error;
} kinds[KINDS] = {
    [MEMORY] = {"memory", ENOMEM}, [MAP] = {"map", ENOMEM},       [PROCESS] = {"process", EAGAIN},
    [OPEN] = {"open", EMFILE},     [READ] = {"read", EIO},        [WRITE] = {"write", ENOSPC},
    [SYNC] = {"sync", EIO},        [RENAME] = {"rename", EIO},    [ROOM] = {"room", ENOSPC},
    [CLOSE] = {"close", EIO},      [FOLDER] = {"folder", ENOSPC},
};

static const struct {
    const char *name;
    int number;
} signals[] = {{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},
               {"PIPE", SIGPIPE}, {"USR1", SIGUSR1}, {"TSTP", SIGTSTP}, {"STOP", SIGSTOP}};

/* Libraries that do what the program asks of them, in its own time. */
static const char *const helpers[] = {
    "/libc.so", "/libjansson", "/libtiff",  "/libjpeg",    "/libpng",   "/libz.so",   "/libisal",
    "/libzstd", "/liblz4",     "/libblosc", "/libxxhash.", "/ld-linux", "/libdeflate"};

/* Whose code lies at an address. */
typedef enum { OTHER, HELPER, OWN } owner;

enum { RANGES = 64, FRAMES = 40, DEPTH = 6, TEXT = 256 };

static struct {
    uintptr_t begin, end;
    owner owner;
} ranges[RANGES];
static int range_count;

/* Functions that stand in for others have no arguments of their own. */
static int wanted = -1, active, with_signal, times, holds;
static long chosen;
static const char *folder, *sites;
static atomic_long counts[KINDS];
/* Calls that are made here do not count. Of this model, it takes no memory when it is first used.
 */
static _Thread_local int inside __attribute__((tls_model("initial-exec")));

static int add_ranges(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    owner whose =
        info->dlpi_name[0] == '\0' || strstr(info->dlpi_name, "/libhalobeat") != NULL ? OWN : OTHER;
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers && whose == OTHER; i++) {
        whose = strstr(info->dlpi_name, helpers[i]) != NULL ? HELPER : OTHER;
    }
    for (int i = 0; whose != OTHER && i < info->dlpi_phnum && range_count < RANGES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            uintptr_t begin = info->dlpi_addr + part->p_vaddr;
            ranges[range_count].begin = begin;
            ranges[range_count].end = begin + part->p_memsz;
            ranges[range_count++].owner = whose;
        }
    }
    return 0;
}

/* Jobs of tasks, gnuplot and other programs inherit the environment. */
static int is_the_program(void)
{
    char path[PATH_MAX];
    const char *name = getenv("FAIL_PROGRAM");
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    return slash != NULL && strcmp(slash + 1, name != NULL ? name : "halobeat") == 0;
}

__attribute__((constructor)) static void choose(void)
{
    char kind[TEXT] = "", end[TEXT] = "";
    long rank = -1;
    void *frame;
    const char *point = getenv("FAIL_NTH"), *own = getenv("PMI_RANK");
    own = own != NULL ? own : getenv("OMPI_COMM_WORLD_RANK");
    if (point == NULL || sscanf(point, "%ld %255s %ld %255s", &rank, kind, &chosen, end) < 1 ||
        rank != (own != NULL ? atol(own) : 0) || !is_the_program()) {
        return;
    }
    for (int i = 0; i < KINDS; i++) {
        wanted = strcmp(kinds[i].name, kind) == 0 ? i : wanted;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        with_signal = strncmp(signals[i].name, end, strlen(signals[i].name)) == 0
                          ? signals[i].number
                          : with_signal;
    }
    times = strchr(end, '+') != NULL ? 2 : 1;
    holds = strcmp(end, "HOLD") == 0;
    folder = getenv("FAIL_FOLDER");
    sites = getenv("FAIL_SITES");
    backtrace(&frame, 1); /* it takes memory the first time */
    dl_iterate_phdr(add_ranges, NULL);
    active = 1;
}

static owner owner_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < range_count; i++) {
        if (at >= ranges[i].begin && at < ranges[i].end) {
            return ranges[i].owner;
        }
    }
    return OTHER;
}

/* The place is made of the program's own frames, and so does not depend on where it was loaded. */
static void note(int kind, long number, void *const *frames, int count)
{
    uint64_t place = 14695981039346656037U;
    char line[TEXT];
    int used = 0, file = open(sites, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < count && used < DEPTH; i++) {
        Dl_info info;
        if (owner_of(frames[i]) == OWN && dladdr(frames[i], &info) != 0) {
            uint64_t offset = (uint64_t)((uintptr_t)frames[i] - (uintptr_t)info.dli_fbase);
            place = (place ^ offset) * 1099511628211U;
            used++;
        }
    }
    int length = snprintf(line, sizeof line, "%s %ld %016lx\n", kinds[kind].name, number,
                          (unsigned long)place);
    if (file < 0 || write(file, line, (size_t)length) != length) {
        _exit(9);
    }
    close(file);
}

/* True if the program asks for this by itself or through a helper. */
static int is_own(void *const *frames, int count, const void *caller)
{
    int i = 0;
    while (i < count && frames[i] != caller) {
        i++;
    }
    for (; i < count; i++) {
        owner whose = owner_of(frames[i]);
        if (whose != HELPER) {
            return whose == OWN;
        }
    }
    return 0;
}

/* This thread may leave the signal to another one: the call waits until that has it. */
static void send_signal(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const int most = 5000; /* milliseconds: who blocks it for longer has it at the end */
    sigset_t pending;
    kill(getpid(), with_signal);
    for (int i = 0; i < most && sigpending(&pending) == 0 && sigismember(&pending, with_signal);
         i++) {
        nanosleep(&pause, NULL);
    }
}

static void hold(void)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    const char *pipe = getenv("HOLD_TOLD"), *until = getenv("HOLD_UNTIL");
    int told = pipe != NULL && until != NULL ? open(pipe, O_WRONLY | O_CLOEXEC) : -1;
    if (told < 0 || write(told, "here\n", 5) != 5) {
        _exit(9);
    }
    close(told);
    while (access(until, F_OK) != 0) {
        nanosleep(&pause, NULL);
    }
}

/* Counts a call; true if it is the one that fails. A file's call is the program's, whoever makes
 * it. */
static int fails(int kind, const void *caller, int is_a_files)
{
    if (!active || inside || (sites == NULL && kind != wanted)) {
        return 0;
    }
    if (!is_a_files && owner_of(caller) == OTHER) {
        return 0;
    }
    int before = errno, hit = 0;
    void *frames[FRAMES];
    inside = 1;
    int needs_frames = sites != NULL || (!is_a_files && owner_of(caller) != OWN);
    int count = needs_frames ? backtrace(frames, FRAMES) : 0;
    if (is_a_files || owner_of(caller) == OWN || is_own(frames, count, caller)) {
        long number = atomic_fetch_add(&counts[kind], 1) + 1;
        hit = sites == NULL && number == chosen;
        if (sites != NULL) {
            note(kind, number, frames, count);
        }
    }
    for (int i = 0; hit && with_signal != 0 && i < times; i++) {
        send_signal();
    }
    if (hit && holds) {
        hold();
    }
    hit = hit && with_signal == 0 && !holds;
    inside = 0;
    errno = hit ? kinds[kind].error : before;
    return hit;
}

static int is_in_folder(const char *path)
{
    return active && folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int file_is_in_folder(int file)
{
    char link[TEXT], path[PATH_MAX];
    if (!active || folder == NULL || inside) {
        return 0;
    }
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    errno = before;
    return is_in_folder(path);
}

/* Paths from the current folder on, and those from an open one. */
static int path_is_in_folder(int from, const char *path)
{
    if (path[0] == '/') {
        return is_in_folder(path);
    }
    char here[PATH_MAX];
    return from == AT_FDCWD ? active && getcwd(here, sizeof here) != NULL && is_in_folder(here)
                            : file_is_in_folder(from);
}

#define CALLER                 __builtin_return_address(0)
#define FILE_FAILS(kind, file) (file_is_in_folder(file) && fails(kind, CALLER, 1))
#define PATH_FAILS(kind, path) (path_is_in_folder(AT_FDCWD, path) && fails(kind, CALLER, 1))
#define STREAM_FAILS(kind, stream) \
    ((stream) != stdout && (stream) != stderr && FILE_FAILS(kind, fileno(stream)))

/* The C library's own function of that name. */
#define NEXT(type, name, parameters)          \
    type(*next) parameters;                   \
    {                                         \
        inside++;                             \
        void *found = dlsym(RTLD_NEXT, name); \
        inside--;                             \
        memcpy(&next, &found, sizeof next);   \
    }

/* ---- memory ------------------------------------------------------------------------------------
 */

void *malloc(size_t size)
{
    return fails(MEMORY, CALLER, 0) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(MEMORY, CALLER, 0) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(MEMORY, CALLER, 0) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MEMORY, CALLER, 0) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = fails(MEMORY, CALLER, 0) ? NULL : __libc_memalign(alignment, size);
    *out = block != NULL ? block : *out;
    return block != NULL ? 0 : ENOMEM;
}

/* The compiler may have put calls of these in the program in place of those of malloc. */
char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = fails(MEMORY, CALLER, 0) ? NULL : __libc_malloc(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset)
{
    if (fails(MAP, CALLER, 0)) {
        return MAP_FAILED;
    }
    NEXT(void *, "mmap", (void *, size_t, int, int, int, off_t))
    return next(at, bytes, access, flags, file, offset);
}

/* ---- processes and what connects them
 * ------------------------------------------------------------ */

pid_t fork(void)
{
    if (fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(pid_t, "fork", (void))
    return next();
}

/* A function that calls vfork must not return in the child: fork does as well. */
pid_t vfork(void)
{
    if (fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(pid_t, "fork", (void))
    return next();
}

int pipe(int ends[2])
{
    return fails(PROCESS, CALLER, 0) ? -1 : pipe2(ends, 0);
}

int pipe2(int ends[2], int flags)
{
    if (fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "pipe2", (int[2], int))
    return next(ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    if (fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "socketpair", (int, int, int, int[2]))
    return next(domain, type, protocol, ends);
}

int memfd_create(const char *name, unsigned flags)
{
    if (fails(PROCESS, CALLER, 0)) {
        return -1;
    }
    NEXT(int, "memfd_create", (const char *, unsigned))
    return next(name, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                   void *context)
{
    if (fails(PROCESS, CALLER, 0)) {
        return EAGAIN;
    }
    NEXT(int, "pthread_create", (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
    return next(thread, how, run, context);
}

#define SPAWN(name)                                                                            \
    int name(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,      \
             const posix_spawnattr_t *how, char *const arguments[], char *const environment[]) \
    {                                                                                          \
        if (fails(PROCESS, CALLER, 0)) {                                                       \
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

#define OPENS_AT(name)                                                 \
    int name(int from, const char *path, int flags, ...)               \
    {                                                                  \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = mode_of(flags, rest);                            \
        va_end(rest);                                                  \
        if (path_is_in_folder(from, path) && fails(OPEN, CALLER, 1)) { \
            return -1;                                                 \
        }                                                              \
        NEXT(int, #name, (int, const char *, int, ...))                \
        return next(from, path, flags, mode);                          \
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

/* What cannot be closed is closed all the same. */
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
    if (path_is_in_folder(from_folder, from) && fails(RENAME, CALLER, 1)) {
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
