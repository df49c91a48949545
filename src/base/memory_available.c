#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, PATH_SIZE = 4096, NAME_SIZE = 64 };

static const char GROUPS[] = "/sys/fs/cgroup";

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

static int64_t read_group(const char *group, const char *file, const char *name, int64_t otherwise)
{
    char path[PATH_SIZE + NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, file);
    return read_number(path, name, otherwise);
}

/* What one control group has left. Cached files count as used there, but the system gives them up
 * when memory is short. */
static int64_t left_in_group(const char *group)
{
    int64_t max = read_group(group, "memory.max", "", INT64_MAX);
    int64_t used = read_group(group, "memory.current", "", 0);
    int64_t cached = read_group(group, "memory.stat", "inactive_file ", 0);
    if (max == INT64_MAX) {
        return INT64_MAX;
    }
    return max > used - cached ? max - (used - cached) : 0;
}

/* The folder of this process's own group. */
static void own_group(char group[PATH_SIZE])
{
    char line[PATH_SIZE] = "";
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "0::", 3) != 0) {
        line[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    snprintf(group, PATH_SIZE, "%s%.*s", GROUPS, PATH_SIZE - NAME_SIZE,
             strncmp(line, "0::", 3) == 0 ? line + 3 : "");
}

/* The tightest limit that a container or a batch system has set on this group or those it is in. */
static int64_t left_in_groups(void)
{
    char group[PATH_SIZE];
    own_group(group);
    int64_t min = INT64_MAX;
    for (bool more = true; more;) {
        int64_t left = left_in_group(group);
        min = left < min ? left : min;
        char *slash = strrchr(group, '/');
        more = strlen(group) > strlen(GROUPS) && slash != NULL;
        if (more) {
            *slash = '\0';
        }
    }
    return min;
}

int64_t halo_memory_available(void)
{
    int64_t kib = read_number("/proc/meminfo", "MemAvailable:", INT64_MAX / KIB);
    int64_t machine = kib * KIB, groups = left_in_groups();
    return machine < groups ? machine : groups;
}

halo_status halo_memory_limit(int64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *text = getenv("HALOBEAT_MEMORY");
    *bytes = INT64_MAX;
    if (text == NULL || *text == '\0') {
        return HALO_OK;
    }
    char *end;
    double number = strtod(text, &end);
    const char *unit = *end != '\0' ? strchr(units, toupper((unsigned char)*end)) : NULL;
    for (const char *step = units; unit != NULL && step <= unit; step++) {
        number *= KIB;
    }
    if (end == text || !(number > 0) || (unit != NULL ? end[1] : end[0]) != '\0') {
        return halo_fail(HALO_ARGUMENT,
                         "HALOBEAT_MEMORY is \"%s\", but must be a number of bytes, or one with "
                         "K, M, G or T behind it, such as 8G",
                         text);
    }
    *bytes = number < 0x1p62 ? (int64_t)number : INT64_MAX;
    return HALO_OK;
}
