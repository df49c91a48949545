#define _POSIX_C_SOURCE 200809L
#include "io/image/zarr_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Unit and origin of an image of OME-Zarr, or of one of its levels, in the attributes of its group
 * (OME-NGFF 0.4 and 0.5). What cannot be read is left out: the samples do not need it. */

enum { SPACE = 3 };

/* Which axes of the array are x, y and z; -1: none. */
typedef struct {
    int of[SPACE];
    halo_length unit; /* if they have the same one */
} space_axes;

static bool is_space(const json_t *axis)
{
    const char *type = json_string_value(json_object_get(axis, "type"));
    return type != NULL && strcmp(type, "space") == 0;
}

static space_axes find_axes(const json_t *axes)
{
    space_axes space = {.of = {-1, -1, -1}};
    int found = 0;
    bool same = true;
    for (size_t i = json_array_size(axes); i > 0 && found < SPACE; i--) {
        const json_t *axis = json_array_get(axes, i - 1);
        if (!is_space(axis)) {
            continue;
        }
        const char *unit = json_string_value(json_object_get(axis, "unit"));
        halo_length length = unit != NULL ? halo_length_find(unit) : HALO_LENGTH_UNKNOWN;
        same = same && (found == 0 || length == space.unit);
        space.unit = length;
        space.of[found++] = (int)i - 1;
    }
    space.unit = same ? space.unit : HALO_LENGTH_UNKNOWN;
    return space;
}

static double number_of(const json_t *numbers, int axis, double otherwise)
{
    const json_t *number = axis >= 0 ? json_array_get(numbers, (size_t)axis) : NULL;
    return json_is_number(number) ? json_number_value(number) : otherwise;
}

/* Scales and translations, one after the other. */
static void apply(const json_t *steps, const space_axes *space, halo_image_geometry *g,
                  bool with_scale)
{
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        const json_t *scale = with_scale ? json_object_get(step, "scale") : NULL;
        const json_t *translation = json_object_get(step, "translation");
        for (int axis = 0; axis < SPACE; axis++) {
            double factor = number_of(scale, space->of[axis], 1);
            g->spacing[axis] *= factor;
            g->origin[axis] = g->origin[axis] * factor + number_of(translation, space->of[axis], 0);
        }
        g->placed = g->placed || json_array_size(translation) > 0;
    }
}

static void place_level(const json_t *scene, const json_t *level, const space_axes *space,
                        halo_image_geometry *g)
{
    halo_geometry_set_identity(g);
    apply(json_object_get(level, "coordinateTransformations"), space, g, false);
    apply(json_object_get(scene, "coordinateTransformations"), space, g, true);
}

static json_t *load_attributes(const halo_image_reader *reader)
{
    const zarr_state *state = reader->state;
    const char *group = state->array.group != NULL ? state->array.group : reader->path;
    static const char *const names[] = {"zarr.json", ".zattrs"};
    json_t *text = NULL, *attributes = NULL;
    for (int i = 0; i < 2 && text == NULL; i++) {
        char *path = halo_zarr_join(group, names[i]);
        bool there = path != NULL && access(path, R_OK) == 0;
        if (there && halo_zarr_load(reader, path, &text) == HALO_OK) {
            attributes = json_incref(i == 0 ? json_object_get(text, "attributes") : text);
        }
        free(path);
    }
    json_decref(text);
    return attributes;
}

static bool read_vector(const json_t *list, double vector[SPACE])
{
    bool good = json_array_size(list) == SPACE;
    for (int i = 0; i < SPACE; i++) {
        vector[i] = number_of(list, i, NAN);
    }
    return good;
}

/* As halobeat writes it: origin and directions with three components, of the first level, whose
 * origin without directions is `first`. */
static void read_own(const json_t *own, const double first[SPACE], halo_image_geometry *g)
{
    halo_image_geometry read = *g;
    const json_t *directions = json_object_get(own, "direction");
    bool good = read_vector(json_object_get(own, "origin"), read.origin);
    for (int axis = 0; axis < SPACE; axis++) {
        good = read_vector(json_array_get(directions, (size_t)axis), read.direction[axis]) && good;
    }
    for (int axis = 0; axis < SPACE; axis++) {
        for (int i = 0; i < SPACE; i++) {
            read.origin[i] += (g->origin[axis] - first[axis]) * read.direction[axis][i];
        }
    }
    read.placed = true;
    read.anatomical = json_is_true(json_object_get(own, "anatomical"));
    *g = good ? read : *g;
}

void halo_zarr_place(halo_image_reader *reader)
{
    halo_image_geometry *g = &reader->info.geometry;
    json_t *attributes = load_attributes(reader);
    const json_t *ome = json_object_get(attributes, "ome");
    const json_t *said = ome != NULL ? ome : attributes;
    const json_t *scenes = json_object_get(said, "multiscales");
    const json_t *scene = json_array_get(scenes, 0);
    const json_t *levels = json_object_get(scene, "datasets");
    const json_t *image = json_array_get(levels, ((zarr_state *)reader->state)->array.image);
    const space_axes space = find_axes(json_object_get(scene, "axes"));
    if (image != NULL && space.of[1] >= 0) {
        halo_image_geometry first = *g;
        place_level(scene, json_array_get(levels, 0), &space, &first);
        place_level(scene, image, &space, g);
        g->unit = space.unit;
        read_own(json_object_get(attributes, "halobeat"), first.origin, g);
    }
    reader->info.labels = json_object_get(said, "image-label") != NULL;
    json_decref(attributes);
}
