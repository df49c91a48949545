#include "io/image/content.h"
#include "io/image/hdf5_internal.h"

#ifdef HALOBEAT_HDF5

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The image that a data set's description makes. It comes from another process, which a damaged
 * file may have led astray: nothing in it is taken for granted. */

static const char vtk[] = "/VTKHDF";

/* Reads the attribute `name` of the object at `path`; "": of the data set. */
static halo_status read_attribute(halo_image_reader *reader, const char *path, const char *name,
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
    HALO_TRY(read_attribute(reader, path, name, &attribute));
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
    hdf5_attribute unit, space;
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
    HALO_TRY(read_attribute(reader, path, "Space", &space));
    g->anatomical = g->placed && strcmp(space.text, "LPS") == 0;
    HALO_TRY(read_attribute(reader, path, "LengthUnit", &unit));
    g->unit = halo_length_find(unit.text);
    return HALO_OK;
}

/* As the files that halobeat writes. */
static halo_status read_content(halo_image_reader *reader)
{
    hdf5_attribute content;
    HALO_TRY(read_attribute(reader, "", "Content", &content));
    reader->info.labels = strcmp(content.text, HALO_CONTENT_LABELS) == 0;
    return HALO_OK;
}

/* As VTK writes it, or Fiji and ilastik, whose axes come from the slowest to the fastest. */
static halo_status set_geometry(halo_image_reader *reader)
{
    const hdf5_state *state = reader->state;
    halo_image_geometry *g = &reader->info.geometry;
    double sizes[3];
    bool given, of_vtk = strncmp(state->about.name, vtk, sizeof vtk - 1) == 0;
    HALO_TRY(read_place(reader, of_vtk ? vtk : ""));
    HALO_TRY(read_content(reader));
    HALO_TRY(read_numbers(reader, "", "element_size_um", 3, sizes, &given));
    for (int axis = 0; axis < 3 && given && g->unit == HALO_LENGTH_UNKNOWN; axis++) {
        g->spacing[axis] = sizes[2 - axis];
    }
    g->unit = given && g->unit == HALO_LENGTH_UNKNOWN ? HALO_LENGTH_MICROMETRE : g->unit;
    return HALO_OK;
}

/* ---- samples that stand for no data ---------------------------------------------------------- */

static halo_number number_of(const hdf5_attribute *attribute, int i)
{
    bool negative = attribute->is_signed && (int64_t)attribute->bits[i] < 0;
    return attribute->whole
               ? (halo_number){.value = attribute->numbers[i],
                               .whole = true,
                               .negative = negative,
                               .magnitude = negative ? 0 - attribute->bits[i] : attribute->bits[i]}
               : halo_number_of(attribute->numbers[i]);
}

/* By the attributes of netCDF's conventions (CF); both may name values. HDF5's own fill values are
 * what was not written, which says nothing of what samples mean. */
static halo_status say_nodata(halo_image_reader *reader)
{
    static const char *const names[] = {"_FillValue", "missing_value"};
    halo_number values[HALO_IMAGE_NODATA];
    char source[HALO_IMAGE_WORD] = "";
    int count = 0;
    for (int name = 0; name < 2; name++) {
        hdf5_attribute attribute;
        HALO_TRY(read_attribute(reader, "", names[name], &attribute));
        int more = attribute.count > 0 && attribute.count <= HDF5_NUMBERS ? attribute.count : 0;
        for (int i = 0; i < more && count < HALO_IMAGE_NODATA; i++) {
            values[count++] = number_of(&attribute, i);
        }
        if (more == 0 && halo_image_scan_nodata(attribute.text, &values[count])) {
            more = 1;
            count++;
        }
        if (more > 0) {
            size_t used = strlen(source);
            snprintf(source + used, sizeof source - used, "%s%s", used > 0 ? ", " : "",
                     names[name]);
        }
        if (count == HALO_IMAGE_NODATA) {
            break;
        }
    }
    halo_image_say_nodata(reader, source, values, count);
    return HALO_OK;
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* The names that vigra and ilastik give axes: {"axes": [{"key": "t"}, ...]}. False: there are none.
 */
static bool read_names(const char *text, int count, halo_axis_kind *kinds)
{
    json_t *tags = json_loads(text, 0, NULL);
    const json_t *list = json_object_get(tags, "axes");
    bool named = json_array_size(list) == (size_t)count;
    for (int i = 0; named && i < count; i++) {
        const json_t *tag = json_array_get(list, (size_t)i);
        const char *key = json_string_value(json_object_get(tag, "key"));
        named = key != NULL;
        kinds[i] = key != NULL && strcmp(key, "t") == 0   ? HALO_AXIS_TIME
                   : key != NULL && strcmp(key, "c") == 0 ? HALO_AXIS_CHANNEL
                                                          : HALO_AXIS_SERIES;
    }
    json_decref(tags);
    return named;
}

/* The next line of a text, which ends where it begins after the last. */
static void take_line(const char **text, char *line, size_t size)
{
    size_t length = strcspn(*text, "\n");
    snprintf(line, size, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == '\n');
}

/* By labels and scales of the axes, as netCDF-4 has them. *named is false if no axis has any. */
static halo_status read_dimensions(halo_image_reader *reader, int count, halo_axis_kind *kinds,
                                   bool *named)
{
    const hdf5_state *state = reader->state;
    *named = false;
    for (int i = 0; i < count; i++) {
        char name[HDF5_WORD], units[HDF5_WORD + 1], standard_name[HDF5_WORD + 1],
            axis[HDF5_WORD + 1];
        hdf5_request request = {.what = HDF5_DIMENSION, .start = {(uint64_t)i}};
        hdf5_reply reply;
        HALO_TRY(halo_hdf5_ask(state->process, &request, &reply));
        const char *text = reply.attribute.text;
        take_line(&text, name, sizeof name);
        take_line(&text, units, sizeof units);
        take_line(&text, standard_name, sizeof standard_name);
        take_line(&text, axis, sizeof axis);
        kinds[i] = halo_image_coordinate_kind(name, units, standard_name, axis);
        *named = *named || reply.attribute.found != 0;
    }
    return HALO_OK;
}

static halo_status find_axes(halo_image_reader *reader, halo_image_axes *axes)
{
    const hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    halo_axis_kind kinds[HALO_IMAGE_MAX_AXES] = {0};
    int64_t sizes[HALO_IMAGE_MAX_AXES];
    hdf5_attribute tags;
    for (int i = 0; i < about->axes; i++) {
        if (about->sizes[i] < 1 || about->sizes[i] > INT32_MAX) {
            return halo_fail(HALO_FORMAT, "%s: has %s samples; each axis has from 1 to 2147483647",
                             reader->path, about->shape_text);
        }
        sizes[i] = (int64_t)about->sizes[i];
    }
    HALO_TRY(read_attribute(reader, "", "axistags", &tags));
    bool volume = strncmp(about->name, vtk, sizeof vtk - 1) == 0; /* its axes are z, y, x */
    bool named = volume || read_names(tags.text, about->axes, kinds);
    if (!named) {
        HALO_TRY(read_dimensions(reader, about->axes, kinds, &named));
    }
    halo_sample_type type = (halo_sample_type)about->type;
    *axes = (halo_image_axes){.count = 0};
    return named ? halo_image_named_axes(reader, type, about->axes, sizes, kinds, axes)
                 : halo_image_array_axes(reader, type, about->axes, sizes, axes);
}

/* Samples that are read in place have all channels of a pixel, from which one is taken; from others
 * the helper reads only that. */
static halo_status set_size(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    halo_image_part *part = &state->part;
    halo_sample_type type = (halo_sample_type)about->type;
    HALO_TRY(find_axes(reader, &state->axes));
    HALO_TRY(halo_image_choose_part(reader, &state->axes, part));
    if (about->offset < 0 && reader->pick >= 0) {
        part->samples = reader->pick = -1;
    }
    halo_image_set_array(reader, type, &state->axes, part);
    snprintf(reader->info.kind, sizeof reader->info.kind, "array of %.16s", about->type_text);
    return halo_image_set_size(reader, halo_image_part_size(&state->axes, part, 0, 0),
                               halo_image_part_size(&state->axes, part, 1, 1),
                               halo_image_part_size(&state->axes, part, 2, 1));
}

/* The types of samples and their bytes here. */
static bool is_type(const hdf5_description *about)
{
    return about->known && about->type >= 0 && about->type < HALO_SAMPLE_TYPES &&
           (about->boolean != 0) == (about->type == HALO_SAMPLE_BIT) &&
           (size_t)about->sample_bytes == halo_sample_types[about->type].stored;
}

halo_status halo_hdf5_describe(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    if (about->axes < 2 || about->axes > HALO_IMAGE_MAX_AXES || !is_type(about)) {
        return halo_fail(HALO_FORMAT,
                         "%s: the data set %.100s is %s of %s; integers of 8 to 64 bits, floats of "
                         "16 to 64 and booleans, of 2 to 8 axes, can be read",
                         reader->path, about->name, about->shape_text, about->type_text);
    }
    HALO_TRY(set_geometry(reader));
    HALO_TRY(say_nodata(reader));
    return set_size(reader);
}

#endif
