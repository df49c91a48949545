#include "io/hdf5/helper.h"

#include <stdio.h>
#include <string.h>

/* Attributes of a few numbers, or of a text. */

/* Doubles do not have all whole numbers of 64 bits. */
static void read_whole(hid_t attribute, hid_t type, hdf5_attribute *out)
{
    out->is_signed = H5Tget_sign(type) == H5T_SGN_2;
    out->whole =
        H5Aread(attribute, out->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, out->bits) >= 0;
}

static void read_numbers(hid_t attribute, hid_t space, hid_t type, hdf5_attribute *out)
{
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count >= 1 && count <= HDF5_NUMBERS &&
        H5Aread(attribute, H5T_NATIVE_DOUBLE, out->numbers) >= 0) {
        out->count = (int32_t)count;
        if (H5Tget_class(type) == H5T_INTEGER) {
            read_whole(attribute, type, out);
        }
    }
}

/* A text of any length is in memory of the library, which is given back. */
static void read_long_text(hid_t attribute, hid_t type, hid_t space, hdf5_attribute *out)
{
    char *text = NULL;
    if (H5Aread(attribute, type, &text) >= 0 && text != NULL) {
        snprintf(out->text, sizeof out->text, "%s", text);
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
}

static void read_text(hid_t attribute, hid_t type, hid_t space, hdf5_attribute *out)
{
    if (H5Sget_simple_extent_npoints(space) != 1) {
        return;
    }
    if (H5Tis_variable_str(type) > 0) {
        read_long_text(attribute, type, space, out);
    } else if (H5Tget_size(type) < sizeof out->text) {
        H5Aread(attribute, type, out->text);
    }
}

static void read_value(hid_t object, const char *name, hdf5_attribute *out)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    H5T_class_t kind = H5Tget_class(type);
    out->found = attribute >= 0;
    if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
        read_numbers(attribute, space, type, out);
    } else if (kind == H5T_STRING) {
        read_text(attribute, type, space, out);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
}

void hdf5_read_attribute_of(hid_t object, const char *name, hdf5_attribute *out)
{
    memset(out, 0, sizeof *out);
    if (object >= 0 && H5Aexists(object, name) > 0) {
        read_value(object, name, out);
    }
}

halo_status hdf5_read_attribute(hdf5_helper *helper, const char *path, const char *name,
                                hdf5_attribute *out)
{
    hid_t object = path[0] == '\0' ? helper->set : hdf5_open_object(helper, path);
    hdf5_read_attribute_of(object, name, out);
    if (object >= 0 && object != helper->set) {
        H5Oclose(object);
    }
    return HALO_OK;
}
