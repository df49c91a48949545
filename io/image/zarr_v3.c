#include "io/image/zarr_internal.h"

#include <string.h>

/* zarr.json of an array of version 3. */

bool halo_zarr_is_text(const json_t *value, const char *text)
{
    const char *is = json_string_value(value);
    return is != NULL && strcmp(is, text) == 0;
}

/* Names stand alone, or in an object beside a configuration. */
static const json_t *name_of(const json_t *value)
{
    return json_is_object(value) ? json_object_get(value, "name") : value;
}

const json_t *halo_zarr_configured(const json_t *value, const char *key)
{
    return json_object_get(json_object_get(value, "configuration"), key);
}

static halo_status parse_type(const halo_image_reader *reader, const json_t *value,
                              zarr_array *array)
{
    bool swapped;
    const char *text = json_string_value(value);
    bool boolean = halo_zarr_is_text(value, "bool");
    if (text == NULL ||
        !halo_image_parse_dtype(boolean ? "b1" : text, &array->type, &array->bytes, &swapped)) {
        return halo_zarr_fail_field(
            reader, "data_type", value,
            "bool, uint8 to uint64, int8 to int64, float16 to float64 can be read");
    }
    return HALO_OK;
}

static halo_status parse_grid(const halo_image_reader *reader, const json_t *value,
                              zarr_array *array)
{
    if (!halo_zarr_is_text(name_of(value), "regular")) {
        return halo_zarr_fail_field(reader, "chunk_grid", value,
                                    "\"regular\" can be read: save it with chunks of one size");
    }
    return halo_zarr_parse_sizes(reader, "chunk_shape", halo_zarr_configured(value, "chunk_shape"),
                                 1, array, array->chunk);
}

static halo_status parse_keys(const halo_image_reader *reader, const json_t *value,
                              zarr_array *array)
{
    bool old = halo_zarr_is_text(name_of(value), "v2");
    array->prefixed = !old;
    if (!old && !halo_zarr_is_text(name_of(value), "default")) {
        return halo_zarr_fail_field(reader, "chunk_key_encoding", value,
                                    "\"default\" and \"v2\" can be read");
    }
    return halo_zarr_parse_separator(reader, halo_zarr_configured(value, "separator"),
                                     old ? '.' : '/', array);
}

/* ---- codecs: any that change the array, one that makes bytes of it, any that change these ---- */

/* The axes of a chunk, as they lie so far, in another order. */
static halo_status parse_transpose(const halo_image_reader *reader, const json_t *codec,
                                   zarr_array *array)
{
    const json_t *order = halo_zarr_configured(codec, "order");
    bool turned = halo_zarr_is_text(order, "F"), good = turned || halo_zarr_is_text(order, "C");
    int before[HALO_IMAGE_MAX_AXES];
    unsigned seen = 0;
    memcpy(before, array->order, sizeof before);
    for (int i = 0; i < array->axes; i++) {
        const json_t *axis = json_array_get(order, (size_t)i);
        json_int_t number = good ? (turned ? array->axes - 1 - i : i) : json_integer_value(axis);
        bool is = (good || json_is_integer(axis)) && number >= 0 && number < array->axes;
        array->order[i] = before[is ? number : 0];
        seen |= is ? 1U << number : 0;
    }
    good =
        seen == (1U << array->axes) - 1 && (good || json_array_size(order) == (size_t)array->axes);
    return good ? HALO_OK
                : halo_zarr_fail_field(reader, "transpose", codec,
                                       "its order has to have each axis once");
}

/* numcodecs' filters have their own names before those of zarr. */
static const char *filter_name(const json_t *codec)
{
    static const char before[] = "numcodecs.";
    const char *name = json_string_value(name_of(codec));
    return name != NULL && strncmp(name, before, strlen(before)) == 0 ? name + strlen(before)
                                                                      : name;
}

static halo_status parse_filter(const halo_image_reader *reader, const json_t *codec,
                                zarr_array *array)
{
    return halo_zarr_add_step(reader, filter_name(codec), json_object_get(codec, "configuration"),
                              array);
}

static halo_status parse_bytes(const halo_image_reader *reader, const json_t *codec,
                               zarr_array *array)
{
    const json_t *endian = halo_zarr_configured(codec, "endian");
    bool big = halo_zarr_is_text(endian, "big");
    if (array->bytes > 1 && !big && !halo_zarr_is_text(endian, "little")) {
        return halo_zarr_fail_field(reader, "endian", endian, "\"little\" and \"big\" can be read");
    }
    array->swapped = array->bytes > 1 && big != halo_image_big_endian();
    return HALO_OK;
}

static halo_status parse_serializer(const halo_image_reader *reader, const json_t *codec,
                                    zarr_array *array, bool *bytes)
{
    const json_t *name = name_of(codec);
    if (halo_zarr_is_text(name, "transpose") && array->step_count == 0) {
        return parse_transpose(reader, codec, array);
    }
    if (halo_zarr_is_step(filter_name(codec))) {
        return parse_filter(reader, codec, array);
    }
    *bytes = halo_zarr_is_text(name, "bytes");
    return *bytes ? parse_bytes(reader, codec, array)
                  : halo_zarr_fail_field(reader, "codec", codec,
                                         "\"bytes\", and behind it compressors and crc32c can be "
                                         "read: save the array with these");
}

/* A checksum before the compressor is a step. */
static halo_status parse_packer(const halo_image_reader *reader, const json_t *codec, bool last,
                                zarr_array *array)
{
    const char *name = filter_name(codec);
    array->checksum = last && halo_zarr_is_text(name_of(codec), "crc32c");
    if (array->checksum) {
        return HALO_OK;
    }
    if (array->codec == NULL && halo_zarr_is_step(name)) {
        return parse_filter(reader, codec, array);
    }
    return array->codec == NULL
               ? halo_zarr_find_codec(reader, name, name_of(codec), array)
               : halo_zarr_fail_field(reader, "codec", codec,
                                      "one compressor can be read, and behind it crc32c: save the "
                                      "array with these");
}

/* The codecs of an array, or of the chunks in its shards. */
static halo_status parse_list(const halo_image_reader *reader, const json_t *codecs,
                              zarr_array *array)
{
    bool bytes = false;
    size_t count = json_array_size(codecs);
    for (int i = 0; i < array->axes; i++) {
        array->order[i] = i;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *codec = json_array_get(codecs, i);
        HALO_TRY(bytes ? parse_packer(reader, codec, i == count - 1, array)
                       : parse_serializer(reader, codec, array, &bytes));
    }
    for (int i = 0; i < array->axes; i++) {
        array->permuted |= array->order[i] != i;
    }
    /* The codec "bytes" says in which order the bytes of all samples are. */
    for (int i = 0; i < array->step_count; i++) {
        array->steps[i].decoded.swapped = array->steps[i].encoded.swapped = array->swapped;
    }
    return bytes ? HALO_OK
                 : halo_zarr_fail_field(reader, "codecs", codecs,
                                        "\"bytes\" has to be one of them: make the array again");
}

static halo_status parse_codecs(const halo_image_reader *reader, const json_t *codecs,
                                zarr_array *array)
{
    const json_t *first = json_array_get(codecs, 0);
    if (!halo_zarr_is_text(name_of(first), "sharding_indexed")) {
        return parse_list(reader, codecs, array);
    }
    if (json_array_size(codecs) > 1) {
        return halo_zarr_fail_field(reader, "codecs", codecs,
                                    "sharding_indexed can be read as the only one: save the array "
                                    "with the others inside of it");
    }
    HALO_TRY(halo_zarr_parse_shards(reader, first, array));
    return parse_list(reader, halo_zarr_configured(first, "codecs"), array);
}

halo_status halo_zarr_parse_v3(const halo_image_reader *reader, const json_t *text,
                               zarr_array *array)
{
    const json_t *version = json_object_get(text, "zarr_format");
    const json_t *more = json_object_get(text, "storage_transformers");
    if (json_integer_value(version) != 3) {
        return halo_zarr_fail_field(reader, "zarr_format", version, "2 and 3 can be read");
    }
    if (json_array_size(more) > 0) {
        return halo_zarr_fail_field(reader, "storage_transformers", more,
                                    "save the array without any");
    }
    HALO_TRY(halo_zarr_parse_sizes(reader, "shape", json_object_get(text, "shape"), 0, array,
                                   array->shape));
    if (!array->named) {
        halo_zarr_note_axes(array, json_object_get(text, "dimension_names"));
    }
    HALO_TRY(parse_type(reader, json_object_get(text, "data_type"), array));
    HALO_TRY(parse_grid(reader, json_object_get(text, "chunk_grid"), array));
    HALO_TRY(parse_keys(reader, json_object_get(text, "chunk_key_encoding"), array));
    HALO_TRY(parse_codecs(reader, json_object_get(text, "codecs"), array));
    return halo_zarr_parse_fill(reader, json_object_get(text, "fill_value"), array);
}
