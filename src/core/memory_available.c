#include "core/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

/* The number behind `name` in a file of the system with one thing a line; `otherwise` if there is
 * none, as in "max". */
static int64_t read_number(const char *path, const char *name, int64_t otherwise)
{
    FILE *file = fopen(path, "r");
    int64_t value = otherwise;
    char line[128];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, name, strlen(name)) == 0;
        if (found && sscanf(line + strlen(name), "%" SCNd64, &value) != 1) {
            value = otherwise;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return value;
}

/* The limit that a container or a batch system has set. Cached files count as used there, but the
 * system gives them up when memory is short. */
static int64_t group_available(void)
{
    int64_t most = read_number("/sys/fs/cgroup/memory.max", "", INT64_MAX);
    int64_t used = read_number("/sys/fs/cgroup/memory.current", "", 0);
    int64_t cached = read_number("/sys/fs/cgroup/memory.stat", "inactive_file ", 0);
    if (most == INT64_MAX) {
        return INT64_MAX;
    }
    return most > used - cached ? most - (used - cached) : 0;
}

int64_t halo_memory_available(void)
{
    int64_t kib = read_number("/proc/meminfo", "MemAvailable:", INT64_MAX / KIB);
    int64_t machine = kib * KIB, group = group_available();
    return machine < group ? machine : group;
}
