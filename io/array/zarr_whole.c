#define _POSIX_C_SOURCE 200809L /* fstatat, openat */
#include "io/array/zarr_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is a folder of chunks, or a group of such folders, still as it was written? */

enum { DEEPEST = 6 };

static json_t *load(const char *path, const char *file)
{
    char name[HALO_ZARR_TREE_PATH];
    bool fits = (size_t)snprintf(name, sizeof name, "%s/%s", path, file) < sizeof name;
    return fits ? json_load_file(name, 0, NULL) : NULL;
}

/* The sizes of the files of chunks, of a description of version 2 or 3. */
static const json_t *find_chunks(const json_t *about)
{
    const json_t *grid = json_object_get(about, "chunk_grid");
    return grid == NULL ? json_object_get(about, "chunks")
                        : json_object_get(json_object_get(grid, "configuration"), "chunk_shape");
}

/* The product of a description's chunks along all axes; 0 if it is none. */
static int64_t count_described(const json_t *about)
{
    const json_t *shape = json_object_get(about, "shape"), *chunks = find_chunks(about);
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

static bool is_chunk(const char *name)
{
    return name[0] != '.' && (strcmp(name, "c") == 0 || name[strspn(name, "0123456789.")] == '\0');
}

static int64_t count_chunks(int around, const char *name, int depth)
{
    int handle = openat(around, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = handle >= 0 ? fdopendir(handle) : NULL;
    int64_t count = 0;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat about;
        if (!is_chunk(entry->d_name) || fstatat(dirfd(folder), entry->d_name, &about, 0) != 0) {
            continue;
        }
        count += !S_ISDIR(about.st_mode) ? about.st_size > 0
                 : depth < DEEPEST       ? count_chunks(dirfd(folder), entry->d_name, depth + 1)
                                         : 0;
    }
    if (folder != NULL) {
        closedir(folder);
    } else if (handle >= 0) {
        close(handle);
    }
    return count;
}

/* Both of an array, and of one in a group. */
static bool is_whole_array(const char *path)
{
    json_t *about = load(path, ".zarray");
    about = about != NULL ? about : load(path, "zarr.json");
    int64_t described = count_described(about);
    json_decref(about);
    return described > 0 && count_chunks(AT_FDCWD, path, 0) >= described;
}

/* The arrays of the first image that the attributes of a group list. */
static bool is_whole_group(const char *path, const json_t *attributes)
{
    const json_t *ome = json_object_get(attributes, "ome");
    const json_t *scenes = json_object_get(ome != NULL ? ome : attributes, "multiscales");
    const json_t *levels = json_object_get(json_array_get(scenes, 0), "datasets");
    bool whole = json_array_size(levels) > 0;
    for (size_t i = 0; i < json_array_size(levels) && whole; i++) {
        char level[HALO_ZARR_TREE_PATH];
        const json_t *name = json_object_get(json_array_get(levels, i), "path");
        const char *text = json_string_value(name);
        whole = text != NULL &&
                (size_t)snprintf(level, sizeof level, "%s/%s", path, text) < sizeof level &&
                is_whole_array(level);
    }
    return whole;
}

bool halo_zarr_tree_is_whole(const char *path)
{
    json_t *old = load(path, ".zgroup"), *new = load(path, "zarr.json");
    const json_t *attributes = json_object_get(new, "attributes");
    json_t *beside = old != NULL ? load(path, ".zattrs") : NULL;
    bool group = old != NULL || json_object_get(attributes, "ome") != NULL;
    bool whole =
        group ? is_whole_group(path, old != NULL ? beside : attributes) : is_whole_array(path);
    json_decref(beside);
    json_decref(old);
    json_decref(new);
    return whole;
}
