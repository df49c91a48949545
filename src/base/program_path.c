#define _GNU_SOURCE /* dladdr1 */
#include "base/program_path.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = PATH_MAX };

/* The file with this code: the program's has no name in the list of those that are loaded. */
static bool find_own_file(char own[PATH_BYTES])
{
    Dl_info about;
    void *here, *loaded = NULL;
    halo_status (*function)(const char *, char *, size_t) = halo_program_path;
    memcpy(&here, &function, sizeof here);
    bool known = dladdr1(here, &about, &loaded, RTLD_DL_LINKMAP) != 0 && loaded != NULL;
    const char *name = known ? ((const struct link_map *)loaded)->l_name : "";
    return realpath(*name != '\0' ? name : "/proc/self/exe", own) != NULL;
}

/* A program or library that is looked for. */
typedef struct {
    const char *name;
    const char *variable;  /* of the environment, names its folder */
    const char *under;     /* folder below a prefix: "/lib" */
    const char *installed; /* the whole folder, as installed */
    int access;
    bool beside; /* in the very folder of this code, too */
} wanted_file;

/* A folder above may be one that anybody can write to. */
static bool is_trusted(const char *path, int way, uid_t owner)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, way) == 0 &&
           (about.st_uid == 0 || about.st_uid == geteuid() || about.st_uid == owner) &&
           (about.st_mode & S_IWOTH) == 0;
}

static bool try(const wanted_file *file, const char *folder, const char *under, uid_t owner,
                char *path, size_t size)
{
    int length = snprintf(path, size, "%s%s/%s", folder, under, file->name);
    return length > 0 && (size_t)length < size && is_trusted(path, file->access, owner);
}

/* PREFIX/bin/program, PREFIX/lib/library or PREFIX/lib/x86_64-linux-gnu/library: PREFIX/libexec. */
static bool find_beside(const wanted_file *file, char *path, size_t size)
{
    enum { FOLDERS = 2 };
    char own[PATH_BYTES];
    struct stat about;
    if (!find_own_file(own) || stat(own, &about) != 0) {
        return false;
    }
    char *end = strrchr(own, '/');
    if (end != NULL) {
        *end = '\0';
    }
    bool found = end != NULL && file->beside && try(file, own, "", about.st_uid, path, size);
    for (int i = 0; !found && end != NULL && i < FOLDERS; i++) {
        end = strrchr(own, '/');
        if (end != NULL) {
            *end = '\0';
            found = try(file, own, file->under, about.st_uid, path, size);
        }
    }
    return found;
}

/* The folder that the environment names, or NULL. */
static const char *given_folder(const wanted_file *file)
{
    const char *folder = getenv(file->variable);
    return folder != NULL && *folder != '\0' ? folder : NULL;
}

static bool find(const wanted_file *file, char *path, size_t size)
{
    const char *given = given_folder(file);
    return given != NULL
               ? try(file, given, "", geteuid(), path, size)
               : find_beside(file, path, size) || try(file, file->installed, "", 0, path, size);
}

halo_status halo_program_path(const char *name, char *path, size_t size)
{
    const wanted_file program = {.name = name,
                                 .variable = "HALOBEAT_LIBEXEC",
                                 .under = HALOBEAT_LIBEXEC,
                                 .installed = HALOBEAT_LIBEXEC_INSTALLED,
                                 .access = X_OK};
    const char *given = given_folder(&program);
    return find(&program, path, size)
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "the program %s is not found in %s%s; install halobeat whole, or set "
                           "HALOBEAT_LIBEXEC to its folder",
                           name, given != NULL ? given : program.under + 1,
                           given != NULL ? "" : " beside this program");
}

bool halo_library_find(const char *name, char *path, size_t size)
{
    const wanted_file library = {.name = name,
                                 .variable = "HALOBEAT_LIBDIR",
                                 .under = HALOBEAT_LIBDIR,
                                 .installed = HALOBEAT_LIBDIR_INSTALLED,
                                 .access = R_OK,
                                 .beside = true};
    return find(&library, path, size);
}

halo_status halo_library_path(const char *name, char *path, size_t size)
{
    return halo_library_find(name, path, size)
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "the library %s is not found; install it, or set HALOBEAT_LIBDIR to its "
                           "folder",
                           name);
}
