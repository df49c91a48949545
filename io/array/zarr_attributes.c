#include "io/array/zarr_attributes.h"

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

json_t *halo_zarr_if_good(json_t *value, bool good)
{
    if (!good) {
        json_decref(value);
    }
    return good ? value : NULL;
}

static json_t *list_numbers(const double *numbers, int count)
{
    json_t *list = json_array();
    bool good = true;
    for (int i = 0; i < count; i++) {
        double number = numbers[i] + 0.;
        good = json_array_append_new(list, json_real(number)) == 0 && good;
    }
    return halo_zarr_if_good(list, good);
}

json_t *halo_zarr_axes(const halo_image_geometry *g, int axes, bool channels)
{
    static const char *const names[SPACE] = {"x", "y", "z"};
    json_t *list = json_array();
    const char *unit = g->unit != HALO_LENGTH_UNKNOWN ? unit_name(g->unit) : NULL;
    bool good = true;
    if (channels) {
        json_t *channel = json_pack("{s:s, s:s}", "name", "c", "type", "channel");
        good = json_array_append_new(list, channel) == 0;
    }
    for (int axis = axes - 1; axis >= 0; axis--) {
        json_t *about =
            json_pack("{s:s, s:s, s:s*}", "name", names[axis], "type", "space", "unit", unit);
        good = json_array_append_new(list, about) == 0 && good;
    }
    return halo_zarr_if_good(list, good);
}

/* Everyone who knows nothing of directions puts the first sample where it is, and axes along those
 * of space. */
json_t *halo_zarr_transformations(const halo_image_geometry *g, int axes, bool channels,
                                  const int64_t factor[SPACE], bool centred)
{
    double scale[1 + SPACE] = {1}, place[1 + SPACE] = {0};
    int count = axes + channels;
    bool placed = g->placed;
    for (int axis = 0; axis < axes; axis++) {
        double step = halo_geometry_spacing(g, axis);
        double shift = centred ? (double)(factor[axis] - 1) / 2 * step : 0;
        scale[count - 1 - axis] = step * (double)factor[axis];
        place[count - 1 - axis] = (g->placed ? g->origin[axis] : 0) + shift;
        placed = placed || shift > 0;
    }
    json_t *list = json_pack("[{s:s, s:o}]", "type", "scale", "scale", list_numbers(scale, count));
    json_t *origin = placed ? json_pack("{s:s, s:o}", "type", "translation", "translation",
                                        list_numbers(place, count))
                            : NULL;
    return halo_zarr_if_good(list, !placed || json_array_append_new(list, origin) == 0);
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

json_t *halo_zarr_place_in_space(const halo_image_geometry *g, int axes, bool *needed)
{
    *needed = g->placed && !is_straight(g, axes);
    json_t *directions = *needed ? json_array() : NULL;
    bool good = true;
    if (!*needed) {
        return NULL;
    }
    for (int axis = 0; axis < SPACE; axis++) {
        json_t *direction = list_numbers(g->direction[axis], SPACE);
        good = json_array_append_new(directions, direction) == 0 && good;
    }
    return json_pack("{s:o, s:o, s:b}", "origin", list_numbers(g->origin, SPACE), "direction",
                     halo_zarr_if_good(directions, good), "anatomical", (int)g->anatomical);
}

/* The image's axes, and where its first sample lies. */
static json_t *list_scales(const halo_array_about *about, int axes)
{
    static const int64_t whole[SPACE] = {1, 1, 1};
    return json_pack("[{s:s, s:s, s:o, s:[{s:s, s:o}]}]", "version", "0.4", "name", about->name,
                     "axes", halo_zarr_axes(&about->geometry, axes, false), "datasets", "path", ".",
                     "coordinateTransformations",
                     halo_zarr_transformations(&about->geometry, axes, false, whole, false));
}

static bool is_known(const halo_image_geometry *g)
{
    return g->placed || halo_geometry_is_spaced(g);
}

static bool put_attributes(json_t *out, const halo_array_about *about, int axes)
{
    const halo_image_geometry *g = &about->geometry;
    bool turned;
    json_t *place = halo_zarr_place_in_space(g, axes, &turned);
    return (!turned || json_object_set_new(out, "halobeat", place) == 0) &&
           (!is_known(g) ||
            json_object_set_new(out, "multiscales", list_scales(about, axes)) == 0) &&
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
