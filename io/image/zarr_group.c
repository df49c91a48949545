#define _POSIX_C_SOURCE 200809L
#include "io/image/zarr_internal.h"

#include "base/memory.h"
#include "base/scan.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Folders of zarr: an array, or a group of arrays of which one is meant. */

static const char ARRAY_V2[] = ".zarray", GROUP_V2[] = ".zgroup", NODE_V3[] = "zarr.json";

char *halo_zarr_join(const char *folder, const char *name)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    if (path != NULL) {
        snprintf(path, bytes, "%s/%s", folder, name);
    }
    return path;
}

static bool has_file(const char *folder, const char *name)
{
    struct stat about;
    char *path = halo_zarr_join(folder, name);
    bool there = path != NULL && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    free(path);
    return there;
}

bool halo_zarr_claims(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
           (has_file(path, ARRAY_V2) || has_file(path, GROUP_V2) || has_file(path, NODE_V3));
}

static halo_status load(const halo_image_reader *reader, const char *folder, const char *name,
                        json_t **out)
{
    char *path = halo_zarr_join(folder, name);
    halo_status status = path != NULL ? halo_zarr_load(reader, path, out)
                                      : halo_fail(HALO_MEMORY, "out of memory: a name of a file");
    free(path);
    return status;
}

/* ---- OME-Zarr -------------------------------------------------------------------------------- */

/* The data sets of one scene, of which the first one is the largest; NULL: there are none. */
static const json_t *list_images(const json_t *attributes)
{
    const json_t *ome = json_object_get(attributes, "ome");
    const json_t *scenes = json_object_get(ome != NULL ? ome : attributes, "multiscales");
    return json_object_get(json_array_get(scenes, 0), "datasets");
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_array(const halo_image_reader *reader, const char *folder)
{
    json_t *node = NULL;
    bool is = has_file(folder, ARRAY_V2);
    if (!is && has_file(folder, NODE_V3) && load(reader, folder, NODE_V3, &node) == HALO_OK) {
        const char *type = json_string_value(json_object_get(node, "node_type"));
        is = type != NULL && strcmp(type, "array") == 0;
    }
    json_decref(node);
    return is;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder of the group with the array. */
static const char *group_of(const halo_image_reader *reader, const zarr_array *array)
{
    return array->group != NULL ? array->group : reader->path;
}

/* The names of the arrays in the folder `in`, sorted, as far as there is room: [most]. */
static int list_arrays(const halo_image_reader *reader, const char *in, char **names, int most)
{
    int count = 0;
    DIR *folder = opendir(in);
    while (folder != NULL && count < most) {
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) {
            break;
        }
        char *path = halo_zarr_join(in, entry->d_name);
        if (entry->d_name[0] != '.' && path != NULL && is_array(reader, path)) {
            names[count] = strdup(entry->d_name);
            count += names[count] != NULL;
        }
        free(path);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

static halo_status fail_names(const halo_image_reader *reader, const char *in, char *const *names,
                              int count)
{
    char text[512] = "";
    if (count == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: a group of zarr without an array in it; name the folder of an array",
                         reader->path);
    }
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.60s", i > 0 ? ", " : "", names[i]);
    }
    return halo_fail(HALO_FORMAT, "%s: a group of several arrays: %s; name one: %s/%s",
                     reader->path, text, in, names[0]);
}

static halo_status find_only(const halo_image_reader *reader, const char *in, char **out)
{
    enum { MOST = 32 };
    char *names[MOST] = {NULL};
    int count = list_arrays(reader, in, names, MOST);
    *out = count == 1 ? halo_zarr_join(in, names[0]) : NULL;
    halo_status status = count != 1     ? fail_names(reader, in, names, count)
                         : *out == NULL ? halo_fail(HALO_MEMORY, "out of memory: names of arrays")
                                        : HALO_OK;
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
    return status;
}

bool halo_zarr_is_inside(const char *path)
{
    bool out = path[0] == '/' || path[0] == '\0';
    for (const char *part = path; part != NULL && !out; part = strchr(part, '/')) {
        part += *part == '/';
        out = strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0');
    }
    return !out;
}

/* The level that was chosen, or the first one, which is the largest. */
static halo_status choose_level(halo_image_reader *reader, const json_t *levels, zarr_array *array)
{
    int64_t count = (int64_t)json_array_size(levels), index = 0;
    if (reader->level == NULL || count == 0) {
        return HALO_OK;
    }
    const char *at = reader->level;
    bool is = halo_scan_integer(&at, 0, INT64_MAX, &index) && *at == '\0';
    HALO_FAIL_IF(!is || index >= count, HALO_ARGUMENT,
                 "%s: there is no level %.40s; the image has levels 0 to %" PRId64, reader->path,
                 reader->level, count - 1);
    array->image = (size_t)index;
    reader->level_used = true;
    halo_image_add_note(reader, "level %" PRId64 " of 0 to %" PRId64, index, count - 1);
    return HALO_OK;
}

/* The folder of the array that a group with these attributes means. */
static halo_status find_in_group(halo_image_reader *reader, const json_t *attributes,
                                 zarr_array *array)
{
    HALO_TRY(choose_level(reader, list_images(attributes), array));
    const json_t *image = json_array_get(list_images(attributes), array->image);
    if (image == NULL) {
        return find_only(reader, group_of(reader, array), &array->folder);
    }
    const json_t *path = json_object_get(image, "path");
    const char *text = json_string_value(path);
    if (text == NULL || !halo_zarr_is_inside(text)) {
        return halo_zarr_fail_field(reader, "path of its first image", path,
                                    "name the folder of an array in the group");
    }
    halo_zarr_note_scene(array, attributes, image);
    array->folder = halo_zarr_join(group_of(reader, array), text);
    if (array->folder == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a name of a file");
    }
    return is_array(reader, array->folder)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: its attributes name %s as the first image, and no array is there; "
                           "name the folder of an array, or copy the group again",
                           reader->path, array->folder);
}

halo_status halo_zarr_load_attributes(const halo_image_reader *reader, const char *folder,
                                      json_t **out)
{
    json_t *text = NULL;
    bool old = !has_file(folder, NODE_V3);
    *out = NULL;
    if (old && !has_file(folder, ".zattrs")) {
        return HALO_OK;
    }
    HALO_TRY(load(reader, folder, old ? ".zattrs" : NODE_V3, &text));
    *out = json_incref(old ? text : json_object_get(text, "attributes"));
    json_decref(text);
    return HALO_OK;
}

static halo_status find_by_attributes(halo_image_reader *reader, zarr_array *array)
{
    json_t *attributes;
    HALO_TRY(halo_zarr_load_attributes(reader, reader->path, &attributes));
    halo_status status = halo_zarr_choose_series(reader, attributes, array);
    if (status == HALO_OK && array->group != NULL) { /* it is in a group of its own */
        json_decref(attributes);
        attributes = NULL;
        status = halo_zarr_load_attributes(reader, array->group, &attributes);
    }
    status = status == HALO_OK ? find_in_group(reader, attributes, array) : status;
    json_decref(attributes);
    return status;
}

/* Note the axes of the array `name` as the attributes in `folder` describe them; attributes that
 * cannot be read are ignored. False if they do not. */
static bool note_by(const halo_image_reader *reader, const char *folder, const char *name,
                    zarr_array *array)
{
    json_t *attributes = NULL;
    bool found = false;
    if (halo_zarr_load_attributes(reader, folder, &attributes) == HALO_OK) {
        const json_t *images = list_images(attributes);
        for (size_t i = 0; i < json_array_size(images); i++) {
            const json_t *image = json_array_get(images, i);
            const char *path = json_string_value(json_object_get(image, "path"));
            if (path != NULL && strcmp(path, name) == 0) {
                halo_zarr_note_scene(array, attributes, image);
                array->image = i;
                found = true;
            }
        }
    }
    json_decref(attributes);
    return found;
}

char *halo_zarr_around(const char *folder, const char **name)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    char *around = strndup(folder, length), *slash = around != NULL ? strrchr(around, '/') : NULL;
    if (slash == NULL || slash == around) {
        free(around);
        return NULL;
    }
    *slash = '\0';
    *name = slash + 1;
    return around;
}

/* An array that was named itself has its axes described in the group around it, or in its own
 * attributes, as halobeat writes them. */
static void look_around(const halo_image_reader *reader, zarr_array *array)
{
    const char *name;
    char *around = halo_zarr_around(array->folder, &name);
    bool level = around != NULL && note_by(reader, around, name, array);
    if (note_by(reader, array->folder, ".", array) || !level) {
        free(around);
        around = NULL;
    }
    array->group = around;
}

/* The names that xarray gives the axes of an array of version 2, and what is no data. `text`: the
 * array's metadata. */
static halo_status note_attributes(const halo_image_reader *reader, const json_t *text, bool old,
                                   zarr_array *array)
{
    json_t *attributes;
    HALO_TRY(halo_zarr_load_attributes(reader, array->folder, &attributes));
    if (!array->named) {
        halo_zarr_note_axes(array, json_object_get(attributes, "_ARRAY_DIMENSIONS"));
    }
    halo_zarr_note_nodata(array, text, attributes, old);
    json_decref(attributes);
    return HALO_OK;
}

static halo_status parse(halo_image_reader *reader, zarr_array *array)
{
    bool old = has_file(array->folder, ARRAY_V2);
    json_t *text = NULL;
    reader->data_path = halo_zarr_join(array->folder, old ? ARRAY_V2 : NODE_V3);
    if (reader->data_path == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a name of a file");
    }
    halo_status status = halo_zarr_load(reader, reader->data_path, &text);
    if (status == HALO_OK) {
        status = note_attributes(reader, text, old, array);
    }
    if (status == HALO_OK) {
        status =
            old ? halo_zarr_parse_v2(reader, text, array) : halo_zarr_parse_v3(reader, text, array);
    }
    json_decref(text);
    return status;
}

static halo_status check_node(const halo_image_reader *reader)
{
    json_t *node = NULL;
    if (has_file(reader->path, ARRAY_V2) || !has_file(reader->path, NODE_V3)) {
        return HALO_OK;
    }
    HALO_TRY(load(reader, reader->path, NODE_V3, &node));
    const json_t *type = json_object_get(node, "node_type");
    const char *text = json_string_value(type);
    bool known = text != NULL && (strcmp(text, "array") == 0 || strcmp(text, "group") == 0);
    halo_status status =
        known ? HALO_OK
              : halo_zarr_fail_field(reader, "node_type", type, "arrays and groups can be read");
    json_decref(node);
    return status;
}

halo_status halo_zarr_find(halo_image_reader *reader, zarr_array *array)
{
    HALO_TRY(check_node(reader));
    if (!is_array(reader, reader->path)) {
        HALO_TRY(find_by_attributes(reader, array));
    } else {
        size_t bytes = strlen(reader->path) + 1;
        HALO_TRY(HALO_ALLOCATE(array->folder, bytes, "the name of a file"));
        memcpy(array->folder, reader->path, bytes);
        look_around(reader, array);
    }
    return parse(reader, array);
}
