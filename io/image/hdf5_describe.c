#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include <stdio.h>
#include <string.h>

/* What a data set says of its samples. */

void halo_hdf5_close(hid_t *id, herr_t (*call)(hid_t))
{
    if (*id >= 0) {
        call(*id);
    }
    *id = -1;
}

halo_status halo_hdf5_check_layout(const halo_image_reader *reader, hid_t create)
{
    if (H5Pget_layout(create) == H5D_VIRTUAL) {
        return halo_fail(HALO_FORMAT,
                         "%s: is a virtual data set, whose samples are in other files; name one of "
                         "these, or copy it with h5repack --layout=CONTI",
                         reader->path);
    }
    if (H5Pget_external_count(create) > 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: its samples are in other files, outside of HDF5; copy it with "
                         "h5repack --layout=CONTI, or give that file with --shape and --dtype",
                         reader->path);
    }
    for (int i = 0, count = H5Pget_nfilters(create); i < count; i++) {
        char name[HDF5_TEXT] = "";
        unsigned flags = 0, config = 0;
        size_t values = 0;
        H5Z_filter_t id =
            H5Pget_filter2(create, (unsigned)i, &flags, &values, NULL, sizeof name, name, &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0) {
            return halo_fail(HALO_FORMAT,
                             "%s: is packed by the filter %d (%.40s), which HDF5 does not have "
                             "here; install its plugin and set HDF5_PLUGIN_PATH, or save the data "
                             "set with gzip",
                             reader->path, (int)id, name[0] != '\0' ? name : "unnamed");
        }
    }
    return HALO_OK;
}

/* Three numbers, the fastest axis first. */
static bool read_spacing(hid_t object, const char *name, double numbers[3])
{
    bool read = false;
    if (object < 0 || H5Aexists(object, name) <= 0) {
        return false;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
    hid_t type = H5Aget_type(attribute);
    H5T_class_t kind = H5Tget_class(type);
    if (H5Sget_simple_extent_npoints(space) == 3 && (kind == H5T_FLOAT || kind == H5T_INTEGER)) {
        read = H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers) >= 0;
    }
    halo_hdf5_close(&type, H5Tclose);
    halo_hdf5_close(&space, H5Sclose);
    halo_hdf5_close(&attribute, H5Aclose);
    return read;
}

/* As Fiji and ilastik write it, and VTK. */
static void set_spacing(halo_image_reader *reader)
{
    static const char vtk[] = "/VTKHDF";
    hdf5_state *state = reader->state;
    double numbers[3] = {0};
    bool given = read_spacing(state->set, "element_size_um", numbers);
    if (!given && strncmp(state->name, vtk, sizeof vtk - 1) == 0) {
        hid_t group = H5Oopen(state->file, vtk, H5P_DEFAULT);
        if (read_spacing(group, "Spacing", numbers)) {
            double fastest = numbers[0];
            numbers[0] = numbers[2];
            numbers[2] = fastest;
            given = true;
        }
        halo_hdf5_close(&group, H5Oclose);
    }
    for (int axis = 0; given && axis < 3; axis++) {
        bool sane = numbers[axis] > 0 && numbers[axis] < 1e300;
        reader->info.geometry.spacing[2 - axis] = sane ? numbers[axis] : 0;
    }
}

static halo_status set_size(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_shape *shape = &state->shape;
    const hdf5_type *type = &state->type;
    hsize_t sizes[3] = {0, 0, 0};
    for (int i = 0; i < shape->left; i++) {
        sizes[3 - shape->left + i] = shape->sizes[shape->is[i]];
        if (sizes[3 - shape->left + i] < 1 || sizes[3 - shape->left + i] > INT32_MAX) {
            return halo_fail(HALO_FORMAT, "%s: has %s samples; each axis has from 1 to 2147483647",
                             reader->path, shape->text);
        }
    }
    bool colours = halo_image_has_colours(reader, type->type, shape->left, (int64_t)sizes[2]);
    halo_image_set_samples(reader, type->type, colours ? (int)sizes[2] : 1);
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %.16s", type->text);
    return halo_image_set_size(reader, colours ? 0 : (int64_t)sizes[0],
                               (int64_t)sizes[colours ? 0 : 1], (int64_t)sizes[colours ? 1 : 2]);
}

halo_status halo_hdf5_describe(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    hid_t type = H5Dget_type(state->set);
    state->space = H5Dget_space(state->set);
    state->type = halo_hdf5_type(type);
    state->shape = halo_hdf5_shape(state->space);
    halo_hdf5_close(&type, H5Tclose);
    if (!state->type.known || !state->shape.known) {
        return halo_fail(HALO_FORMAT,
                         "%s: the data set %.100s is %s of %s; integers of 8 to 64 bits, floats of "
                         "16 to 64 and booleans, of 2 or 3 axes, can be read",
                         reader->path, state->name, state->shape.text, state->type.text);
    }
    set_spacing(reader);
    return set_size(reader);
}

hid_t halo_hdf5_memory(const hdf5_state *state)
{
    const hid_t types[] = {
        [HALO_IMAGE_U8] = H5T_NATIVE_UINT8,   [HALO_IMAGE_I8] = H5T_NATIVE_INT8,
        [HALO_IMAGE_U16] = H5T_NATIVE_UINT16, [HALO_IMAGE_I16] = H5T_NATIVE_INT16,
        [HALO_IMAGE_U32] = H5T_NATIVE_UINT32, [HALO_IMAGE_I32] = H5T_NATIVE_INT32,
        [HALO_IMAGE_U64] = H5T_NATIVE_UINT64, [HALO_IMAGE_I64] = H5T_NATIVE_INT64,
        [HALO_IMAGE_F32] = H5T_NATIVE_FLOAT,  [HALO_IMAGE_F64] = H5T_NATIVE_DOUBLE};
    return state->type.boolean ? H5Dget_type(state->set) : H5Tcopy(types[state->type.type]);
}

#endif
