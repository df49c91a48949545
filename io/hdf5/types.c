#include "io/hdf5/helper.h"
#include "io/image/image_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Read the type and the axes of a data set's samples. */

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

static bool matches(hdf5_description *about, hid_t type, hid_t little, hid_t big)
{
    bool is_big = H5Tequal(type, big) > 0;
    about->in_place = is_big || H5Tequal(type, little) > 0;
    about->swapped = about->in_place && is_big != is_big_endian() && H5Tget_size(type) > 1;
    return about->in_place;
}

static void describe_integer(hdf5_description *about, hid_t type)
{
    enum { UNSIGNED, SIGNED };
    size_t bytes = H5Tget_size(type);
    int sign = H5Tget_sign(type) == H5T_SGN_2 ? SIGNED : UNSIGNED;
#define TAKE_WHOLE(code, c_type, kind, ...)                           \
    if (bytes == sizeof(c_type) && sign == (kind)) {                  \
        about->known = true;                                          \
        about->type = HALO_SAMPLE_##code;                             \
        matches(about, type, H5T_STD_##code##LE, H5T_STD_##code##BE); \
    }
    HALO_SAMPLE_WHOLE_LIST(TAKE_WHOLE)
#undef TAKE_WHOLE
    snprintf(about->type_text, sizeof about->type_text, "%sint%zu", sign == SIGNED ? "" : "u",
             8 * bytes);
}

/* Short floats become floats of 32 bits, which hold them. */
static void describe_float(hdf5_description *about, hid_t type)
{
    size_t bytes = H5Tget_size(type);
    bool whole = matches(about, type, H5T_IEEE_F32LE, H5T_IEEE_F32BE) ||
                 matches(about, type, H5T_IEEE_F64LE, H5T_IEEE_F64BE);
    about->known = whole || bytes == 2;
    about->type = bytes == 8 ? HALO_SAMPLE_F64 : HALO_SAMPLE_F32;
    snprintf(about->type_text, sizeof about->type_text, "float%zu", 8 * bytes);
}

/* h5py's booleans. */
static bool is_boolean(hid_t type)
{
    signed char no = 1, yes = 0;
    return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
           H5Tenum_valueof(type, "FALSE", &no) >= 0 && H5Tenum_valueof(type, "TRUE", &yes) >= 0 &&
           no == 0 && yes == 1;
}

static void describe_enumeration(hdf5_description *about, hid_t type)
{
    if (is_boolean(type)) {
        about->known = about->boolean = about->in_place = true;
        about->type = HALO_SAMPLE_BIT;
        strcpy(about->type_text, "bool");
    } else { /* names for numbers */
        hid_t numbers = H5Tget_super(type);
        describe_integer(about, numbers);
        H5Tclose(numbers);
    }
}

void hdf5_describe_type(hdf5_description *about, hid_t type)
{
    static const size_t bytes[] = {
#define TYPE_BYTES(code, type, ...) sizeof(type),
        HALO_SAMPLE_TYPE_LIST(TYPE_BYTES)
#undef TYPE_BYTES
    };
    static const struct {
        H5T_class_t kind;
        const char *name;
    } others[] = {{H5T_STRING, "text"},          {H5T_COMPOUND, "compound values"},
                  {H5T_TIME, "times"},           {H5T_BITFIELD, "fields of bits"},
                  {H5T_OPAQUE, "opaque values"}, {H5T_REFERENCE, "references"},
                  {H5T_VLEN, "lists"},           {H5T_ARRAY, "arrays"}};
    H5T_class_t kind = H5Tget_class(type);
    about->known = about->boolean = about->in_place = about->swapped = false;
    about->type = 0;
    strcpy(about->type_text, "an unknown type");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (kind == others[i].kind) {
            strcpy(about->type_text, others[i].name);
        }
    }
    if (kind == H5T_INTEGER) {
        describe_integer(about, type);
    } else if (kind == H5T_FLOAT) {
        describe_float(about, type);
    } else if (kind == H5T_ENUM) {
        describe_enumeration(about, type);
    }
    about->sample_bytes =
        about->type != HALO_SAMPLE_BIT ? (int32_t)bytes[about->type] : about->boolean;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void print_sizes(hdf5_description *about)
{
    size_t used = 0, size = sizeof about->shape_text;
    snprintf(about->shape_text, size, "%s", about->axes < 0 ? "no array" : "one value");
    for (int i = 0; i < about->axes && used < size; i++) {
        used += (size_t)snprintf(about->shape_text + used, size - used, "%s%" PRIu64,
                                 i > 0 ? " x " : "", about->sizes[i]);
    }
}

void hdf5_describe_shape(hdf5_description *about, hid_t space)
{
    hsize_t sizes[H5S_MAX_RANK] = {0};
    about->axes = -1;
    if (H5Sget_simple_extent_type(space) != H5S_NULL) {
        about->axes = H5Sget_simple_extent_dims(space, sizes, NULL);
    }
    for (int i = 0; i < HDF5_AXES; i++) {
        about->sizes[i] = i < about->axes ? sizes[i] : 0;
    }
    print_sizes(about);
}

bool hdf5_is_image(const hdf5_description *about)
{
    int left = about->axes;
    for (int i = 0; left > 3 && i < about->axes; i++) {
        left -= about->sizes[i] == 1;
    }
    return about->known && (left == 2 || left == 3);
}

bool hdf5_has_images(const hdf5_description *about)
{
    enum { AXES = 8 };
    return about->known && about->axes >= 2 && about->axes <= AXES && !hdf5_is_image(about);
}
