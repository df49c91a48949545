#define _GNU_SOURCE /* flock, strndup */
#include "io/array/ome/ome_internal.h"

#include "base/json_internal.h"
#include "core/file/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The group "labels" of an image, and the list that it has of its layers. */

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE };

/* IMAGE/labels, and a file in it; false if it is too long. */
static bool print_path(const halo_ome_name *name, const char *group, const char *file,
                       char path[PATH_SIZE])
{
    return snprintf(path, PATH_SIZE, "%.*s%s/%s", (int)name->image, name->path, group, file) <
           PATH_SIZE;
}

static const char *file_of(halo_ome_version version)
{
    return version == HALO_OME_04 ? ".zattrs" : "zarr.json";
}

static halo_status fail_memory(void)
{
    return halo_fail(HALO_MEMORY, "out of memory: the list of label layers");
}

/* ---- the image ------------------------------------------------------------------------------- */

static bool is_version(const json_t *version, const char *text)
{
    const char *is = json_string_value(version);
    return is != NULL && strcmp(is, text) == 0;
}

static bool has_scenes(const halo_ome_name *name, halo_ome_version version)
{
    char path[PATH_SIZE];
    json_t *text =
        print_path(name, "", file_of(version), path) ? json_load_file(path, 0, NULL) : NULL;
    const json_t *ome = json_object_get(json_object_get(text, "attributes"), "ome");
    const json_t *scenes = json_object_get(version == HALO_OME_04 ? text : ome, "multiscales");
    const json_t *said = json_object_get(json_array_get(scenes, 0), "version");
    bool has = json_array_size(scenes) > 0 &&
               (version == HALO_OME_04 ? said == NULL || is_version(said, "0.4")
                                       : is_version(json_object_get(ome, "version"), "0.5"));
    json_decref(text);
    return has;
}

halo_status halo_ome_find_image(const halo_ome_name *name, halo_ome_version *version)
{
    *version = has_scenes(name, HALO_OME_05) ? HALO_OME_05 : HALO_OME_04;
    HALO_FAIL_IF(*version == HALO_OME_04 && !has_scenes(name, HALO_OME_04), HALO_FILE,
                 "cannot write %s: %.*s is no image of OME-Zarr 0.4 or 0.5; write a layer beside "
                 "an image that is there, or use a name ending in .ome.zarr",
                 name->path, (int)name->image, name->path);
    HALO_FAIL_IF((name->version != HALO_OME_ANY && name->version != *version) ||
                     (name->sharded && *version == HALO_OME_04),
                 HALO_ARGUMENT,
                 "%s: the image is of version %s; leave out what stands behind the name",
                 name->path, *version == HALO_OME_04 ? "0.4, which has no shards" : "0.5");
    return HALO_OK;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The list of layers in the text of a group, which is added if it is missing; NULL if the text is
 * none of a group, or for want of memory. */
static json_t *find_list(json_t *text, halo_ome_version version)
{
    json_t *in = text;
    if (version == HALO_OME_05) {
        json_t *attributes = json_object_get(text, "attributes");
        if (attributes == NULL) {
            json_object_set_new(text, "attributes", attributes = json_object());
        }
        in = json_object_get(attributes, "ome");
        if (in == NULL) {
            json_object_set_new(attributes, "ome", in = json_pack("{s:s}", "version", "0.5"));
        }
    }
    if (json_object_get(in, "labels") == NULL) {
        json_object_set_new(in, "labels", json_array());
    }
    json_t *list = json_object_get(in, "labels");
    return json_is_array(list) ? list : NULL;
}

static json_t *new_group(halo_ome_version version)
{
    return version == HALO_OME_04 ? json_object()
                                  : json_pack("{s:{}, s:s, s:i}", "attributes", "node_type",
                                              "group", "zarr_format", 3);
}

static bool lists(const json_t *list, const char *layer)
{
    bool found = false;
    for (size_t i = 0; i < json_array_size(list) && !found; i++) {
        found = is_version(json_array_get(list, i), layer);
    }
    return found;
}

/* Replaces a file by a text. */
static halo_status write_text(const char *path, const json_t *json)
{
    halo_atomic_file file = {.lock = -1};
    char *text = halo_json_text(json, JSON_INDENT(4));
    if (text == NULL) {
        return fail_memory();
    }
    halo_status status = halo_atomic_begin(&file, path);
    if (status == HALO_OK) {
        FILE *out = fopen(file.temporary, "w");
        bool good = out != NULL && fputs(text, out) >= 0;
        good = out != NULL && fclose(out) == 0 && good;
        status = good ? halo_atomic_commit(&file) : halo_atomic_fail(path, errno);
    }
    if (status != HALO_OK) {
        halo_atomic_discard(&file);
    }
    free(text);
    return status;
}

static halo_status add_to_list(const halo_ome_name *name, halo_ome_version version)
{
    char path[PATH_SIZE];
    struct stat there;
    const char *layer = strrchr(name->path, '/') + 1;
    HALO_FAIL_IF(!print_path(name, "/labels", file_of(version), path), HALO_FILE,
                 "cannot write %s: the name is too long", name->path);
    json_t *text = stat(path, &there) == 0 ? json_load_file(path, 0, NULL) : new_group(version);
    json_t *list = find_list(text, version);
    halo_status status =
        list != NULL ? HALO_OK
                     : halo_fail(HALO_FILE,
                                 "%s was written, and %s, which lists label layers, cannot be "
                                 "read; correct it, and add the layer there",
                                 name->path, path);
    if (status == HALO_OK && !lists(list, layer)) {
        status = json_array_append_new(list, json_string(layer)) == 0 ? write_text(path, text)
                                                                      : fail_memory();
    }
    json_decref(text);
    return status;
}

/* Runs that add layers of one image wait for each other. */
halo_status halo_ome_list_layer(const halo_ome_name *name, halo_ome_version version)
{
    char group[PATH_SIZE];
    print_path(name, "/labels", "", group);
    int handle = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        int locked = flock(handle, LOCK_EX);
        (void)locked; /* not every disk has locks */
    }
    halo_status status = add_to_list(name, version);
    if (handle >= 0) {
        close(handle);
    }
    return status;
}

static const char *mark_of(halo_ome_version version)
{
    return version == HALO_OME_04 ? ".zgroup" : "zarr.json";
}

/* ---- the group ------------------------------------------------------------------------------- */

halo_status halo_ome_make_group(const halo_ome_name *name, halo_ome_version version, bool *made)
{
    char group[PATH_SIZE], file[PATH_SIZE];
    struct stat there;
    const char *mark = mark_of(version);
    HALO_FAIL_IF(!print_path(name, "/labels", "", group) ||
                     !print_path(name, "/labels", mark, file),
                 HALO_FILE, "cannot write %s: the name is too long", name->path);
    *made = mkdir(group, 0777) == 0;
    HALO_TRY(*made || errno == EEXIST ? HALO_OK : halo_atomic_fail(group, errno));
    if (stat(file, &there) == 0) {
        return HALO_OK;
    }
    json_t *text =
        version == HALO_OME_04 ? json_pack("{s:i}", "zarr_format", 2) : new_group(version);
    halo_status status = text != NULL ? write_text(file, text) : fail_memory();
    json_decref(text);
    return status;
}

/* True if only the group's own description is in it. */
static bool is_empty(const char *path, const char *mark)
{
    DIR *folder = opendir(path);
    bool empty = folder != NULL;
    for (const struct dirent *entry; empty && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        empty = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, mark) == 0;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return empty;
}

void halo_ome_drop_group(const halo_ome_name *name, halo_ome_version version)
{
    char path[PATH_SIZE], file[PATH_SIZE];
    const char *mark = mark_of(version);
    if (print_path(name, "/labels", "", path) && print_path(name, "/labels", mark, file) &&
        is_empty(path, mark)) {
        unlink(file);
        rmdir(path);
    }
}
