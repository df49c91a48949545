#define _GNU_SOURCE /* getdents64, syscall */
#include "cli/tasks/process.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void process_group_ask(pid_t group)
{
    kill(-group, SIGTERM);
    kill(-group, SIGCONT);
}

void process_group_kill(pid_t group)
{
    kill(-group, SIGKILL);
}

/* ---- who is in a group ----------------------------------------------------------------------- */

/* Reads "PID (NAME) STATE PARENT GROUP ...", of which the name may hold anything. */
static bool stat_lives(const char *text, pid_t group)
{
    const char *name = strrchr(text, ')');
    if (name == NULL || name[1] != ' ' || strchr("ZXx", name[2]) != NULL) {
        return false;
    }
    char *end;
    strtol(name + 3, &end, 10);
    return strtol(end, NULL, 10) == group;
}

static bool process_lives(int folder, const char *number, pid_t group)
{
    enum { PATH = 32, TEXT = 512 };
    static const char file[] = "/stat";
    char path[PATH], text[TEXT];
    size_t length = strlen(number);
    if (!isdigit((unsigned char)number[0]) || length + sizeof file > sizeof path) {
        return false;
    }
    memcpy(path, number, length);
    memcpy(path + length, file, sizeof file);
    int stat = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (stat < 0) {
        return false; /* it has ended since */
    }
    ssize_t bytes = read(stat, text, sizeof text - 1);
    close(stat);
    text[bytes > 0 ? bytes : 0] = '\0';
    return stat_lives(text, group);
}

/* opendir would allocate. The layout is that of getdents64(2). */
typedef struct {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
} directory_entry;

static bool any_lives(int folder, pid_t group)
{
    enum { ROOM = 4096 };
    _Alignas(directory_entry) char entries[ROOM];
    long bytes;
    while ((bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long at = 0; at < bytes;) {
            const directory_entry *entry = (const directory_entry *)(entries + at);
            if (process_lives(folder, entry->name, group)) {
                return true;
            }
            at += entry->length;
        }
    }
    return bytes < 0;
}

bool process_group_lives(pid_t group)
{
    if (kill(-group, 0) != 0) {
        return false;
    }
    int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool lives = folder < 0 || any_lives(folder, group);
    if (folder >= 0) {
        close(folder);
    }
    return lives;
}

void process_group_outlast(pid_t group, double seconds)
{
    static const long first = 5000000, longest = 100000000; /* nanoseconds */
    struct timespec begun, now, pause = {.tv_nsec = first};
    clock_gettime(CLOCK_MONOTONIC, &begun);
    double passed = 0;
    while (passed < seconds && process_group_lives(group)) {
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < longest ? 2 * pause.tv_nsec : longest;
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
    }
    process_group_kill(group);
}

void process_close_from(int first)
{
    enum { MOST = 1 << 16 };
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0U) == 0) {
        return;
    }
#endif
    for (int file = first; file < MOST; file++) {
        close(file);
    }
}
