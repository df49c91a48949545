#include "io/image/zarr_internal.h"

#include <math.h>
#include <string.h>

/* Find the axes of a zarr array, and choose the part of them that is read. */

/* ---- names ----------------------------------------------------------------------------------- */

void halo_zarr_note_axes(zarr_array *array, const json_t *list)
{
    size_t count = json_array_size(list);
    if (count == 0 || count > HALO_IMAGE_MAX_AXES) {
        return;
    }
    array->named = true;
    for (size_t i = 0; i < count; i++) {
        const json_t *axis = json_array_get(list, i);
        bool object = json_is_object(axis);
        const char *type = json_string_value(json_object_get(axis, "type"));
        const char *name = json_string_value(object ? json_object_get(axis, "name") : axis);
        array->named = array->named && name != NULL;
        array->kinds[i] = type != NULL && strcmp(type, "space") != 0 ? halo_image_axis_kind(type)
                          : type != NULL                             ? HALO_AXIS_SERIES
                                                                     : halo_image_axis_kind(name);
    }
}

static void note_scale(zarr_array *array, const json_t *image)
{
    const json_t *steps = json_object_get(image, "coordinateTransformations");
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *numbers = json_object_get(json_array_get(steps, i), "scale");
        size_t count = json_array_size(numbers);
        for (size_t axis = 0; axis < HALO_IMAGE_MAX_AXES && axis < count; axis++) {
            double is = fabs(json_number_value(json_array_get(numbers, axis)));
            array->scale[axis] = isfinite(is) ? is : 0;
        }
        array->scales = count > 0 ? (int)count : array->scales;
    }
}

static void note_channels(zarr_array *array, const json_t *attributes)
{
    const json_t *list = json_object_get(json_object_get(attributes, "omero"), "channels");
    halo_image_axes axes = {.count = 0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *label = json_string_value(json_object_get(json_array_get(list, i), "label"));
        halo_image_add_name(&axes, HALO_IMAGE_CHANNEL, label != NULL ? label : "");
    }
    memcpy(array->channels, axes.names[HALO_IMAGE_CHANNEL], sizeof array->channels);
}

void halo_zarr_note_scene(zarr_array *array, const json_t *attributes, const json_t *image)
{
    array->scene = true;
    const json_t *ome = json_object_get(attributes, "ome");
    ome = ome != NULL ? ome : attributes;
    const json_t *scene = json_array_get(json_object_get(ome, "multiscales"), 0);
    const json_t *axes = json_object_get(scene, "axes");
    json_t *first = json_pack("[s, s, s, s, s]", "t", "c", "z", "y", "x");
    halo_zarr_note_axes(array, axes != NULL ? axes : first); /* before version 0.3 always these */
    json_decref(first);
    note_scale(array, image);
    note_channels(array, ome);
}

/* ---- the part -------------------------------------------------------------------------------- */

static halo_status list_axes(halo_image_reader *reader, halo_image_axes *axes)
{
    const zarr_array *array = &((const zarr_state *)reader->state)->array;
    *axes = (halo_image_axes){.count = 0};
    memcpy(axes->names[HALO_IMAGE_CHANNEL], array->channels, sizeof array->channels);
    return array->named
               ? halo_image_named_axes(reader, array->type, array->axes, array->shape, array->kinds,
                                       axes)
               : halo_image_array_axes(reader, array->type, array->axes, array->shape, axes);
}

/* Samples of a chunk from one to the next along an axis. */
static int64_t stride_of(const zarr_array *array, int axis)
{
    int64_t stride = 1;
    for (int i = array->axes - 1; axis >= 0 && i > axis; i--) {
        stride *= array->chunk[i];
    }
    return axis >= 0 ? stride : 0;
}

/* Colours are rows of rows of samples. */
static void set_axes(zarr_state *state, const halo_image_part *part, bool colours)
{
    const zarr_array *array = &state->array;
    for (int i = 0; i < 3; i++) {
        state->axis[i] = !colours ? part->space[i] : i < 2 ? part->space[i + 1] : part->samples;
    }
    for (int i = 0; i < 3; i++) {
        int axis = state->axis[i];
        state->n[i] = axis >= 0 ? array->shape[axis] : 1;
        state->chunk[i] = axis >= 0 ? array->chunk[axis] : 1;
        state->stride[i] = stride_of(array, axis);
    }
    state->begin = 0;
    for (int i = 0; i < array->axes; i++) {
        bool read = i == state->axis[0] || i == state->axis[1] || i == state->axis[2];
        state->number[i] = read ? 0 : part->at[i] / array->chunk[i];
        state->begin += read ? 0 : part->at[i] % array->chunk[i] * stride_of(array, i);
    }
    state->lines = colours ? state->n[1] : 1;
}

static halo_status check_colours(const halo_image_reader *reader, const halo_image_part *part,
                                 bool colours)
{
    return !colours || part->space[0] < 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: a volume of colours; choose one of them with --channel, or as "
                           "%s:c=0",
                           reader->path, reader->path);
}

static void set_spacing(halo_image_reader *reader, const halo_image_part *part)
{
    const zarr_array *array = &((const zarr_state *)reader->state)->array;
    for (int i = 0; i < 3 && array->scales == array->axes; i++) {
        int axis = part->space[2 - i];
        reader->info.geometry.spacing[i] = axis >= 0 ? array->scale[axis] : 0;
    }
}

halo_status halo_zarr_choose(halo_image_reader *reader)
{
    zarr_state *state = reader->state;
    const zarr_array *array = &state->array;
    halo_image_axes axes;
    halo_image_part part;
    HALO_TRY(list_axes(reader, &axes));
    HALO_TRY(halo_image_choose_part(reader, &axes, &part));
    bool colours = part.samples >= 0 && reader->pick < 0;
    HALO_TRY(check_colours(reader, &part, colours));
    reader->pick = -1; /* chunks are read for the sample that was chosen alone */
    set_axes(state, &part, colours);
    const int64_t *n = state->n;
    halo_image_set_samples(reader, array->type, colours ? (int)n[2] : 1);
    reader->info.bits = 8 * (int)array->bytes;
    HALO_TRY(colours ? halo_image_set_size(reader, 0, n[0], n[1])
                     : halo_image_set_size(reader, part.space[0] >= 0 ? n[0] : 0, n[1], n[2]));
    set_spacing(reader, &part);
    reader->layout =
        (halo_image_layout){.row_samples = reader->info.width * reader->samples.channels,
                            .sample_bytes = array->bytes,
                            .booleans = array->type == HALO_SAMPLE_BIT,
                            .halves = halo_image_are_halves(array->type, array->bytes),
                            .swapped = array->swapped && array->bytes > 1};
    return HALO_OK;
}
