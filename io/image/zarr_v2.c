#include "io/image/zarr_internal.h"

#include <string.h>

/* .zarray of version 2. */

static halo_status parse_type(const halo_image_reader *reader, const json_t *value,
                              zarr_array *array)
{
    const char *text = json_string_value(value);
    if (text == NULL ||
        !halo_image_parse_dtype(text, &array->type, &array->bytes, &array->swapped)) {
        return halo_zarr_fail_field(reader, "dtype", value,
                                    "b1, u1, i1, <u2, >u2, <i4, <f4, <f8 and the like can be read");
    }
    return HALO_OK;
}

/* "F": the first axis is the fastest within a chunk. */
static halo_status parse_order(const halo_image_reader *reader, const json_t *value,
                               zarr_array *array)
{
    const char *text = json_string_value(value);
    array->permuted = text != NULL && strcmp(text, "F") == 0;
    for (int i = 0; i < array->axes; i++) {
        array->order[i] = array->permuted ? array->axes - 1 - i : i;
    }
    return array->permuted || (text != NULL && strcmp(text, "C") == 0)
               ? HALO_OK
               : halo_zarr_fail_field(reader, "order", value, "\"C\" and \"F\" can be read");
}

/* The last one may be a compressor, as arrays in files of HDF5 are described. */
static halo_status parse_filters(const halo_image_reader *reader, const json_t *value,
                                 zarr_array *array)
{
    size_t count = json_array_size(value);
    if (value != NULL && !json_is_null(value) && !json_is_array(value)) {
        return halo_zarr_fail_field(reader, "filters", value, "a list of them, or null");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *filter = json_array_get(value, i), *id = json_object_get(filter, "id");
        const char *name = json_string_value(id);
        HALO_TRY(i == count - 1 && halo_zarr_is_codec(name)
                     ? halo_zarr_find_codec(reader, name, id, array)
                     : halo_zarr_add_step(reader, name, filter, array));
    }
    return HALO_OK;
}

static halo_status parse_compressor(const halo_image_reader *reader, const json_t *value,
                                    zarr_array *array)
{
    const json_t *name = json_is_object(value) ? json_object_get(value, "id") : value;
    if (json_is_null(value)) {
        return HALO_OK;
    }
    return array->codec == NULL
               ? halo_zarr_find_codec(reader, json_string_value(name), name, array)
               : halo_zarr_fail_field(reader, "compressor", value,
                                      "one can be read, and the last filter is one, too: save the "
                                      "array with one of them");
}

halo_status halo_zarr_parse_v2(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array)
{
    const json_t *version = json_object_get(text, "zarr_format");
    if (json_integer_value(version) != 2) {
        return halo_zarr_fail_field(reader, "zarr_format", version, "2 and 3 can be read");
    }
    HALO_TRY(halo_zarr_parse_sizes(reader, "shape", json_object_get(text, "shape"), 0, array,
                                   array->shape));
    HALO_TRY(halo_zarr_parse_sizes(reader, "chunks", json_object_get(text, "chunks"), 1, array,
                                   array->chunk));
    HALO_TRY(parse_type(reader, json_object_get(text, "dtype"), array));
    HALO_TRY(parse_order(reader, json_object_get(text, "order"), array));
    HALO_TRY(parse_filters(reader, json_object_get(text, "filters"), array));
    HALO_TRY(parse_compressor(reader, json_object_get(text, "compressor"), array));
    HALO_TRY(halo_zarr_parse_separator(reader, json_object_get(text, "dimension_separator"), '.',
                                       array));
    return halo_zarr_parse_fill(reader, json_object_get(text, "fill_value"), array);
}
