#include "io/image/nrrd_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Fields: teem's definition of the format, version 5. */

enum { AXES = 3 };

/* Spaces of patients, whose components point to the left, to the back and to the head: with these
 * signs. */
static const struct {
    const char *name, *short_name;
    double sign[AXES];
} spaces[] = {{"left-posterior-superior", "LPS", {1, 1, 1}},
              {"right-anterior-superior", "RAS", {-1, -1, 1}},
              {"left-anterior-superior", "LAS", {1, -1, 1}},
              {"left-posterior-superior-time", "LPST", {1, 1, 1}},
              {"right-anterior-superior-time", "RAST", {-1, -1, 1}},
              {"left-anterior-superior-time", "LAST", {1, -1, 1}}};

halo_status halo_nrrd_parse_space(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->space.components = AXES + (strstr(value, "time") != NULL);
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strcasecmp(value, spaces[i].name) == 0 ||
            strcasecmp(value, spaces[i].short_name) == 0) {
            memcpy(h->space.sign, spaces[i].sign, sizeof h->space.sign);
            h->space.anatomical = true;
        }
    }
    return HALO_OK;
}

halo_status halo_nrrd_parse_dimension(halo_text_fields *h, const char *key, const char *value)
{
    int64_t components = 0;
    (void)key;
    bool good = halo_text_integers(value, &components, 1) == 1 && components >= 1 &&
                components <= HALO_IMAGE_MAX_AXES;
    h->space.components = good ? (int)components : 0;
    h->space.damaged = h->space.damaged || !good;
    return HALO_OK;
}

/* "(1, 0, 0)", up to what follows it; returns the number of components, and -1 for other text. */
static int parse_vector(const char **text, double vector[HALO_IMAGE_MAX_AXES])
{
    int count = 0;
    const char *at = *text;
    if (*at != '(') {
        return -1;
    }
    do {
        char *end;
        double number = strtod(at + 1, &end);
        if (end == at + 1 || count == HALO_IMAGE_MAX_AXES) {
            return -1;
        }
        vector[count++] = number;
        at = end + strspn(end, " \t");
    } while (*at == ',');
    *text = at + 1;
    return *at == ')' ? count : -1;
}

/* "none (1,0,0) (0,2,0)"; none is NaN. */
halo_status halo_nrrd_parse_directions(halo_text_fields *h, const char *key, const char *value)
{
    halo_text_space *space = &h->space;
    (void)key;
    for (int axis = 0; *value != '\0' && axis < HALO_IMAGE_MAX_AXES; axis++) {
        double *vector = space->direction + axis * HALO_IMAGE_MAX_AXES;
        if (strncasecmp(value, "none", 4) == 0) {
            vector[0] = NAN;
            value += 4;
        } else if (parse_vector(&value, vector) < 0) {
            space->damaged = true;
            return HALO_OK;
        }
        space->directions = axis + 1;
        value += strspn(value, " \t");
    }
    return HALO_OK;
}

halo_status halo_nrrd_parse_origin(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->space.origins = parse_vector(&value, h->space.origin);
    h->space.damaged = h->space.damaged || h->space.origins < 0;
    return HALO_OK;
}

/* "mm" "mm" "": one a component, or an axis. They are of use only if all lengths are the same. */
halo_status halo_nrrd_parse_units(halo_text_fields *h, const char *key, const char *value)
{
    enum { TEXT = 32 };
    halo_text_space *space = &h->space;
    halo_length found = HALO_LENGTH_UNKNOWN;
    bool same = true;
    (void)key;
    for (const char *begin = strchr(value, '"'); begin != NULL; begin = strchr(begin, '"')) {
        char text[TEXT] = "";
        const char *end = strchr(begin + 1, '"');
        size_t length = end != NULL ? (size_t)(end - begin - 1) : TEXT;
        if (length >= TEXT) {
            break;
        }
        memcpy(text, begin + 1, length);
        halo_length unit = halo_length_find(text);
        same =
            same && (found == unit || found == HALO_LENGTH_UNKNOWN || unit == HALO_LENGTH_UNKNOWN);
        found = unit != HALO_LENGTH_UNKNOWN ? unit : found;
        begin = end + 1;
    }
    space->units = same ? found : HALO_LENGTH_UNKNOWN;
    space->united = true;
    return HALO_OK;
}

/* The edges of the axes, with the field spacings in place of directions. */
halo_status halo_nrrd_parse_mins(halo_text_fields *h, const char *key, const char *value)
{
    h->space.mins = true;
    return halo_text_parse_origin(h, key, value);
}

/* Their other edges, which tell the spacings of a header without this field. */
halo_status halo_nrrd_parse_maxs(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->space.ends = halo_text_reals(value, h->space.maxs, HALO_IMAGE_MAX_AXES);
    h->space.damaged = h->space.damaged || h->space.ends < 0;
    return HALO_OK;
}

/* Nodes lie on the edges of the axes. */
halo_status halo_nrrd_parse_centers(halo_text_fields *h, const char *key, const char *value)
{
    (void)key;
    h->space.nodes = strstr(value, "node") != NULL;
    return HALO_OK;
}

/* ---- together -------------------------------------------------------------------------------- */

static double sign_of(const halo_text_space *space, int component)
{
    return space->sign[component] < 0 ? -1 : 1;
}

/* By space origin and space directions. */
static void place_in_space(const halo_text_fields *h, int first, halo_image_geometry *g)
{
    const halo_text_space *space = &h->space;
    double affine[AXES][AXES + 1] = {{0}};
    int components = space->components > 0 ? space->components : AXES;
    for (int axis = 0; axis < AXES; axis++) {
        const double *vector = space->direction + (axis + first) * HALO_IMAGE_MAX_AXES;
        bool given = axis + first < space->directions && axis < h->is.axes;
        for (int i = 0; i < AXES; i++) {
            bool there = i < components;
            affine[i][axis] = given && there ? sign_of(space, i) * vector[i] : !given && i == axis;
        }
        affine[axis][AXES] = space->origins > axis ? sign_of(space, axis) * space->origin[axis] : 0;
    }
    halo_geometry_set_affine(g, (const double(*)[AXES + 1]) affine);
}

/* By spacings, or else by axis mins and axis maxs: `first` axes are those of colours. */
static double spacing_of(const halo_text_fields *h, int first, int axis)
{
    const halo_text_space *space = &h->space;
    int64_t steps = h->is.sizes[axis] - (space->nodes ? 1 : 0);
    bool edges = !h->spaced && space->mins && space->origins > axis + first &&
                 space->ends > axis + first && steps > 0;
    return edges ? (space->maxs[axis + first] - space->origin[axis + first]) / (double)steps
                 : h->is.spacing[axis];
}

/* By axis mins and spacings. */
static void place_on_axes(const halo_text_fields *h, int first, halo_image_geometry *g)
{
    const halo_text_space *space = &h->space;
    halo_geometry_set_identity(g);
    first = space->mins ? first : 0;
    g->placed = space->origins >= h->is.axes + first;
    for (int axis = 0; axis < AXES && axis < h->is.axes; axis++) {
        double spacing = fabs(spacing_of(h, first, axis));
        double half = space->mins && !space->nodes ? spacing / 2 : 0;
        g->spacing[axis] = spacing;
        g->origin[axis] = g->placed ? space->origin[axis + first] + half : 0;
        g->placed = g->placed && isfinite(g->origin[axis]);
    }
}

halo_image_geometry halo_nrrd_geometry(const halo_text_fields *h)
{
    const halo_text_space *space = &h->space;
    bool assumed = space->anatomical && !space->united;
    int first = h->coloured ? 1 : 0;
    halo_image_geometry g = {.unit = assumed ? HALO_LENGTH_MILLIMETRE : space->units,
                             .assumed = assumed,
                             .anatomical = space->anatomical,
                             .ignored = space->damaged};
    bool of_space = space->directions > first && !space->damaged;
    if (of_space) {
        place_in_space(h, first, &g);
    } else {
        place_on_axes(h, first, &g);
    }
    g.placed = g.placed && !space->damaged;
    return g;
}
