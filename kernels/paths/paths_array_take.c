#include "kernels/paths/paths_array_internal.h"

#include <inttypes.h>
#include <math.h>

/* Options and arrays of calls on arrays in memory. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_paths_array_options, option, kind, member)

#define SPACING_ROW(axis)                                                 \
    ARRAY_SPACING_ROW(halo_paths_array_options, axis, "1 along all axes", \
                      ", from 1e-9 to 1e9: lengths of steps are in its unit")

static const halo_option option_rows[] = {
    {ROW("neighbours", INTEGER, neighbours), .unit = "neighbours", .unless = "8, and 26 in 3 axes",
     .help = "Neighbours of a cell: 4 beside it, 8 with the diagonal ones, 16 with a knight's "
             "moves; of an array of 3 axes 6, 18 or 26. A step costs its length times the mean of "
             "the costs of its cells"},
    SPACING_ROW(0),
    SPACING_ROW(1),
    SPACING_ROW(2),
    {ROW("max-distance", REAL, max_distance), .max = 1e300, .unless = "0: without limit",
     .help = "Cells farther away than this are not reached"},
    {0}};

const halo_option *const halo_paths_array_rows = option_rows;

/* ---- arguments ------------------------------------------------------------------------------- */

halo_array paths_array_with_axes(const halo_array *array)
{
    return array_with_axes(array, array->axes < 2 ? 2 : array->axes);
}

halo_status paths_array_take_costs(const halo_array *costs, halo_array *out)
{
    HALO_TRY(array_check(costs, "the array of costs", 1, HALO_AXES));
    *out = paths_array_with_axes(costs);
    return HALO_OK;
}

halo_status paths_array_take_distances(const halo_array *distances, const halo_array *costs,
                                       halo_array *out)
{
    HALO_FAIL_IF(distances->type != HALO_SAMPLE_F64, HALO_ARGUMENT,
                 "distances are of %s; they must be of float64",
                 (int)distances->type >= 0 && distances->type < HALO_SAMPLE_TYPES
                     ? halo_sample_types[distances->type].name
                     : "no known type");
    HALO_TRY(array_check_same(costs, "the array of costs", distances, "that of distances"));
    *out = paths_array_with_axes(distances);
    return HALO_OK;
}

halo_status paths_array_check_places(const halo_array *costs, const halo_paths_place *places,
                                     int64_t count, const char *what)
{
    int64_t columns = costs->n[costs->axes - 1];
    int64_t rows = costs->n[0] * (costs->axes == HALO_AXES ? costs->n[1] : 1);
    HALO_FAIL_IF(count > 0 && places == NULL, HALO_ARGUMENT, "there is no list of %ss", what);
    for (int64_t i = 0; i < count; i++) {
        const halo_paths_place *at = &places[i];
        HALO_FAIL_IF(at->row < 0 || at->row >= rows || at->column < 0 || at->column >= columns,
                     HALO_ARGUMENT,
                     "%s %" PRId64 " is in row %" PRId64 ", column %" PRId64
                     "; rows%s are from 0 to %" PRId64 ", columns from 0 to %" PRId64,
                     what, i + 1, at->row, at->column,
                     costs->axes == HALO_AXES ? ", through all planes," : "", rows - 1,
                     columns - 1);
    }
    return HALO_OK;
}

/* Sets the depth, the height and the width of a cell. */
static halo_status take_spacing(const halo_paths_array_options *options, int axes,
                                double size[HALO_AXES])
{
    const double least = 1e-9, most = 1e9;
    bool spaced;
    HALO_TRY(array_take_spacing(options->spacing, axes, size, &spaced));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        HALO_FAIL_IF(size[axis] < least || size[axis] > most, HALO_ARGUMENT,
                     "the spacing along an axis is %g; use numbers from 1e-9 to 1e9", size[axis]);
    }
    return HALO_OK;
}

static halo_status take_neighbours(int given, int axes, int *out)
{
    static const int image[] = {8, 4, 16}, volume[] = {26, 6, 18}; /* the default first */
    const int *known = axes == HALO_AXES ? volume : image;
    *out = given == 0 ? known[0] : given;
    bool good = *out == known[0] || *out == known[1] || *out == known[2];
    return HALO_REQUIRE(good, HALO_ARGUMENT, "%d neighbours; use %s", given,
                        axes == HALO_AXES ? "6, 18 or 26 in an array of 3 axes" : "4, 8 or 16");
}

halo_status paths_array_take_options(const halo_paths_array_options *options, int axes,
                                     const halo_context *context, halo_paths_volume *out)
{
    double size[HALO_AXES];
    int neighbours;
    HALO_TRY(take_neighbours(options->neighbours, axes, &neighbours));
    HALO_TRY(take_spacing(options, axes, size));
    HALO_FAIL_IF(!(options->max_distance >= 0), HALO_ARGUMENT,
                 "the largest distance is %g; use a number above 0, or 0 for no limit",
                 options->max_distance);
    *out = (halo_paths_volume){
        .options = {.neighbours = neighbours,
                    .cell_size = {size[1], size[2]},
                    .max_distance = isinf(options->max_distance) ? 0 : options->max_distance,
                    .instructions = array_instructions(context)},
        .plane_distance = size[0]};
    return HALO_OK;
}
