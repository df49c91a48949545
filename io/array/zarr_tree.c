#define _GNU_SOURCE /* openat, fdopendir */
#include "io/array/zarr_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 8 };

static bool is_own(const char *name)
{
    static const char *const names[] = {".zarray", ".zattrs", ".zgroup", "zarr.json", "c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return strspn(name, "0123456789.") == strlen(name);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The directory stream of a folder that is no link; NULL if it cannot be listed. */
static DIR *open_in(int around, const char *name)
{
    int handle = openat(around, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = handle >= 0 ? fdopendir(handle) : NULL;
    if (folder == NULL && handle >= 0) {
        close(handle);
    }
    return folder;
}

/* `found` holds the path of the folder `name`, `used` bytes of it, and grows with depth. */
static bool find_foreign(int around, const char *name, int depth, char found[HALO_ZARR_TREE_PATH])
{
    DIR *folder = open_in(around, name);
    size_t used = strlen(found);
    bool foreign = folder == NULL;
    while (!foreign) {
        const struct dirent *entry = readdir(folder);
        struct stat about;
        if (entry == NULL) {
            break;
        }
        if (is_dots(entry->d_name)) {
            continue;
        }
        size_t room = HALO_ZARR_TREE_PATH - used;
        bool fits = (size_t)snprintf(found + used, room, "/%s", entry->d_name) < room;
        foreign = !fits || !is_own(entry->d_name) ||
                  fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
                  !(S_ISREG(about.st_mode) || (S_ISDIR(about.st_mode) && depth < DEEPEST)) ||
                  (S_ISDIR(about.st_mode) &&
                   find_foreign(dirfd(folder), entry->d_name, depth + 1, found));
    }
    if (folder != NULL) {
        closedir(folder);
    }
    if (!foreign) {
        found[used] = '\0';
    }
    return foreign;
}

bool halo_zarr_tree_find_foreign(const char *path, char found[HALO_ZARR_TREE_PATH])
{
    snprintf(found, HALO_ZARR_TREE_PATH, "%s", path);
    return find_foreign(AT_FDCWD, path, 0, found);
}

static void remove_in(int around, const char *name, int depth)
{
    DIR *folder = open_in(around, name);
    if (folder == NULL) {
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        bool own = !is_dots(entry->d_name) && is_own(entry->d_name);
        if (own && unlinkat(dirfd(folder), entry->d_name, 0) != 0 && depth < DEEPEST) {
            remove_in(dirfd(folder), entry->d_name, depth + 1); /* a folder */
        }
    }
    closedir(folder);
    unlinkat(around, name, AT_REMOVEDIR);
}

void halo_zarr_tree_remove(int around, const char *name)
{
    remove_in(around, name, 0);
}

static void sync_in(int around, const char *name, int depth)
{
    DIR *folder = open_in(around, name);
    if (folder == NULL) {
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        bool goes_on = !is_dots(entry->d_name) && depth < DEEPEST;
        if (goes_on && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)) {
            sync_in(dirfd(folder), entry->d_name, depth + 1);
        }
    }
    fsync(dirfd(folder));
    closedir(folder);
}

void halo_zarr_tree_sync(int handle)
{
    sync_in(handle, ".", 0);
}
