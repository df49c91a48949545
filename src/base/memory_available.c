#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, PATH_SIZE = 4096, NAME_SIZE = 64 };

/* Limits of control groups, version 2 and 1: where the groups are, and their files. */
typedef struct {
    const char *mark;   /* in /proc/self/cgroup, before the path of this process's group */
    const char *folder; /* of the outermost group, below the place of all groups */
    const char *max, *used, *stat, *cached;
} group_kind;

static const group_kind KINDS[] = {
    {"0::", "", "memory.max", "memory.current", "memory.stat", "inactive_file "},
    {":memory:", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat",
     "total_inactive_file "}};

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
 * when memory is short. Version 1 says "no limit" by a number near INT64_MAX. */
static int64_t left_in_group(const group_kind *kind, const char *group)
{
    int64_t max = read_group(group, kind->max, "", INT64_MAX);
    int64_t used = read_group(group, kind->used, "", 0);
    int64_t cached = read_group(group, kind->stat, kind->cached, 0);
    if (max >= INT64_MAX / 2) {
        return INT64_MAX;
    }
    return max > used - cached ? max - (used - cached) : 0;
}

/* The folder of this process's own group; empty if it is in none of this kind. */
static void own_group(const group_kind *kind, const char *place, const char *list,
                      char group[PATH_SIZE])
{
    char line[PATH_SIZE] = "";
    const char *path = NULL;
    FILE *file = fopen(list, "r");
    while (file != NULL && path == NULL && fgets(line, sizeof line, file) != NULL) {
        path = strstr(line, kind->mark);
        /* Version 2 has no number and no name before its mark. */
        path = path == NULL || (kind == KINDS && path != line) ? NULL : path + strlen(kind->mark);
    }
    if (file != NULL) {
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    group[0] = '\0';
    if (path != NULL) {
        snprintf(group, PATH_SIZE, "%s%s%.*s", place, kind->folder, PATH_SIZE / 2, path);
    }
}

int64_t halo_memory_left_in_groups(const char *place, const char *list)
{
    int64_t min = INT64_MAX;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        const group_kind *kind = &KINDS[k];
        char group[PATH_SIZE];
        own_group(kind, place, list, group);
        size_t outermost = strlen(place) + strlen(kind->folder);
        for (bool more = group[0] != '\0'; more;) {
            int64_t left = left_in_group(kind, group);
            min = left < min ? left : min;
            char *slash = strrchr(group, '/');
            more = strlen(group) > outermost && slash != NULL;
            if (more) {
                *slash = '\0';
            }
        }
    }
    return min;
}

int64_t halo_memory_available(void)
{
    int64_t kib = read_number("/proc/meminfo", "MemAvailable:", INT64_MAX / KIB);
    int64_t machine = kib * KIB,
            groups = halo_memory_left_in_groups("/sys/fs/cgroup", "/proc/self/cgroup");
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
