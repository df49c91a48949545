#include "base/minmax.h"
#include "kernels/array/array_internal.h"

/* A view part by part, so that a call is watched between them. */

/* Planes and rows of a part: about a megabyte. Where elements are contiguous along another axis
 * than the last one there are as many along it as squares of bits have. */
static void choose_part(const halo_array *array, const int64_t n[HALO_AXES], int64_t *planes,
                        int64_t *rows)
{
    enum { SQUARE = 64, BYTES = 1 << 20 };
    int columns = array_rows_are_contiguous(array) ? -1 : array_column_axis(array);
    int64_t row = halo_max(1, n[2] * array_element(array));
    *planes = columns == 0 ? SQUARE : 1;
    *rows = halo_max(columns == 1 ? SQUARE : 1, BYTES / row / *planes);
    if (*rows >= n[1]) {
        *rows = halo_max(1, n[1]);
        *planes = halo_max(*planes, BYTES / row / *rows);
    }
}

/* The part of a view that begins at plane `z` and row `y`. */
static halo_view part_of(const halo_view *view, const int64_t at[2], const int64_t n[2])
{
    halo_view part = *view;
    int added = HALO_AXES - view->axes;
    for (int axis = added; axis < HALO_AXES - 1; axis++) {
        int own = axis - added;
        part.owned.lo[own] += at[axis];
        part.owned.n[own] = n[axis];
        part.origin = (char *)part.origin + at[axis] * view->stride[own];
    }
    return part;
}

halo_status array_pass_parts(array_call *call, const halo_world *world, const halo_array *array,
                             const halo_view *view, array_pass *pass)
{
    const halo_array whole = array_with_axes(array, HALO_AXES);
    int added = HALO_AXES - view->axes;
    int64_t n[HALO_AXES], most[2], at[2], count[2];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        n[axis] = axis < added ? 1 : view->owned.n[axis - added];
    }
    choose_part(&whole, n, &most[0], &most[1]);
    for (at[0] = 0; at[0] < n[0]; at[0] += most[0]) {
        count[0] = halo_min(most[0], n[0] - at[0]);
        for (at[1] = 0; at[1] < n[1]; at[1] += most[1]) {
            count[1] = halo_min(most[1], n[1] - at[1]);
            const halo_view part = part_of(view, at, count);
            pass(array, &part);
            if (array_call_watch(call, world, at[0] * n[1] + count[0] * (at[1] + count[1]),
                                 n[0] * n[1])) {
                return array_call_stop();
            }
        }
    }
    return HALO_OK;
}

void array_get_view(const halo_array *array, const halo_view *to)
{
    array_get_box(array, &to->owned, to);
}

void array_put_view(const halo_array *array, const halo_view *from)
{
    array_put_box(array, &from->owned, from);
}
