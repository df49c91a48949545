#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include <stdio.h>
#include <string.h>

/* The image that a data set's description makes. It comes from another process, which a damaged
 * file may have led astray: nothing in it is taken for granted. */

halo_status halo_hdf5_attribute(halo_image_reader *reader, const char *path, const char *name,
                                hdf5_attribute *out)
{
    const hdf5_state *state = reader->state;
    hdf5_request request = {.what = HDF5_ATTRIBUTE};
    hdf5_reply reply;
    snprintf(request.path, sizeof request.path, "%s", path);
    snprintf(request.name, sizeof request.name, "%s", name);
    HALO_TRY(halo_hdf5_ask(state->process, &request, &reply));
    *out = reply.attribute;
    return HALO_OK;
}

/* The numbers of an attribute, if it has so many; otherwise *given is false. */
static halo_status read_numbers(halo_image_reader *reader, const char *path, const char *name,
                                int count, double *numbers, bool *given)
{
    hdf5_attribute attribute;
    HALO_TRY(halo_hdf5_attribute(reader, path, name, &attribute));
    *given = attribute.count == count;
    for (int i = 0; i < count && *given; i++) {
        numbers[i] = attribute.numbers[i];
    }
    return HALO_OK;
}

/* By VTK's attributes of its group, or those that halobeat gives a data set. */
static halo_status read_place(halo_image_reader *reader, const char *path)
{
    enum { MATRIX = 9 };
    double direction[MATRIX];
    bool spaced, turned, moved;
    hdf5_attribute unit;
    halo_image_geometry *g = &reader->info.geometry;
    HALO_TRY(read_numbers(reader, path, "Spacing", 3, g->spacing, &spaced));
    if (!spaced) {
        return HALO_OK;
    }
    halo_geometry_set_identity(g);
    HALO_TRY(read_numbers(reader, path, "Origin", 3, g->origin, &moved));
    HALO_TRY(read_numbers(reader, path, "Direction", MATRIX, direction, &turned));
    for (int i = 0; i < MATRIX && turned; i++) { /* axes are columns */
        g->direction[i % 3][i / 3] = direction[i];
    }
    g->placed = turned || moved;
    HALO_TRY(halo_hdf5_attribute(reader, path, "LengthUnit", &unit));
    g->unit = halo_length_find(unit.text);
    return HALO_OK;
}

/* As VTK writes it, or Fiji and ilastik, whose axes come from the slowest to the fastest. */
static halo_status set_geometry(halo_image_reader *reader)
{
    static const char vtk[] = "/VTKHDF";
    const hdf5_state *state = reader->state;
    halo_image_geometry *g = &reader->info.geometry;
    double sizes[3];
    bool given, of_vtk = strncmp(state->about.name, vtk, sizeof vtk - 1) == 0;
    HALO_TRY(read_place(reader, of_vtk ? vtk : ""));
    HALO_TRY(read_numbers(reader, "", "element_size_um", 3, sizes, &given));
    for (int axis = 0; axis < 3 && given && g->unit == HALO_LENGTH_UNKNOWN; axis++) {
        g->spacing[axis] = sizes[2 - axis];
    }
    g->unit = given && g->unit == HALO_LENGTH_UNKNOWN ? HALO_LENGTH_MICROMETRE : g->unit;
    return HALO_OK;
}

/* Of more than three axes, those of one sample are left out: colours, which come last, before
 * times, which come first. False unless two or three are left. */
static bool find_shape(const hdf5_description *about, hdf5_shape *shape)
{
    bool dropped[HDF5_AXES] = {false};
    shape->left = about->axes;
    for (int i = 0; shape->left > 3 && i < about->axes; i++) {
        int axis = i == 0 ? about->axes - 1 : i - 1;
        dropped[axis] = about->sizes[axis] == 1;
        shape->left -= dropped[axis];
    }
    if (shape->left != 2 && shape->left != 3) {
        return false;
    }
    for (int i = 0, at = 0; i < about->axes; i++) {
        if (!dropped[i]) {
            shape->is[at++] = i;
        }
    }
    return true;
}

static halo_status set_size(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_shape *shape = &state->shape;
    const hdf5_description *about = &state->about;
    uint64_t sizes[3] = {0, 0, 0};
    for (int i = 0; i < shape->left; i++) {
        sizes[3 - shape->left + i] = about->sizes[shape->is[i]];
        if (sizes[3 - shape->left + i] < 1 || sizes[3 - shape->left + i] > INT32_MAX) {
            return halo_fail(HALO_FORMAT, "%s: has %s samples; each axis has from 1 to 2147483647",
                             reader->path, about->shape_text);
        }
    }
    halo_image_type type = (halo_image_type)about->type;
    bool colours = halo_image_has_colours(reader, type, shape->left, (int64_t)sizes[2]);
    halo_image_set_samples(reader, type, colours ? (int)sizes[2] : 1);
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %.16s", about->type_text);
    return halo_image_set_size(reader, colours ? 0 : (int64_t)sizes[0],
                               (int64_t)sizes[colours ? 0 : 1], (int64_t)sizes[colours ? 1 : 2]);
}

/* The types of samples and their bytes here. */
static bool is_type(const hdf5_description *about)
{
    bool is_boolean = about->type == HALO_IMAGE_BIT;
    return about->known && about->type >= HALO_IMAGE_BIT && about->type <= HALO_IMAGE_F64 &&
           (about->boolean != 0) == is_boolean &&
           (size_t)about->sample_bytes == (is_boolean ? 1 : halo_image_types[about->type].bytes);
}

halo_status halo_hdf5_describe(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    if (about->axes > HDF5_AXES || !is_type(about) || !find_shape(about, &state->shape)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the data set %.100s is %s of %s; integers of 8 to 64 bits, floats of "
                         "16 to 64 and booleans, of 2 or 3 axes, can be read",
                         reader->path, about->name, about->shape_text, about->type_text);
    }
    HALO_TRY(set_geometry(reader));
    return set_size(reader);
}

#endif
