#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"

#include <float.h>
#include <inttypes.h>

/* Results to arrays of any layout and type. */

/* ---- types ----------------------------------------------------------------------------------- */

int64_t array_largest(halo_sample_type type)
{
    static const int64_t in_float = (int64_t)1 << FLT_MANT_DIG,
                         in_double = (int64_t)1 << DBL_MANT_DIG;
    switch (type) {
    case HALO_SAMPLE_F32:
        return in_float;
    case HALO_SAMPLE_F64:
        return in_double;
    case HALO_SAMPLE_U64:
        return INT64_MAX;
    default:
        return halo_sample_types[type].key_max;
    }
}

/* Converts whole numbers of the type `from` (U16, I32 or I64) to the type `to`, which has them all.
 */
static void convert(halo_sample_type from, const void *in, int64_t count, halo_sample_type to,
                    void *out)
{
#define CONVERT(in_type, out_type)                                 \
    for (int64_t i = 0; i < count; i++) {                          \
        ((out_type *)out)[i] = (out_type)((const in_type *)in)[i]; \
    }
#define CONVERT_CASE(code, c_type, ...)       \
    case HALO_SAMPLE_##code:                  \
        if (from == HALO_SAMPLE_U16) {        \
            CONVERT(uint16_t, c_type)         \
        } else if (from == HALO_SAMPLE_I32) { \
            CONVERT(int32_t, c_type)          \
        } else {                              \
            CONVERT(int64_t, c_type)          \
        }                                     \
        break;
    switch (to) {
        HALO_SAMPLE_VALUE_LIST(CONVERT_CASE)
    default:
        break;
    }
#undef CONVERT_CASE
#undef CONVERT
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    halo_array array; /* of 3 axes */
    const array_source *source;
    bool in_place, converts;
    int64_t planes, rows; /* of a tile, at most */
    char *tile, *made;    /* rows of the array's type; and those to be converted */
} writing;

/* Tiles of about a million elements: as many rows as are found together, unless rows are long. In
 * columns along axis 0 there are several planes, for whole lines of the cache. */
static void choose_tile(writing *w)
{
    enum { IN_PLACE = 256, PLANES = 16, ELEMENTS = 1 << 20, FEW = 32 };
    int64_t together = w->source->together;
    w->rows = w->in_place ? halo_max(IN_PLACE, together) : together;
    w->planes = !w->in_place && array_column_axis(&w->array) == 0 ? PLANES : 1;
    int64_t least = w->planes > 1 ? 1 : halo_min(together, FEW);
    while (w->rows / 2 >= least && w->rows * w->planes * w->array.n[2] > ELEMENTS) {
        w->rows /= 2;
    }
}

/* The rows of a box, which is a tile or a part of one, at `to`, without gaps. */
static halo_status fill_plane(const writing *w, int64_t z, const halo_box *box, char *to)
{
    const array_source *source = w->source;
    int64_t width = w->array.n[2], row = z * w->array.n[1] + box->lo[1];
    char *made = w->converts ? w->made : to;
    HALO_TRY(source->fill(source->context, row, box->n[1], made,
                          (size_t)width * halo_sample_types[source->type].stored));
    if (w->converts) {
        convert(source->type, made, box->n[1] * width, w->array.type, to);
    }
    return HALO_OK;
}

static halo_status write_tile(const writing *w, const halo_box *box)
{
    enum { BYTE = 8 };
    ptrdiff_t size = array_element(&w->array), plane = size * w->array.n[2] * box->n[1];
    const halo_view view = {.origin = w->tile,
                            .axes = HALO_AXES,
                            .cell_bits = (int)size * BYTE,
                            .stride = {plane, size * w->array.n[2], size}};
    for (int64_t z = 0; z < box->n[0]; z++) {
        HALO_TRY(fill_plane(w, box->lo[0] + z, box, w->tile + z * plane));
    }
    array_put_box(&w->array, box, &view);
    return HALO_OK;
}

static halo_status write_box(const writing *w, const halo_box *box)
{
    const array_source *source = w->source;
    if (!w->in_place) {
        return write_tile(w, box);
    }
    return source->fill(source->context, box->lo[0] * w->array.n[1] + box->lo[1], box->n[1],
                        array_at(&w->array, box->lo[0], box->lo[1], 0), (size_t)w->array.stride[1]);
}

/* Tiles begin at multiples of their rows: what is found together is not found twice. */
static halo_status write_boxes(const writing *w, array_call *call, const halo_world *world,
                               const halo_box *all)
{
    int64_t z_end = all->lo[0] + all->n[0], y_end = all->lo[1] + all->n[1];
    halo_box box = {.n = {0, 0, w->array.n[2]}};
    for (box.lo[0] = all->lo[0]; box.lo[0] < z_end; box.lo[0] += box.n[0]) {
        box.n[0] = halo_min(w->planes, z_end - box.lo[0]);
        for (box.lo[1] = all->lo[1]; box.lo[1] < y_end; box.lo[1] += box.n[1]) {
            box.n[1] = halo_min(box.lo[1] / w->rows * w->rows + w->rows, y_end) - box.lo[1];
            HALO_TRY(write_box(w, &box));
            int64_t done = (box.lo[0] - all->lo[0]) * all->n[1] +
                           box.n[0] * (box.lo[1] + box.n[1] - all->lo[1]);
            if (array_call_watch(call, world, done, all->n[0] * all->n[1])) {
                return array_call_stop();
            }
        }
    }
    return HALO_OK;
}

static halo_status create_tile(writing *w)
{
    static const char what[] = "rows";
    size_t row = (size_t)w->rows * (size_t)w->array.n[2];
    void *tile = NULL, *made = NULL;
    halo_status status =
        halo_memory_create(&tile, (size_t)w->planes * row * (size_t)array_element(&w->array), what);
    if (status == HALO_OK && w->converts) {
        status = halo_memory_create(&made, row * halo_sample_types[w->source->type].stored, what);
    }
    w->tile = tile;
    w->made = made;
    return status;
}

halo_status array_write_box(array_call *call, const halo_world *world, const halo_array *array,
                            const halo_box *box, const array_source *source)
{
    const halo_sample_type_entry *from = &halo_sample_types[source->type],
                                 *to = &halo_sample_types[array->type];
    writing w = {.array = array_with_axes(array, HALO_AXES),
                 .source = source,
                 .converts = from->stored != to->stored || from->real != to->real};
    halo_box all = {.n = {1, 1, 1}};
    if (halo_box_cells(box) == 0) {
        return HALO_OK;
    }
    for (int axis = 0; axis < array->axes; axis++) {
        all.lo[HALO_AXES - array->axes + axis] = box->lo[axis];
        all.n[HALO_AXES - array->axes + axis] = box->n[axis];
    }
    w.in_place = !w.converts && array_rows_are_contiguous(&w.array) && w.array.stride[1] >= 0;
    choose_tile(&w);
    halo_status status = w.in_place ? HALO_OK : create_tile(&w);
    HALO_IF_OK(status, write_boxes(&w, call, world, &all));
    halo_memory_free(w.tile);
    halo_memory_free(w.made);
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

typedef struct {
    array_fill_rows *fill;
    void *context;
    int64_t first; /* row of the box */
} label_rows;

static halo_status fill_labels(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const label_rows *of = context;
    return of->fill(of->context, first - of->first, rows, out, pitch);
}

halo_status array_write_labels(array_call *call, const halo_world *world, const halo_array *labels,
                               const halo_box *box, int64_t largest, array_fill_rows *fill,
                               void *context)
{
    enum { ROWS = 16 };
    halo_array to = *labels;
    bool bits = to.type == HALO_SAMPLE_BIT; /* a byte each */
    HALO_FAIL_IF(largest > array_largest(to.type), HALO_ARGUMENT,
                 "labels go up to %" PRId64
                 ", which is more than labels of %s can be; use labels of int32",
                 largest, bits ? "bool" : halo_sample_types[to.type].name);
    to.type = bits ? HALO_SAMPLE_U8 : to.type;
    label_rows rows = {fill, context, box->lo[0] * (to.axes == HALO_AXES ? to.n[1] : 1)};
    const array_source source = {HALO_SAMPLE_I32, fill_labels, &rows, ROWS};
    return array_write_box(call, world, &to, box, &source);
}
