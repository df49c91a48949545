#define _POSIX_C_SOURCE 200809L
#include "io/image/zarr_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Groups of several images, as bioformats2raw makes one of each file (layout 3), and plates of
 * wells (OME-NGFF, "bf2raw", "plate" and "well"). */

static const json_t *ome_of(const json_t *attributes)
{
    const json_t *ome = json_object_get(attributes, "ome");
    return ome != NULL ? ome : attributes;
}

/* ---- series ---------------------------------------------------------------------------------- */

static bool is_node(const char *folder)
{
    static const char *const names[] = {".zgroup", "zarr.json", ".zarray"};
    bool is = false;
    for (int i = 0; i < 3 && !is; i++) {
        char *path = halo_zarr_join(folder, names[i]);
        is = path != NULL && access(path, F_OK) == 0;
        free(path);
    }
    return is;
}

/* 0, 1, 2 and so on, as far as there are folders. */
static int64_t count_numbered(const char *root)
{
    enum { DIGITS = 24 };
    int64_t count = 0;
    for (bool there = true; there; count += there) {
        char name[DIGITS];
        snprintf(name, sizeof name, "%" PRId64, count);
        char *path = halo_zarr_join(root, name);
        there = path != NULL && is_node(path);
        free(path);
    }
    return count;
}

/* The paths of all images, if the group OME lists them. */
static halo_status load_list(const halo_image_reader *reader, json_t **list)
{
    json_t *attributes = NULL;
    *list = NULL;
    char *folder = halo_zarr_join(reader->path, "OME");
    if (folder == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a name of a file");
    }
    halo_status status = HALO_OK;
    if (is_node(folder)) {
        status = halo_zarr_load_attributes(reader, folder, &attributes);
    }
    *list = json_incref(json_object_get(ome_of(attributes), "series"));
    json_decref(attributes);
    free(folder);
    return status;
}

static halo_status choose(halo_image_reader *reader, const json_t *list, zarr_array *array)
{
    enum { DIGITS = 24 };
    char number[DIGITS];
    bool listed = json_array_size(list) > 0;
    int64_t count = listed ? (int64_t)json_array_size(list) : count_numbered(reader->path);
    int64_t index = 0;
    if (count == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: is to hold images of bioformats2raw, and has no folder 0 with the "
                         "first one; copy it again",
                         reader->path);
    }
    if (reader->choices.of[HALO_IMAGE_SERIES] != NULL) {
        HALO_TRY(halo_image_find_index(reader, NULL, HALO_IMAGE_SERIES, count, &index));
    }
    halo_image_note_part(reader, NULL, HALO_IMAGE_SERIES, index, count);
    snprintf(number, sizeof number, "%" PRId64, index);
    const json_t *path = json_array_get(list, (size_t)index);
    const char *text = listed ? json_string_value(path) : number;
    if (text == NULL || !halo_zarr_is_inside(text)) {
        return halo_zarr_fail_field(reader, "path of a series", path,
                                    "name the folder of an image in the group");
    }
    array->group = halo_zarr_join(reader->path, text);
    return array->group != NULL ? HALO_OK
                                : halo_fail(HALO_MEMORY, "out of memory: a name of a file");
}

/* ---- plates ---------------------------------------------------------------------------------- */

/* A path in the group, of the first of a list of objects with paths. */
static const char *first_path(const json_t *list)
{
    const char *text = json_string_value(json_object_get(json_array_get(list, 0), "path"));
    return text != NULL && halo_zarr_is_inside(text) ? text : NULL;
}

static halo_status check_plate(const halo_image_reader *reader, const json_t *ome, bool counted)
{
    const json_t *wells = json_object_get(json_object_get(ome, "plate"), "wells");
    const json_t *fields = json_object_get(json_object_get(ome, "well"), "images");
    const char *path = first_path(wells != NULL ? wells : fields);
    if (wells != NULL && path != NULL) {
        return halo_fail(HALO_FORMAT,
                         "%s: is a plate of %zu wells; name an image of one, such as %s/%s/0%s",
                         reader->path, json_array_size(wells), reader->path, path,
                         counted ? ", or choose with --series" : "");
    }
    return fields != NULL && path != NULL
               ? halo_fail(HALO_FORMAT,
                           "%s: is a well of a plate, with %zu images; name one, such as %s/%s",
                           reader->path, json_array_size(fields), reader->path, path)
               : HALO_OK;
}

static halo_status check_labels(const halo_image_reader *reader, const json_t *ome)
{
    const json_t *names = json_object_get(ome, "labels");
    const char *first = json_string_value(json_array_get(names, 0));
    return first == NULL || !halo_zarr_is_inside(first)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: is a group of %zu images of labels; name one, such as %s/%s",
                           reader->path, json_array_size(names), reader->path, first);
}

halo_status halo_zarr_choose_series(halo_image_reader *reader, const json_t *attributes,
                                    zarr_array *array)
{
    const json_t *ome = ome_of(attributes);
    const json_t *layout = json_object_get(ome, "bioformats2raw.layout");
    bool counted = layout != NULL, chosen = reader->choices.of[HALO_IMAGE_SERIES] != NULL;
    json_t *list = NULL;
    if (!counted || !chosen) {
        HALO_TRY(check_plate(reader, ome, counted));
    }
    if (!counted) {
        return json_object_get(ome, "multiscales") == NULL ? check_labels(reader, ome) : HALO_OK;
    }
    if (json_integer_value(layout) != 3) {
        return halo_zarr_fail_field(reader, "bioformats2raw.layout", layout,
                                    "3 can be read: name the folder of an image in the group");
    }
    halo_status status = load_list(reader, &list);
    status = status == HALO_OK ? choose(reader, list, array) : status;
    json_decref(list);
    return status;
}
