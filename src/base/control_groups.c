#include "base/control_groups.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4 * PATH_SIZE };

/* How the groups of a version are mounted. */
typedef struct {
    int version;
    const char *type;       /* of the file system */
    const char *controller; /* "": all are in one hierarchy */
} group_kind;

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
    FILE *file = fopen(list, "re");
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

/* Visits the group and those around it, as far as the mount shows them. A container may see its own
 * group as the root, whatever its path says. */
static void visit_from(const group_kind *kind, const group_mount *mount, const char *path,
                       halo_control_group_visit *visit, void *context)
{
    char group[2 * PATH_SIZE];
    size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    bool inside = strncmp(path, mount->root, root) == 0 && (path[root] == '/' || !path[root]);
    snprintf(group, sizeof group, "%.*s%s", PATH_SIZE - 1, mount->place, inside ? path + root : "");
    size_t outermost = strlen(mount->place);
    for (bool more = true; more;) {
        visit(kind->version, group, context);
        char *slash = strrchr(group, '/');
        more = strlen(group) > outermost && slash != NULL;
        if (more) {
            *slash = '\0';
        }
    }
}

void halo_control_groups_visit(const char *mounts, const char *list, const char *controller,
                               halo_control_group_visit *visit, void *context)
{
    const group_kind kinds[] = {{2, "cgroup2", ""}, {1, "cgroup", controller}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const group_kind *kind = &kinds[k];
        char path[PATH_SIZE], line[LINE_SIZE];
        FILE *file = find_own_group(kind, list, path) ? fopen(mounts, "re") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            group_mount mount;
            line[strcspn(line, "\n")] = '\0';
            if (is_mount_of(kind, line, &mount)) {
                visit_from(kind, &mount, path, visit, context);
            }
        }
        if (file != NULL) {
            fclose(file);
        }
    }
}
