#include "kernels/array/array_internal.h"

#include "base/minmax.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows of arrays of any layout. */

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks that the number of elements and their addresses do not overflow. HALO_ARGUMENT otherwise.
 */
static halo_status check_size(const halo_array *array, const char *name)
{
    int64_t cells = 1, span = array_element(array);
    bool fits = true;
    for (int axis = 0; axis < array->axes && fits; axis++) {
        int64_t n = array->n[axis], step = array->stride[axis];
        HALO_FAIL_IF(n < 0, HALO_ARGUMENT, "%s has a length of %" PRId64 " along axis %d", name, n,
                     axis);
        int64_t reach = 0;
        fits = !__builtin_mul_overflow(cells, n, &cells) && step != INT64_MIN &&
               !__builtin_mul_overflow(n > 0 ? n - 1 : 0, step < 0 ? -step : step, &reach) &&
               !__builtin_add_overflow(span, reach, &span);
    }
    HALO_FAIL_IF(!fits || cells > INT64_MAX / 16, HALO_ARGUMENT,
                 "%s has more elements than addresses can count", name);
    HALO_FAIL_IF(cells > 0 && array->data == NULL, HALO_ARGUMENT, "%s has no data", name);
    return HALO_OK;
}

halo_status array_check(const halo_array *array, const char *name, int min, int max)
{
    HALO_FAIL_IF((int)array->type < 0 || array->type >= HALO_SAMPLE_TYPES, HALO_ARGUMENT,
                 "%s has no known type of elements", name);
    if (array->axes < min || array->axes > max) {
        const char *are = array->axes == 1 ? "axis" : "axes";
        return min == max ? halo_fail(HALO_ARGUMENT, "%s has %d %s, and must have %d", name,
                                      array->axes, are, min)
                          : halo_fail(HALO_ARGUMENT, "%s has %d %s, and must have %d to %d", name,
                                      array->axes, are, min, max);
    }
    return check_size(array, name);
}

/* Two elements of an array share bytes if an axis steps within what the axes of shorter steps
 * cover. Of axes that interleave (as those of sliding windows do) this is also true where no
 * element meets another, but nobody computes into such an array. */
static bool overlaps(const halo_array *array)
{
    int64_t covered = array_element(array);
    bool used[HALO_AXES] = {false};
    for (int i = 0; i < array->axes; i++) {
        int next = -1;
        int64_t step = 0;
        for (int axis = 0; axis < array->axes; axis++) {
            int64_t own = array->stride[axis] < 0 ? -array->stride[axis] : array->stride[axis];
            if (!used[axis] && array->n[axis] > 1 && (next < 0 || own < step)) {
                next = axis;
                step = own;
            }
        }
        if (next < 0) {
            break;
        }
        if (step < covered) {
            return true;
        }
        used[next] = true;
        covered += step * (array->n[next] - 1);
    }
    return false;
}

halo_status array_check_out(const halo_array *array, const char *name, int min, int max)
{
    HALO_TRY(array_check(array, name, min, max));
    return HALO_REQUIRE(array_cells(array) == 0 || !overlaps(array), HALO_ARGUMENT,
                        "%s has elements that share memory; make a copy of it to write to", name);
}

halo_status array_check_same(const halo_array *a, const char *a_name, const halo_array *b,
                             const char *b_name)
{
    HALO_FAIL_IF(a->axes != b->axes, HALO_ARGUMENT, "%s has %d axes, and %s has %d", a_name,
                 a->axes, b_name, b->axes);
    for (int axis = 0; axis < a->axes; axis++) {
        HALO_FAIL_IF(a->n[axis] != b->n[axis], HALO_ARGUMENT,
                     "%s has %" PRId64 " elements along axis %d, and %s has %" PRId64, a_name,
                     a->n[axis], axis, b_name, b->n[axis]);
    }
    return HALO_OK;
}

halo_status array_take_spacing(const double spacing[HALO_AXES], int axes, double size[HALO_AXES],
                               bool *spaced)
{
    *spaced = false;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        size[axis] = 1;
    }
    for (int axis = 0; axis < axes; axis++) { /* NaN is one, too */
        *spaced = *spaced || !(spacing[axis] >= 0 && spacing[axis] <= 0);
    }
    for (int axis = 0; axis < axes && *spaced; axis++) {
        HALO_FAIL_IF(
            !(spacing[axis] > 0) || isinf(spacing[axis]), HALO_ARGUMENT,
            "the spacing along axis %d is %g; use numbers above 0, or 0 along all axes for "
            "none",
            axis, spacing[axis]);
        size[HALO_AXES - axes + axis] = spacing[axis];
    }
    return HALO_OK;
}

halo_status array_check_periodic(const halo_array *array, const bool periodic[HALO_AXES])
{
    for (int axis = array->axes; axis < HALO_AXES; axis++) {
        HALO_FAIL_IF(periodic[axis], HALO_ARGUMENT,
                     "axis %d is to be periodic, and the array has %d %s, from 0 on", axis,
                     array->axes, array->axes == 1 ? "axis" : "axes");
    }
    return HALO_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

int64_t array_cells(const halo_array *array)
{
    int64_t cells = 1;
    for (int axis = 0; axis < array->axes; axis++) {
        cells *= array->n[axis];
    }
    return cells;
}

halo_array array_with_axes(const halo_array *array, int axes)
{
    halo_array more = *array;
    int added = axes - array->axes;
    more.axes = axes;
    for (int axis = 0; axis < axes; axis++) {
        more.n[axis] = axis < added ? 1 : array->n[axis - added];
        more.stride[axis] = axis < added ? 0 : array->stride[axis - added];
    }
    return more;
}

halo_domain array_domain(const halo_array *array)
{
    halo_domain domain = {.axes = array->axes};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        domain.n[axis] = axis < array->axes ? array->n[axis] : 1;
    }
    return domain;
}

/* True if elements along this axis follow one another, as kernels read them. */
static bool is_contiguous_along(const halo_array *array, int axis)
{
    ptrdiff_t size = array_element(array);
    bool aligned = (intptr_t)array->data % size == 0;
    for (int i = 0; i < array->axes; i++) {
        aligned = aligned && (array->stride[i] % size == 0 || array->n[i] <= 1);
    }
    return aligned && !array->swapped && (array->stride[axis] == size || array->n[axis] <= 1);
}

bool array_rows_are_contiguous(const halo_array *array)
{
    return array->type != HALO_SAMPLE_BIT && is_contiguous_along(array, array->axes - 1);
}

int array_column_axis(const halo_array *array)
{
    for (int axis = array->axes - 2; axis >= 0; axis--) {
        if (array->n[axis] > 1 && is_contiguous_along(array, axis)) {
            return axis;
        }
    }
    return -1;
}

/* ---- copies ---------------------------------------------------------------------------------- */

typedef void copy_elements(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
                           int64_t count);

#define SAME(value) (value)
#define COPY_ELEMENTS(name, type, change)                                                \
    static void name(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, \
                     int64_t count)                                                      \
    {                                                                                    \
        for (int64_t i = 0; i < count; i++) {                                            \
            type value;                                                                  \
            memcpy(&value, from + i * from_step, sizeof value);                          \
            value = change(value);                                                       \
            memcpy(to + i * to_step, &value, sizeof value);                              \
        }                                                                                \
    }
COPY_ELEMENTS(copy_1, uint8_t, SAME)
COPY_ELEMENTS(copy_2, uint16_t, SAME)
COPY_ELEMENTS(copy_4, uint32_t, SAME)
COPY_ELEMENTS(copy_8, uint64_t, SAME)
COPY_ELEMENTS(swap_2, uint16_t, __builtin_bswap16)
COPY_ELEMENTS(swap_4, uint32_t, __builtin_bswap32)
COPY_ELEMENTS(swap_8, uint64_t, __builtin_bswap64)
#undef COPY_ELEMENTS

static copy_elements *find_copy(const halo_array *array)
{
    enum { LOGS = 4 };
    static copy_elements *const plain[LOGS] = {copy_1, copy_2, copy_4, copy_8};
    static copy_elements *const swaps[LOGS] = {copy_1, swap_2, swap_4, swap_8};
    int log = __builtin_ctzll((unsigned long long)array_element(array));
    return array->swapped ? swaps[log] : plain[log];
}

void array_get(const halo_array *array, int64_t z, int64_t y, int64_t x, int64_t count, void *out)
{
    ptrdiff_t size = array_element(array), step = array->stride[2];
    const char *from = array_at(array, z, y, x);
    if (step == size && !array->swapped) {
        memcpy(out, from, (size_t)(count * size));
    } else {
        find_copy(array)(out, size, from, step, count);
    }
}

void array_put(const halo_array *array, int64_t z, int64_t y, int64_t x, int64_t count,
               const void *in)
{
    ptrdiff_t size = array_element(array), step = array->stride[2];
    char *to = array_at(array, z, y, x);
    if (step == size && !array->swapped) {
        memcpy(to, in, (size_t)(count * size));
    } else {
        find_copy(array)(to, step, in, size, count);
    }
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* A box of an array and of a view of the same elements, both with 3 axes. */
typedef struct {
    char *array, *view;
    ptrdiff_t array_stride[HALO_AXES], view_stride[HALO_AXES];
    int64_t n[HALO_AXES];
    copy_elements *copy;
    bool in_columns; /* the array's axis 1 or 0 is contiguous, and rows are not */
    int column_axis;
} box_pair;

static box_pair pair_boxes(const halo_array *array, const halo_box *box, const halo_view *view)
{
    int added = HALO_AXES - array->axes;
    const halo_array whole = array_with_axes(array, HALO_AXES);
    box_pair pair = {.array = whole.data, .view = view->origin, .copy = find_copy(array)};
    int columns = array_rows_are_contiguous(array) ? -1 : array_column_axis(array);
    pair.in_columns = columns >= 0;
    pair.column_axis = columns + added;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int own = axis - added;
        pair.n[axis] = own < 0 ? 1 : box->n[own];
        pair.array_stride[axis] = whole.stride[axis];
        pair.view_stride[axis] = own < 0 ? 0 : view->stride[own];
        pair.array += own < 0 ? 0 : box->lo[own] * whole.stride[axis];
    }
    return pair;
}

/* Copies in squares of columns: along the axis that is contiguous in the array, a few rows at a
 * time. */
static void copy_columns(const box_pair *pair, bool to_array)
{
    enum { ROWS = 16 };
    int inner = pair->column_axis, outer = 1 - inner;
    const ptrdiff_t *a = pair->array_stride, *v = pair->view_stride;
    for (int64_t o = 0; o < pair->n[outer]; o++) {
        for (int64_t first = 0; first < pair->n[inner]; first += ROWS) {
            int64_t rows = halo_min(ROWS, pair->n[inner] - first);
            for (int64_t x = 0; x < pair->n[2]; x++) {
                char *at = pair->array + o * a[outer] + first * a[inner] + x * a[2];
                char *cell = pair->view + o * v[outer] + first * v[inner] + x * v[2];
                if (to_array) {
                    pair->copy(at, a[inner], cell, v[inner], rows);
                } else {
                    pair->copy(cell, v[inner], at, a[inner], rows);
                }
            }
        }
    }
}

static void copy_rows(const box_pair *pair, bool to_array)
{
    const ptrdiff_t *a = pair->array_stride, *v = pair->view_stride;
    for (int64_t z = 0; z < pair->n[0]; z++) {
        for (int64_t y = 0; y < pair->n[1]; y++) {
            char *at = pair->array + z * a[0] + y * a[1];
            char *cell = pair->view + z * v[0] + y * v[1];
            if (to_array) {
                pair->copy(at, a[2], cell, v[2], pair->n[2]);
            } else {
                pair->copy(cell, v[2], at, a[2], pair->n[2]);
            }
        }
    }
}

void array_get_box(const halo_array *array, const halo_box *box, const halo_view *to)
{
    const box_pair pair = pair_boxes(array, box, to);
    (pair.in_columns ? copy_columns : copy_rows)(&pair, false);
}

void array_put_box(const halo_array *array, const halo_box *box, const halo_view *from)
{
    const box_pair pair = pair_boxes(array, box, from);
    (pair.in_columns ? copy_columns : copy_rows)(&pair, true);
}
