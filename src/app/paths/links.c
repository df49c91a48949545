#define _POSIX_C_SOURCE 200809L
#include "app/paths/paths_internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Symbolic links that lead to no file yet. Once the run has made one there, they are names of it.
 */

enum { MOST_LINKS = 40 }; /* as many as the system follows */

static halo_status fail_long(const char *path)
{
    return halo_fail(HALO_FILE, "\"%s\" is a symbolic link to too long a name; give another name",
                     path);
}

/* Replaces `path` by where it leads; false if it is no link. */
static bool follow(char path[PATH_SIZE], bool *fits)
{
    char target[PATH_SIZE], name[PATH_SIZE];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    target[length] = '\0';
    const char *slash = strrchr(path, '/');
    int around = slash == NULL || target[0] == '/' ? 0 : (int)(slash + 1 - path);
    *fits = (size_t)snprintf(name, PATH_SIZE, "%.*s%s", around, path, target) < PATH_SIZE;
    memcpy(path, name, PATH_SIZE);
    return *fits;
}

halo_status app_file_follow_links(const char *path, char **end)
{
    char at[PATH_SIZE];
    bool fits = true;
    int links = 0;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    *end = NULL;
    if (length >= PATH_SIZE) {
        return HALO_OK; /* nor can it be made */
    }
    snprintf(at, sizeof at, "%.*s", (int)length, path);
    while (links < MOST_LINKS && follow(at, &fits)) {
        links++;
    }
    if (!fits) {
        return fail_long(path);
    }
    HALO_FAIL_IF(links > 0 && (*end = strdup(at)) == NULL, HALO_MEMORY,
                 "out of memory: names of files");
    return HALO_OK;
}
