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

#define _GNU_SOURCE
#include "fail_nth.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    "/libc.so",    "/libjansson", "/libtiff", "/libjpeg",  "/libpng",     "/libz.so",
    "/libisal",    "/libzstd",    "/liblz4",  "/libblosc", "/libxxhash.", "/ld-linux",
    "/libdeflate", "/libbz2",     "/liblzma", "/libjbig",  "/libwebp"};

/* Whose code lies at an address. */
typedef enum { OTHER, HELPER, OWN } owner;

enum { RANGES = 128, FRAMES = 40, DEPTH = 6, TEXT = 256 };

static struct {
    uintptr_t begin, end;
    owner owner;
} ranges[RANGES];
static atomic_int range_count; /* grows when the program loads a library; written with the lock */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Functions that stand in for others have no arguments of their own. */
int fail_nth_active;
static int wanted = -1, with_signal, times, holds;
static long chosen;
static const char *folder, *sites;
static atomic_long counts[KINDS];
/* Calls that are made here do not count. Of this model, it takes no memory when it is first used.
 */
_Thread_local int fail_nth_inside __attribute__((tls_model("initial-exec")));

static void add_range(uintptr_t begin, size_t size, owner whose)
{
    int count = atomic_load(&range_count);
    for (int i = 0; i < count; i++) {
        if (ranges[i].begin == begin && ranges[i].end == begin + size) {
            return;
        }
    }
    if (count < RANGES) {
        ranges[count].begin = begin;
        ranges[count].end = begin + size;
        ranges[count].owner = whose;
        atomic_store(&range_count, count + 1);
    }
}

static int add_ranges(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    owner whose =
        info->dlpi_name[0] == '\0' || strstr(info->dlpi_name, "/libhalobeat") != NULL ? OWN : OTHER;
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers && whose == OTHER; i++) {
        whose = strstr(info->dlpi_name, helpers[i]) != NULL ? HELPER : OTHER;
    }
    for (int i = 0; whose != OTHER && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            add_range(info->dlpi_addr + part->p_vaddr, part->p_memsz, whose);
        }
    }
    return 0;
}

/* Other threads look through the ranges meanwhile. What is there already stays. */
void fail_nth_look_at_libraries(void)
{
    int before = errno;
    fail_nth_inside++;
    pthread_mutex_lock(&loading);
    dl_iterate_phdr(add_ranges, NULL);
    pthread_mutex_unlock(&loading);
    fail_nth_inside--;
    errno = before;
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
    fail_nth_look_at_libraries();
    fail_nth_active = 1;
}

static owner owner_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    int count = atomic_load(&range_count);
    for (int i = 0; i < count; i++) {
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
    const int most = 300; /* milliseconds: who blocks it for longer has it at the end */
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

/* Functions that run at exit, such as those that write counts of lines, are no longer the program's
 * own. This one runs before them if it is registered after main has begun. */
static void stop_at_exit(void)
{
    fail_nth_active = 0;
}

static void watch_exit(void)
{
    if (atexit(stop_at_exit) != 0) {
        _exit(9);
    }
}

int fail_nth_fails(int kind, const void *caller, int is_a_files)
{
    static pthread_once_t watches = PTHREAD_ONCE_INIT;
    if (!fail_nth_active || fail_nth_inside || (sites == NULL && kind != wanted)) {
        return 0;
    }
    if (!is_a_files && owner_of(caller) == OTHER) {
        return 0;
    }
    int before = errno, hit = 0;
    void *frames[FRAMES];
    fail_nth_inside = 1;
    int needs_frames = sites != NULL || (!is_a_files && owner_of(caller) != OWN);
    int count = needs_frames ? backtrace(frames, FRAMES) : 0;
    if (is_a_files || owner_of(caller) == OWN || is_own(frames, count, caller)) {
        pthread_once(&watches, watch_exit);
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
    fail_nth_inside = 0;
    errno = hit ? kinds[kind].error : before;
    return hit;
}

static int is_in_folder(const char *path)
{
    return fail_nth_active && folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

int fail_nth_has_file(int file)
{
    char link[TEXT], path[PATH_MAX];
    if (!fail_nth_active || folder == NULL || fail_nth_inside) {
        return 0;
    }
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    errno = before;
    return is_in_folder(path);
}

int fail_nth_has_path(int from, const char *path)
{
    if (path[0] == '/') {
        return is_in_folder(path);
    }
    char here[PATH_MAX];
    return from == AT_FDCWD
               ? fail_nth_active && getcwd(here, sizeof here) != NULL && is_in_folder(here)
               : fail_nth_has_file(from);
}
