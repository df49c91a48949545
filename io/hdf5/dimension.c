#include "io/hdf5/helper.h"

#include <stdio.h>
#include <string.h>

/* Names of axes, by HDF5's dimension scales: labels of the data set itself, or data sets that are
 * the scales of its axes, as netCDF-4 writes them (HDF5 Dimension Scale Specification). */

/* The label of an axis; false if it has none. */
static bool read_label(const hdf5_helper *helper, int axis, char *label, size_t size)
{
    char *labels[HDF5_AXES] = {NULL};
    hid_t attribute = H5Aopen(helper->set, "DIMENSION_LABELS", H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    bool good = H5Tis_variable_str(type) > 0 &&
                H5Sget_simple_extent_npoints(space) == helper->about.axes &&
                H5Aread(attribute, type, labels) >= 0;
    if (good) {
        snprintf(label, size, "%s", labels[axis] != NULL ? labels[axis] : "");
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, labels);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return good && label[0] != '\0';
}

/* The first scale of an axis; below 0: it has none. */
static hid_t open_scale(const hdf5_helper *helper, int axis)
{
    hvl_t lists[HDF5_AXES] = {{0}};
    hid_t scale = -1;
    hid_t attribute = H5Aopen(helper->set, "DIMENSION_LIST", H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Tvlen_create(H5T_STD_REF_OBJ);
    if (H5Sget_simple_extent_npoints(space) == helper->about.axes &&
        H5Aread(attribute, type, lists) >= 0) {
        if (lists[axis].len > 0 && lists[axis].p != NULL) {
            scale = H5Rdereference(helper->set, H5R_OBJECT, lists[axis].p);
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return scale;
}

/* The last part of the object's path. */
static void read_name(hid_t object, char *name, size_t size)
{
    char path[HDF5_NAME] = "";
    H5Iget_name(object, path, sizeof path);
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%.*s", (int)size - 1, slash != NULL ? slash + 1 : path);
}

halo_status hdf5_read_dimension(const hdf5_helper *helper, uint64_t axis, hdf5_attribute *out)
{
    static const char *const names[] = {"units", "standard_name", "axis"};
    char label[HDF5_WORD] = "";
    memset(out, 0, sizeof *out);
    if (axis >= (uint64_t)helper->about.axes) {
        return HALO_OK;
    }
    bool labelled = H5Aexists(helper->set, "DIMENSION_LABELS") > 0 &&
                    read_label(helper, (int)axis, label, sizeof label);
    hid_t scale = H5Aexists(helper->set, "DIMENSION_LIST") > 0 ? open_scale(helper, (int)axis) : -1;
    if (scale >= 0 && !labelled) {
        read_name(scale, label, sizeof label);
    }
    out->found = labelled || scale >= 0;
    size_t used = (size_t)snprintf(out->text, sizeof out->text, "%s", label);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && scale >= 0; i++) {
        hdf5_attribute more;
        hdf5_read_attribute_of(scale, names[i], &more);
        used += (size_t)snprintf(out->text + used, sizeof out->text - used, "\n%.*s", HDF5_WORD,
                                 more.text);
    }
    if (scale >= 0) {
        H5Oclose(scale);
    }
    return HALO_OK;
}
