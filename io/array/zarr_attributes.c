#include "base/json_internal.h"
#include "io/array/format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* The attributes of an array of zarr: axes, scale and translation as OME-NGFF 0.4 has them, of
 * which the array itself is the only image; and what that has no place for, directions of axes, by
 * a key of our own. Pixels of several numbers, which OME-NGFF wants as the first axis, have none.
 */

enum { SPACE = 3 };

/* The words of UDUNITS-2, which OME-NGFF asks for. */
static const char *unit_name(halo_length unit)
{
    static const char *const names[] = {[HALO_LENGTH_PICOMETRE] = "picometer",
                                        [HALO_LENGTH_ANGSTROM] = "angstrom",
                                        [HALO_LENGTH_NANOMETRE] = "nanometer",
                                        [HALO_LENGTH_MICROMETRE] = "micrometer",
                                        [HALO_LENGTH_MILLIMETRE] = "millimeter",
                                        [HALO_LENGTH_CENTIMETRE] = "centimeter",
                                        [HALO_LENGTH_INCH] = "inch",
                                        [HALO_LENGTH_FOOT] = "foot",
                                        [HALO_LENGTH_METRE] = "meter",
                                        [HALO_LENGTH_KILOMETRE] = "kilometer"};
    return names[unit];
}

static json_t *list_numbers(const double *numbers, int count, bool backwards)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_real(numbers[backwards ? count - 1 - i : i] + 0.));
    }
    return list;
}

/* The axes from the slowest to the fastest. */
static json_t *list_axes(const halo_image_geometry *g, int axes)
{
    static const char *const names[SPACE] = {"x", "y", "z"};
    json_t *list = json_array();
    for (int axis = axes - 1; axis >= 0; axis--) {
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s*}", "name", names[axis], "type", "space", "unit",
                            g->unit != HALO_LENGTH_UNKNOWN ? unit_name(g->unit) : NULL));
    }
    return list;
}

/* Everyone who knows nothing of directions puts the first sample where it is, and axes along those
 * of space. */
static json_t *list_steps(const halo_image_geometry *g, int axes)
{
    double spacing[SPACE];
    for (int axis = 0; axis < SPACE; axis++) {
        spacing[axis] = halo_geometry_spacing(g, axis);
    }
    json_t *list =
        json_pack("[{s:s, s:o}]", "type", "scale", "scale", list_numbers(spacing, axes, true));
    if (g->placed) {
        json_array_append_new(list, json_pack("{s:s, s:o}", "type", "translation", "translation",
                                              list_numbers(g->origin, axes, true)));
    }
    return list;
}

/* True if the array's own axes say it all. */
static bool is_straight(const halo_image_geometry *g, int axes)
{
    bool straight = axes == SPACE || fabs(g->origin[2]) <= 0;
    for (int axis = 0; axis < SPACE; axis++) {
        straight = straight && g->direction[axis][axis] >= 1;
    }
    return straight && !g->anatomical;
}

static json_t *list_place(const halo_image_geometry *g)
{
    json_t *directions = json_array();
    for (int axis = 0; axis < SPACE; axis++) {
        json_array_append_new(directions, list_numbers(g->direction[axis], SPACE, false));
    }
    return json_pack("{s:o, s:o, s:b}", "origin", list_numbers(g->origin, SPACE, false),
                     "direction", directions, "anatomical", (int)g->anatomical);
}

halo_status halo_array_zarr_attributes(char **out, const halo_npy_header *header,
                                       const halo_array_about *about)
{
    enum { DIGITS = 15 };
    const halo_image_geometry *g = &about->geometry;
    int axes = halo_array_space(header);
    bool known = g->placed || halo_geometry_is_spaced(g);
    *out = NULL;
    if ((!known && !about->labels) || halo_array_has_pixels(header)) {
        return HALO_OK;
    }
    json_t *attributes = json_object();
    if (known) {
        json_object_set_new(attributes, "multiscales",
                            json_pack("[{s:s, s:s, s:o, s:[{s:s, s:o}]}]", "version", "0.4", "name",
                                      about->name, "axes", list_axes(g, axes), "datasets", "path",
                                      ".", "coordinateTransformations", list_steps(g, axes)));
    }
    if (g->placed && !is_straight(g, axes)) {
        json_object_set_new(attributes, "halobeat", list_place(g));
    }
    if (about->labels) {
        json_object_set_new(attributes, "image-label", json_pack("{s:s}", "version", "0.4"));
    }
    *out = halo_json_text(attributes, JSON_INDENT(4) | JSON_REAL_PRECISION(DIGITS));
    json_decref(attributes);
    return *out != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: attributes of an array");
}
