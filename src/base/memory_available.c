#include "base/control_groups.h"
#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { KIB = 1024, PATH_SIZE = 3 * 4096 };

/* The files of limits of control groups. */
typedef struct {
    const char *max, *used, *cached[2];
} group_files;

static const group_files FILES[] = {
    [1] = {"memory.limit_in_bytes",
           "memory.usage_in_bytes",
           {"total_inactive_file ", "total_active_file "}},
    [2] = {"memory.max", "memory.current", {"inactive_file ", "active_file "}}};

/* The number behind `name` in a file of the system with one thing a line; `otherwise` if there is
 * none, as in "max". */
static int64_t read_number(const char *path, const char *name, int64_t otherwise)
{
    FILE *file = fopen(path, "re");
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
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, file);
    return read_number(path, name, otherwise);
}

/* Return the bytes that one control group has left. Cached files count as used there, but the
 * system gives them up when memory is short. Version 1 says "no limit" by a number near INT64_MAX.
 */
static int64_t left_in_group(const group_files *files, const char *group)
{
    int64_t max = read_group(group, files->max, "", INT64_MAX);
    if (max >= INT64_MAX / 2) {
        return INT64_MAX; /* without the statistics, which cost the system some time */
    }
    int64_t used = read_group(group, files->used, "", 0);
    for (int i = 0; i < 2; i++) {
        used -= read_group(group, "memory.stat", files->cached[i], 0);
    }
    used = used > 0 ? used : 0;
    return max > used ? max - used : 0;
}

static void visit_group(int version, const char *group, void *context)
{
    int64_t *min = context, left = left_in_group(&FILES[version], group);
    *min = left < *min ? left : *min;
}

int64_t halo_memory_left_in_groups(const char *mounts, const char *list)
{
    int64_t min = INT64_MAX;
    halo_control_groups_visit(mounts, list, "memory", visit_group, &min);
    return min;
}

int64_t halo_memory_available(void)
{
    int64_t kib = read_number("/proc/meminfo", "MemAvailable:", INT64_MAX / KIB);
    int64_t machine = kib * KIB,
            groups = halo_memory_left_in_groups(HALO_CONTROL_GROUP_MOUNTS, HALO_CONTROL_GROUP_LIST);
    return machine < groups ? machine : groups;
}

int64_t halo_memory_address_space(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= INT64_MAX) {
        return INT64_MAX;
    }
    int64_t taken = read_number("/proc/self/status", "VmSize:", 0) * KIB;
    return (int64_t)limit.rlim_cur > taken ? (int64_t)limit.rlim_cur - taken : 0;
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
