#define _GNU_SOURCE /* dladdr1 */
#include "base/program_path.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The file with this code: the program's has no name in the list of those that are loaded. */
static bool find_own_file(char own[PATH_BYTES])
{
    Dl_info about;
    void *here, *loaded = NULL;
    halo_status (*function)(const char *, char *, size_t) = halo_program_path;
    memcpy(&here, &function, sizeof here);
    bool known = dladdr1(here, &about, &loaded, RTLD_DL_LINKMAP) != 0 && loaded != NULL;
    const char *name = known ? ((const struct link_map *)loaded)->l_name : "";
    char *real = realpath(*name != '\0' ? name : "/proc/self/exe", NULL);
    bool found = real != NULL && strlen(real) < PATH_BYTES;
    if (found) {
        strcpy(own, real);
    }
    free(real);
    return found;
}

/* A folder above may be one that anybody can write to. */
static bool is_trusted(const char *path, uid_t owner)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0 &&
           (about.st_uid == 0 || about.st_uid == geteuid() || about.st_uid == owner) &&
           (about.st_mode & S_IWOTH) == 0;
}

static bool try(const char *folder, const char *under, const char *name, uid_t owner, char *path,
                size_t size)
{
    int length = snprintf(path, size, "%s%s/%s", folder, under, name);
    return length > 0 && (size_t)length < size && is_trusted(path, owner);
}

/* PREFIX/bin/program, PREFIX/lib/library or PREFIX/lib/x86_64-linux-gnu/library: PREFIX/libexec. */
static bool find_beside(const char *name, char *path, size_t size)
{
    enum { FOLDERS = 2 };
    char own[PATH_BYTES];
    struct stat about;
    if (!find_own_file(own) || stat(own, &about) != 0) {
        return false;
    }
    bool found = false;
    char *end = strrchr(own, '/');
    for (int i = 0; !found && end != NULL && i < FOLDERS; i++) {
        *end = '\0';
        end = strrchr(own, '/');
        if (end != NULL) {
            *end = '\0';
            found = try(own, HALOBEAT_LIBEXEC, name, about.st_uid, path, size);
            *end = '/';
        }
    }
    return found;
}

halo_status halo_program_path(const char *name, char *path, size_t size)
{
    const char *folder = getenv("HALOBEAT_LIBEXEC");
    bool given = folder != NULL && *folder != '\0';
    bool found = given ? try(folder, "", name, geteuid(), path, size)
                       : find_beside(name, path, size) ||
                             try(HALOBEAT_LIBEXEC_INSTALLED, "", name, 0, path, size);
    return found ? HALO_OK
                 : halo_fail(HALO_FILE,
                             "the program %s is not found in %s; install halobeat whole, or set "
                             "HALOBEAT_LIBEXEC to its folder",
                             name, given ? folder : "libexec/halobeat beside this program");
}
