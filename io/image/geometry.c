#include "io/image/geometry.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { AXES = 3 };

/* ---- units ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double metres;
} lengths[] = {
#define LENGTH_ENTRY(code, name, metres) {name, metres},
    HALO_LENGTH_LIST(LENGTH_ENTRY)
#undef LENGTH_ENTRY
};

/* Other spellings, in the singular. ImageJ writes other letters than those of
 * ASCII as escape sequences. */
static const struct {
    const char *text;
    halo_length unit;
} spellings[] = {
    {"picometer", HALO_LENGTH_PICOMETRE},
    {"picometre", HALO_LENGTH_PICOMETRE},
    {"\xc3\x85", HALO_LENGTH_ANGSTROM},
    {"\xc5", HALO_LENGTH_ANGSTROM},
    {"\\u00C5", HALO_LENGTH_ANGSTROM},
    {"\xe2\x84\xab", HALO_LENGTH_ANGSTROM},
    {"\xc3\xa5ngstr\xc3\xb6m", HALO_LENGTH_ANGSTROM},
    {"nanometer", HALO_LENGTH_NANOMETRE},
    {"nanometre", HALO_LENGTH_NANOMETRE},
    {"\xc2\xb5m", HALO_LENGTH_MICROMETRE},
    {"\xce\xbcm", HALO_LENGTH_MICROMETRE},
    {"\\u00B5m", HALO_LENGTH_MICROMETRE},
    {"\xb5m", HALO_LENGTH_MICROMETRE},
    {"micrometer", HALO_LENGTH_MICROMETRE},
    {"micrometre", HALO_LENGTH_MICROMETRE},
    {"micron", HALO_LENGTH_MICROMETRE},
    {"millimeter", HALO_LENGTH_MILLIMETRE},
    {"millimetre", HALO_LENGTH_MILLIMETRE},
    {"centimeter", HALO_LENGTH_CENTIMETRE},
    {"centimetre", HALO_LENGTH_CENTIMETRE},
    {"in", HALO_LENGTH_INCH},
    {"inches", HALO_LENGTH_INCH},
    {"ft", HALO_LENGTH_FOOT},
    {"feet", HALO_LENGTH_FOOT},
    {"meter", HALO_LENGTH_METRE},
    {"metre", HALO_LENGTH_METRE},
    {"kilometer", HALO_LENGTH_KILOMETRE},
    {"kilometre", HALO_LENGTH_KILOMETRE},
};

const char *halo_length_name(halo_length unit)
{
    return lengths[unit].name;
}

double halo_length_metres(halo_length unit)
{
    return lengths[unit].metres;
}

/* Words may be in the plural and in upper case; symbols ("mm") may not. */
static bool is_spelled(const char *text, const char *spelling)
{
    enum { LONGEST_SYMBOL = 3 };
    size_t length = strlen(spelling);
    if (length <= LONGEST_SYMBOL) {
        return strcmp(text, spelling) == 0;
    }
    return strncasecmp(text, spelling, length) == 0 &&
           (text[length] == '\0' || strcmp(text + length, "s") == 0);
}

halo_length halo_length_find(const char *text)
{
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    for (int i = 1; i < LENGTHS; i++) {
        if (is_spelled(text, lengths[i].name)) {
            return (halo_length)i;
        }
    }
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (is_spelled(text, spellings[i].text)) {
            return spellings[i].unit;
        }
    }
    return HALO_LENGTH_UNKNOWN;
}

/* ---- places ---------------------------------------------------------------------------------- */

void halo_geometry_set_identity(halo_image_geometry *geometry)
{
    for (int axis = 0; axis < AXES; axis++) {
        geometry->origin[axis] = 0;
        for (int i = 0; i < AXES; i++) {
            geometry->direction[axis][i] = axis == i;
        }
    }
}

static double length_of(const double vector[AXES])
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

void halo_geometry_set_affine(halo_image_geometry *geometry, const double affine[3][4])
{
    for (int axis = 0; axis < AXES; axis++) {
        double vector[AXES];
        for (int i = 0; i < AXES; i++) {
            vector[i] = affine[i][axis];
        }
        geometry->spacing[axis] = length_of(vector);
        for (int i = 0; i < AXES; i++) {
            geometry->direction[axis][i] = vector[i] / geometry->spacing[axis];
        }
        geometry->origin[axis] = affine[axis][AXES];
    }
    geometry->placed = true;
}

/* The volume between the three directions: 0 if they lie in one plane. */
static double volume_between(const double d[AXES][AXES])
{
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

static void set_cross_product(const double a[AXES], const double b[AXES], double out[AXES])
{
    for (int i = 0; i < AXES; i++) {
        int j = (i + 1) % AXES, k = (i + 2) % AXES;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* Directions become unit vectors; of an image of two axes the third is upright on the others.
 * False if they, or the origin, cannot be used. */
static bool check_place(halo_image_geometry *g, int axes)
{
    const double SMALLEST_VOLUME = 1e-6;
    bool good = true;
    if (axes < AXES) {
        set_cross_product(g->direction[0], g->direction[1], g->direction[2]);
    }
    for (int axis = 0; axis < AXES; axis++) {
        double length = length_of(g->direction[axis]);
        good = good && isfinite(g->origin[axis]) && isfinite(length) && length > 0;
        for (int i = 0; i < AXES && good; i++) {
            g->direction[axis][i] /= length;
        }
    }
    return good && fabs(volume_between((const double(*)[AXES])g->direction)) > SMALLEST_VOLUME;
}

void halo_geometry_check(halo_image_geometry *geometry, int axes)
{
    for (int axis = 0; axis < AXES; axis++) {
        double spacing = fabs(geometry->spacing[axis]);
        bool good = isfinite(spacing) && isfinite(1 / spacing);
        bool none = spacing <= 0;
        geometry->spacing[axis] = good && axis < axes ? spacing : 0;
        geometry->ignored = geometry->ignored || (!good && !none && axis < axes);
    }
    if (geometry->placed && !check_place(geometry, axes)) {
        geometry->placed = false;
        geometry->ignored = true;
    }
}

bool halo_geometry_measures(const halo_image_geometry *geometry, int axes)
{
    bool known = geometry->unit != HALO_LENGTH_UNKNOWN && !geometry->printed,
         any = !geometry->assumed;
    for (int axis = 0; axis < AXES && axis < axes; axis++) {
        double spacing = geometry->spacing[axis];
        known = known && spacing > 0;
        any = any || spacing < 1 || spacing > 1;
    }
    return known && any;
}

bool halo_geometry_is_spaced(const halo_image_geometry *geometry)
{
    const double *spacing = geometry->spacing;
    return spacing[0] > 0 || spacing[1] > 0 || spacing[2] > 0;
}

double halo_geometry_spacing(const halo_image_geometry *geometry, int axis)
{
    return geometry->spacing[axis] > 0 ? geometry->spacing[axis] : 1;
}

halo_image_geometry halo_geometry_in(const halo_image_geometry *geometry, halo_length unit)
{
    halo_image_geometry g = *geometry;
    double from = halo_length_metres(g.unit), to = halo_length_metres(unit);
    if (g.unit == unit || from <= 0 || to <= 0) {
        return g;
    }
    /* By a whole number where there is one, so that decimal fractions stay short. */
    bool grows = from > to;
    double factor = grows ? round(from / to) : round(to / from);
    bool whole = fabs(factor / (grows ? from / to : to / from) - 1) < 1e-12;
    factor = whole ? factor : grows ? from / to : to / from;
    for (int axis = 0; axis < AXES; axis++) {
        g.spacing[axis] = grows ? g.spacing[axis] * factor : g.spacing[axis] / factor;
        g.origin[axis] = grows ? g.origin[axis] * factor : g.origin[axis] / factor;
    }
    g.unit = unit;
    return g;
}

bool halo_geometry_is_flat(const halo_image_geometry *geometry)
{
    const double SMALLEST = 1e-9;
    return fabs(geometry->direction[0][2]) < SMALLEST && fabs(geometry->direction[1][2]) < SMALLEST;
}
