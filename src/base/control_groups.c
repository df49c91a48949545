#include "base/control_groups.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4 * PATH_SIZE, KINDS = 2 };

/* A hierarchy of groups of a version, and this process's own group in it. */
typedef struct {
    int version;
    const char *type;       /* of the file system */
    const char *controller; /* "": all are in one hierarchy */
    char path[PATH_SIZE];   /* "": the process is in none */
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

/* A line NUMBER:CONTROLLERS:PATH. Version 2 has the number 0 and no controllers. */
static void take_own_group(group_kind *kinds, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL || strlen(path + 1) >= PATH_SIZE) {
        return;
    }
    *controllers++ = '\0';
    *path++ = '\0';
    for (int k = 0; k < KINDS; k++) {
        group_kind *kind = &kinds[k];
        bool is_own = kind->version == 2 ? strcmp(line, "0") == 0 && *controllers == '\0'
                                         : is_listed(controllers, kind->controller);
        if (is_own && kind->path[0] == '\0') {
            strcpy(kind->path, path);
        }
    }
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

/* A mount of a hierarchy of control groups: its group `root` is the folder `place`. */
typedef struct {
    char *root, *place;
    const char *type, *options;
} group_mount;

/* A line NUMBER PARENT DEVICE ROOT PLACE OPTIONS [MORE...] - TYPE SOURCE OPTIONS. */
static bool read_mount(char *line, group_mount *mount)
{
    enum { ROOT = 3, PLACE = 4, FIELDS = 5 };
    char *fields[FIELDS], *rest = line;
    char *type = strstr(line, " - ");
    char *source = type != NULL ? strchr(type + 3, ' ') : NULL;
    char *options = source != NULL ? strchr(source + 1, ' ') : NULL;
    if (options == NULL || strncmp(type + 3, "cgroup", strlen("cgroup")) != 0) {
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
    if (rest == NULL) {
        return false;
    }
    unescape(fields[ROOT]);
    unescape(fields[PLACE]);
    *mount = (group_mount){
        .root = fields[ROOT], .place = fields[PLACE], .type = type + 3, .options = options + 1};
    return true;
}

/* Visits the group and those around it, as far as the mount shows them. A container may see its own
 * group as the root, whatever its path says. */
static void visit_from(const group_kind *kind, const group_mount *mount,
                       halo_control_group_visit *visit, void *context)
{
    const char *path = kind->path;
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

/* The next line, without its end. False behind the last one, and without a file. */
static bool next_line(FILE *file, char line[LINE_SIZE])
{
    if (file == NULL || fgets(line, LINE_SIZE, file) == NULL) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void close_list(FILE *file)
{
    if (file != NULL) {
        fclose(file);
    }
}

/* Each file is read once: to list the mounts takes the system longer than all else here. */
void halo_control_groups_visit(const char *mounts, const char *list, const char *controller,
                               halo_control_group_visit *visit, void *context)
{
    group_kind kinds[KINDS] = {{.version = 2, .type = "cgroup2", .controller = ""},
                               {.version = 1, .type = "cgroup", .controller = controller}};
    char line[LINE_SIZE];
    FILE *groups = fopen(list, "re");
    while (next_line(groups, line)) {
        take_own_group(kinds, line);
    }
    close_list(groups);
    FILE *places = fopen(mounts, "re");
    while (next_line(places, line)) {
        group_mount mount;
        bool known = read_mount(line, &mount);
        for (int k = 0; known && k < KINDS; k++) {
            const group_kind *kind = &kinds[k];
            if (kind->path[0] != '\0' && strcmp(mount.type, kind->type) == 0 &&
                is_listed(mount.options, kind->controller)) {
                visit_from(kind, &mount, visit, context);
            }
        }
    }
    close_list(places);
}
