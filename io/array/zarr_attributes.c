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

/* The value if it is all there, else NULL: a lack of memory fails whatever it is put into. */
static json_t *if_good(json_t *value, bool good)
{
    if (!good) {
        json_decref(value);
    }
    return good ? value : NULL;
}

static json_t *list_numbers(const double *numbers, int count, bool backwards)
{
    json_t *list = json_array();
    bool good = true;
    for (int i = 0; i < count; i++) {
        double number = numbers[backwards ? count - 1 - i : i] + 0.;
        good = json_array_append_new(list, json_real(number)) == 0 && good;
    }
    return if_good(list, good);
}

/* The axes from the slowest to the fastest. */
static json_t *list_axes(const halo_image_geometry *g, int axes)
{
    static const char *const names[SPACE] = {"x", "y", "z"};
    json_t *list = json_array();
    const char *unit = g->unit != HALO_LENGTH_UNKNOWN ? unit_name(g->unit) : NULL;
    bool good = true;
    for (int axis = axes - 1; axis >= 0; axis--) {
        json_t *about =
            json_pack("{s:s, s:s, s:s*}", "name", names[axis], "type", "space", "unit", unit);
        good = json_array_append_new(list, about) == 0 && good;
    }
    return if_good(list, good);
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
    json_t *origin = g->placed ? json_pack("{s:s, s:o}", "type", "translation", "translation",
                                           list_numbers(g->origin, axes, true))
                               : NULL;
    return if_good(list, !g->placed || json_array_append_new(list, origin) == 0);
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
    bool good = true;
    for (int axis = 0; axis < SPACE; axis++) {
        json_t *direction = list_numbers(g->direction[axis], SPACE, false);
        good = json_array_append_new(directions, direction) == 0 && good;
    }
    return json_pack("{s:o, s:o, s:b}", "origin", list_numbers(g->origin, SPACE, false),
                     "direction", if_good(directions, good), "anatomical", (int)g->anatomical);
}

/* The image's axes, and where its first sample lies. */
static json_t *list_scales(const halo_array_about *about, int axes)
{
    return json_pack("[{s:s, s:s, s:o, s:[{s:s, s:o}]}]", "version", "0.4", "name", about->name,
                     "axes", list_axes(&about->geometry, axes), "datasets", "path", ".",
                     "coordinateTransformations", list_steps(&about->geometry, axes));
}

static bool is_known(const halo_image_geometry *g)
{
    return g->placed || halo_geometry_is_spaced(g);
}

static bool put_attributes(json_t *out, const halo_array_about *about, int axes)
{
    const halo_image_geometry *g = &about->geometry;
    bool turned = g->placed && !is_straight(g, axes);
    return (!is_known(g) ||
            json_object_set_new(out, "multiscales", list_scales(about, axes)) == 0) &&
           (!turned || json_object_set_new(out, "halobeat", list_place(g)) == 0) &&
           (!about->labels ||
            json_object_set_new(out, "image-label", json_pack("{s:s}", "version", "0.4")) == 0);
}

halo_status halo_array_zarr_attributes(char **out, const halo_npy_header *header,
                                       const halo_array_about *about)
{
    enum { DIGITS = 15 };
    *out = NULL;
    if ((!is_known(&about->geometry) && !about->labels) || halo_array_has_pixels(header)) {
        return HALO_OK;
    }
    json_t *attributes = json_object();
    *out = put_attributes(attributes, about, halo_array_space(header))
               ? halo_json_text(attributes, JSON_INDENT(4) | JSON_REAL_PRECISION(DIGITS))
               : NULL;
    json_decref(attributes);
    return *out != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: attributes of an array");
}
