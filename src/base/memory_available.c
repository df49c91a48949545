#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, PATH_SIZE = 4096, NAME_SIZE = 64, LINE_SIZE = 4 * PATH_SIZE };

/* Limits of control groups, version 2 and 1: how they are mounted, and their files. */
typedef struct {
    const char *type;       /* of the file system */
    const char *controller; /* "": all are in one hierarchy */
    const char *max, *used, *cached[2];
} group_kind;

static const group_kind KINDS[] = {
    {"cgroup2", "", "memory.max", "memory.current", {"inactive_file ", "active_file "}},
    {"cgroup",
     "memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file ", "total_active_file "}}};

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
    char path[2 * PATH_SIZE + NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", group, file);
    return read_number(path, name, otherwise);
}

/* What one control group has left. Cached files count as used there, but the system gives them up
 * when memory is short. Version 1 says "no limit" by a number near INT64_MAX. */
static int64_t left_in_group(const group_kind *kind, const char *group)
{
    int64_t max = read_group(group, kind->max, "", INT64_MAX);
    int64_t used = read_group(group, kind->used, "", 0);
    for (int i = 0; i < 2; i++) {
        used -= read_group(group, "memory.stat", kind->cached[i], 0);
    }
    if (max >= INT64_MAX / 2) {
        return INT64_MAX;
    }
    used = used > 0 ? used : 0;
    return max > used ? max - used : 0;
}

/* Is `name` one of a list with commas? "" is in every list. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    const char *at = list;
    while (at != NULL && length > 0) {
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return length == 0;
}

/* The path of this process's own group of a kind, from a line NUMBER:CONTROLLERS:PATH; NULL if
 * there is none. Version 2 has the number 0 and no controllers. */
static const char *own_path(const group_kind *kind, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL) {
        return NULL;
    }
    *controllers++ = '\0';
    *path++ = '\0';
    bool second = kind->controller[0] == '\0';
    return second ? (strcmp(line, "0") == 0 && *controllers == '\0' ? path : NULL)
                  : (is_listed(controllers, kind->controller) ? path : NULL);
}

static bool find_own_group(const group_kind *kind, const char *list, char group[PATH_SIZE])
{
    char line[LINE_SIZE];
    const char *path = NULL;
    FILE *file = fopen(list, "r");
    while (file != NULL && path == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        path = own_path(kind, line);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (path == NULL || strlen(path) >= PATH_SIZE) {
        return false;
    }
    strcpy(group, path);
    return true;
}

/* Blanks in the names of folders are \040 in the list of mounts. */
static void unescape(char *text)
{
    enum { DIGITS = 3, OCTAL = 8 };
    char *out = text;
    for (const char *in = text; *in != '\0'; out++) {
        char digits[DIGITS + 1] = "";
        bool escaped = *in == '\\' && strspn(in + 1, "01234567") >= DIGITS;
        if (escaped) {
            memcpy(digits, in + 1, DIGITS);
        }
        *out = escaped ? (char)strtol(digits, NULL, OCTAL) : *in;
        in += escaped ? 1 + DIGITS : 1;
    }
    *out = '\0';
}

/* A hierarchy of groups: its group `root` is the folder `place`. */
typedef struct {
    char *root, *place;
} group_mount;

/* A line NUMBER PARENT DEVICE ROOT PLACE OPTIONS [MORE...] - TYPE SOURCE OPTIONS. */
static bool is_mount_of(const group_kind *kind, char *line, group_mount *mount)
{
    enum { ROOT = 3, PLACE = 4, FIELDS = 5 };
    char *fields[FIELDS], *rest = line;
    char *type = strstr(line, " - ");
    char *source = type != NULL ? strchr(type + 3, ' ') : NULL;
    char *options = source != NULL ? strchr(source + 1, ' ') : NULL;
    if (options == NULL) {
        return false;
    }
    *type = *source = '\0';
    for (int i = 0; i < FIELDS; i++) {
        char *end = rest != NULL ? strchr(rest, ' ') : NULL;
        fields[i] = rest;
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
    }
    if (rest == NULL || strcmp(type + 3, kind->type) != 0 ||
        !is_listed(options + 1, kind->controller)) {
        return false;
    }
    unescape(fields[ROOT]);
    unescape(fields[PLACE]);
    *mount = (group_mount){.root = fields[ROOT], .place = fields[PLACE]};
    return true;
}

/* The least that the group and those around it have left, as far as the mount shows them. A
 * container may see its own group as the root, whatever its path says. */
static int64_t left_below(const group_kind *kind, const group_mount *mount, const char *path)
{
    char group[2 * PATH_SIZE];
    size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    bool inside = strncmp(path, mount->root, root) == 0 && (path[root] == '/' || !path[root]);
    int64_t min = INT64_MAX;
    snprintf(group, sizeof group, "%.*s%s", PATH_SIZE - 1, mount->place, inside ? path + root : "");
    size_t outermost = strlen(mount->place);
    for (bool more = true; more;) {
        int64_t left = left_in_group(kind, group);
        min = left < min ? left : min;
        char *slash = strrchr(group, '/');
        more = strlen(group) > outermost && slash != NULL;
        if (more) {
            *slash = '\0';
        }
    }
    return min;
}

int64_t halo_memory_left_in_groups(const char *mounts, const char *list)
{
    int64_t min = INT64_MAX;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        const group_kind *kind = &KINDS[k];
        char path[PATH_SIZE], line[LINE_SIZE];
        FILE *file = find_own_group(kind, list, path) ? fopen(mounts, "r") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            group_mount mount;
            line[strcspn(line, "\n")] = '\0';
            if (is_mount_of(kind, line, &mount)) {
                int64_t left = left_below(kind, &mount, path);
                min = left < min ? left : min;
            }
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    return min;
}

int64_t halo_memory_available(void)
{
    int64_t kib = read_number("/proc/meminfo", "MemAvailable:", INT64_MAX / KIB);
    int64_t machine = kib * KIB,
            groups = halo_memory_left_in_groups("/proc/self/mountinfo", "/proc/self/cgroup");
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
