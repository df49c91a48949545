#include "io/array/format.h"

#include "base/names.h"
#include "io/array/packer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The table of formats that arrays are written in, and what its rows can hold. */

const halo_array_format_entry halo_array_formats[HALO_ARRAY_FORMATS] = {
#define FORMAT_ENTRY(code, endings, ...) {&halo_array_format_##code, endings},
    HALO_ARRAY_FORMAT_LIST(FORMAT_ENTRY) HALO_ARRAY_PICTURE_LIST(FORMAT_ENTRY)
#undef FORMAT_ENTRY
};

enum { ENDING = 16, TEXT = 256 };

const halo_array_format *halo_array_format_of(const char *path)
{
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        for (const char *ending = halo_array_formats[i].endings; *ending != '\0';) {
            size_t length = strcspn(ending, "|");
            if (halo_name_ends_by(path, halo_name_file(path), ending, length)) {
                return halo_array_formats[i].format;
            }
            ending += length + (ending[length] == '|');
        }
    }
    return halo_name_layer(path) > 0 ? &halo_array_format_ome_zarr : NULL;
}

halo_array_shape halo_array_shape_of(const halo_npy_header *header)
{
    return header->axes == 1    ? HALO_ARRAY_LINE
           : header->axes != 3  ? HALO_ARRAY_IMAGE
           : header->pixel == 0 ? HALO_ARRAY_VOLUME
           : header->pixel == 3 ? HALO_ARRAY_COLOURS
                                : HALO_ARRAY_PIXELS;
}

const char *halo_array_type_name(halo_sample_type type)
{
    return type == HALO_SAMPLE_BIT ? "bool" : halo_sample_types[type].name;
}

/* ---- lists in messages ----------------------------------------------------------------------- */

/* A condition on formats. */
typedef struct {
    halo_array_shape shape;
    halo_sample_type type;
    halo_array_packing packing; /* if it is one, shape and type do not count */
} wanted;

static bool can(const halo_array_format *format, const wanted *what)
{
    return what->packing != HALO_ARRAY_PACKING_NONE
               ? format->write[what->packing] != NULL
               : (format->types[what->shape] >> what->type & 1) != 0;
}

/* ".tif, .zarr or .mha": the first endings of the formats that can do it. */
static void list_formats(const wanted *what, char text[TEXT])
{
    char endings[HALO_ARRAY_FORMATS][ENDING];
    const char *names[HALO_ARRAY_FORMATS];
    int count = 0;
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        const halo_array_format_entry *entry = &halo_array_formats[i];
        if (can(entry->format, what)) {
            snprintf(endings[count], ENDING, "%.*s", (int)strcspn(entry->endings, "|"),
                     entry->endings);
            names[count] = endings[count];
            count++;
        }
    }
    halo_names_list(names, count, text, TEXT);
}

/* "uint8 or uint16" */
static void list_types(unsigned types, char text[TEXT])
{
    const char *names[HALO_SAMPLE_TYPES];
    int count = 0;
    for (int type = 0; type < HALO_SAMPLE_TYPES; type++) {
        if ((types >> type & 1) != 0) {
            names[count++] = halo_array_type_name((halo_sample_type)type);
        }
    }
    halo_names_list(names, count, text, TEXT);
}

/* ---- what rows can hold ---------------------------------------------------------------------- */

static halo_status fail_unknown(const char *path)
{
    char endings[TEXT];
    list_formats(&(wanted){.shape = HALO_ARRAY_IMAGE, .type = HALO_SAMPLE_U8}, endings);
    return halo_fail(HALO_ARGUMENT, "%s names no format of arrays; use a name ending in %s", path,
                     endings);
}

/* A layer cannot hold what this refuses, though images can. */
static halo_status check_layer(const char *path, const halo_npy_header *header)
{
    bool several = halo_array_has_pixels(header);
    return HALO_REQUIRE(halo_name_layer(path) == 0 ||
                            !(several || halo_sample_types[header->type].real),
                        HALO_ARGUMENT,
                        "%s: label layers have one whole number a pixel, and not %s; use a name "
                        "ending in .ome.zarr",
                        path, several ? "several" : halo_array_type_name(header->type));
}

halo_status halo_array_check(const char *path, const halo_npy_header *header)
{
    static const char *const shapes[] = {
#define SHAPE_NAME(code, plural) plural,
        HALO_ARRAY_SHAPE_LIST(SHAPE_NAME)
#undef SHAPE_NAME
    };
    const halo_array_format *format = halo_array_format_of(path);
    const wanted this = {.shape = halo_array_shape_of(header), .type = header->type};
    char others[TEXT], types[TEXT];
    if (format == NULL) {
        return fail_unknown(path);
    }
    if (can(format, &this)) {
        HALO_FAIL_IF(format->most_pixel > 0 && header->pixel > format->most_pixel, HALO_ARGUMENT,
                     "%s: pixels of %s have %" PRId64 " numbers at most, and not %" PRId64
                     "; use a name ending in .npy",
                     path, format->name, format->most_pixel, header->pixel);
        HALO_TRY(halo_array_check_name(path));
        return check_layer(path, header);
    }
    list_formats(&this, others);
    if (format->types[this.shape] == 0) {
        return halo_fail(HALO_ARGUMENT, "%s: %s holds no %s; use a name ending in %s", path,
                         format->name, shapes[this.shape], others);
    }
    list_types(format->types[this.shape], types);
    return halo_fail(HALO_ARGUMENT, "%s: samples of %s are %s, and not %s; use a name ending in %s",
                     path, format->name, types, halo_array_type_name(header->type), others);
}

bool halo_array_holds(const char *path, halo_sample_type type, int axes)
{
    const halo_array_format *format = halo_array_format_of(path);
    const halo_npy_header header = {.axes = axes};
    const wanted this = {.shape = halo_array_shape_of(&header), .type = type};
    return format != NULL && can(format, &this);
}

halo_sample_type halo_array_label_type(const char *path, int64_t max)
{
    const halo_array_format *format = halo_array_format_of(path);
    if (format != NULL && format->signed_labels) {
        return max > INT32_MAX ? HALO_SAMPLE_I64 : HALO_SAMPLE_I32;
    }
    return max <= UINT16_MAX || !halo_array_holds(path, HALO_SAMPLE_U32, 2) ? HALO_SAMPLE_U16
           : max <= INT32_MAX                                               ? HALO_SAMPLE_U32
                                                                            : HALO_SAMPLE_U64;
}

bool halo_array_is_read_as_floats(const char *path, halo_sample_type type)
{
    const halo_array_format *format = halo_array_format_of(path);
    return format != NULL && (format->as_floats >> type & 1) != 0;
}

bool halo_array_is_one(const char *path)
{
    const halo_array_format *format = halo_array_format_of(path);
    return format != NULL && !format->picture;
}

/* A compression that the format has in place of one that it has not; NONE: there is none. */
static halo_array_packing other_packing(const halo_array_format *format)
{
    for (int packing = HALO_ARRAY_PACKING_NONE + 1; packing < HALO_ARRAY_PACKINGS; packing++) {
        if (format != NULL && format->write[packing] != NULL) {
            return (halo_array_packing)packing;
        }
    }
    return HALO_ARRAY_PACKING_NONE;
}

halo_status halo_array_check_packing(const char *path, halo_array_packing packing)
{
    static const char *const names[] = {
#define PACKING_NAME(code, name) #name,
        HALO_ARRAY_PACKING_LIST(PACKING_NAME)
#undef PACKING_NAME
    };
    const halo_array_format *format = halo_array_format_of(path);
    halo_array_packing other = other_packing(format);
    char endings[TEXT];
    if (packing == HALO_ARRAY_PACKING_NONE) {
        return HALO_OK;
    }
    if (format == NULL || format->write[packing] == NULL) {
        list_formats(&(wanted){.packing = packing}, endings);
        return halo_fail(
            HALO_ARGUMENT,
            "--compress %s is for names ending in %s, and not for %s; use %s%s, or leave it out",
            names[packing], endings, path,
            other != HALO_ARRAY_PACKING_NONE ? "--compress " : "such a name",
            other != HALO_ARRAY_PACKING_NONE ? names[other] : "");
    }
    return packing == HALO_ARRAY_PACKING_LZ4 ? halo_packer_load(path) : HALO_OK;
}
