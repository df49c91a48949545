#define _POSIX_C_SOURCE 200809L /* fstatat */
#include "io/array/zarr_tree.h"

#include <dirent.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Is a folder of chunks still as it was written? */

/* The product of a description's chunks along all axes; 0 if it is none. */
static int64_t count_described(const json_t *about)
{
    const json_t *shape = json_object_get(about, "shape"),
                 *chunks = json_object_get(about, "chunks");
    size_t axes = json_array_size(shape);
    int64_t count = axes > 0 && json_array_size(chunks) == axes;
    for (size_t i = 0; i < axes && count > 0; i++) {
        int64_t size = json_integer_value(json_array_get(shape, i));
        int64_t chunk = json_integer_value(json_array_get(chunks, i));
        int64_t along = size > 0 && chunk > 0 ? (size - 1) / chunk + 1 : 0;
        count = along > 0 && count <= INT64_MAX / along ? count * along : 0;
    }
    return count;
}

static int64_t count_chunks(const char *path)
{
    DIR *folder = opendir(path);
    int64_t count = 0;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        struct stat about;
        count += name[0] != '.' && name[strspn(name, "0123456789.")] == '\0' &&
                 fstatat(dirfd(folder), name, &about, 0) == 0 && about.st_size > 0;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

bool halo_zarr_tree_is_whole(const char *path)
{
    char name[HALO_ZARR_TREE_PATH];
    bool fits = (size_t)snprintf(name, sizeof name, "%s/.zarray", path) < sizeof name;
    json_t *about = fits ? json_load_file(name, 0, NULL) : NULL;
    int64_t described = count_described(about);
    json_decref(about);
    return described > 0 && count_chunks(path) >= described;
}
