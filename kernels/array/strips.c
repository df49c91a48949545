#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"

#include <float.h>
#include <inttypes.h>

/* A rank's rows of arrays, from the array to what computes on them and back. Rows that are not
 * contiguous go through a tile of a few rows. */

enum { TILE = 32 }; /* rows */

static int64_t elements_of_row(const halo_array *array)
{
    return array->n[1] * (array->axes > 2 ? array->n[2] : 1);
}

/* A box of rows, and a view of as many rows without gaps. */
static halo_box rows_of(const halo_array *array, int64_t first, int64_t rows)
{
    return (halo_box){.lo = {first}, .n = {rows, array->n[1], array->axes > 2 ? array->n[2] : 1}};
}

static halo_view view_tile(const halo_array *array, void *tile)
{
    enum { BYTE = 8 };
    ptrdiff_t size = array_element(array);
    halo_view view = {.origin = tile, .axes = array->axes, .cell_bits = (int)size * BYTE};
    view.stride[array->axes - 1] = size;
    if (array->axes > 2) {
        view.stride[1] = size * array->n[2];
    }
    view.stride[0] = size * elements_of_row(array);
    return view;
}

/* Memory for `rows` rows. Those of a broadcast array may be longer than any memory. */
static halo_status create_rows(void **out, int64_t elements, int64_t rows, int64_t bytes)
{
    int64_t all;
    *out = NULL;
    HALO_FAIL_IF(
        __builtin_mul_overflow(elements, rows, &all) || __builtin_mul_overflow(all, bytes, &all),
        HALO_MEMORY, "out of memory: %" PRId64 " rows of %" PRId64 " elements", rows, elements);
    return halo_memory_create(out, (size_t)all, "rows");
}

static halo_status create_tile(const halo_array *array, halo_sample_type type, int64_t rows,
                               void **tile)
{
    return create_rows(tile, elements_of_row(array), rows, (int64_t)halo_sample_types[type].stored);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* True if rows are contiguous, also those of bool as bytes. */
static bool is_contiguous(const halo_array *array)
{
    halo_array bytes = *array;
    bytes.type = array->type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : array->type;
    return array_rows_are_contiguous(&bytes);
}

/* True if all elements of a row follow one another. */
static bool rows_are_whole(const halo_array *array)
{
    bool packed = array->axes == 2 || array->n[1] <= 1 ||
                  array->stride[1] == array->n[2] * array_element(array);
    return packed && is_contiguous(array);
}

static halo_status read_tile(const halo_array *array, const halo_box *box, char *tile,
                             array_take_row *take, void *context)
{
    const halo_view view = view_tile(array, tile);
    array_get_box(array, box, &view);
    for (int64_t y = 0; y < box->n[0]; y++) {
        HALO_TRY(take(context, box->lo[0] + y, tile + y * view.stride[0]));
    }
    return HALO_OK;
}

static halo_status read_in_place(const halo_array *array, const halo_box *box, array_take_row *take,
                                 void *context)
{
    for (int64_t y = 0; y < box->n[0]; y++) {
        int64_t row = box->lo[0] + y;
        HALO_TRY(take(context, row, (char *)array->data + row * array->stride[0]));
    }
    return HALO_OK;
}

halo_status array_read_rows(array_call *call, const halo_world *world, const halo_array *array,
                            int64_t first, int64_t count, array_take_row *take, void *context)
{
    void *tile = NULL;
    bool whole = rows_are_whole(array);
    halo_status status = whole ? HALO_OK : create_tile(array, array->type, TILE, &tile);
    for (int64_t done = 0; done < count && status == HALO_OK; done += TILE) {
        const halo_box box = rows_of(array, first + done, halo_min(TILE, count - done));
        status = whole ? read_in_place(array, &box, take, context)
                       : read_tile(array, &box, tile, take, context);
        if (status == HALO_OK && array_call_watch(call, world, done + box.n[0], count)) {
            status = array_call_stop();
        }
    }
    halo_memory_free(tile);
    return status;
}

halo_status array_reader_create(array_reader *reader, const halo_array *array)
{
    *reader = (array_reader){
        .array = *array, .contiguous = is_contiguous(array), .deep = array->n[0] > 1};
    reader->end = array->n[reader->deep ? 0 : 1];
    int64_t elements = array->n[2] * (reader->deep ? array->n[1] : 1);
    return reader->contiguous ? HALO_OK
                              : create_rows(&reader->tile, elements, TILE, array_element(array));
}

const void *array_reader_row(array_reader *reader, int64_t z, int64_t y)
{
    const halo_array *array = &reader->array;
    if (reader->contiguous) {
        return array_at(array, z, y, 0);
    }
    int axis = reader->deep ? 0 : 1;
    int64_t at = reader->deep ? z : y, end = reader->first + reader->count;
    int64_t pitch = array_element(array) * array->n[2];
    int64_t layer = reader->deep ? pitch * array->n[1] : pitch;
    if (at < reader->first || at >= end) {
        halo_box box = {.n = {array->n[0], array->n[1], array->n[2]}};
        reader->first = box.lo[axis] = at;
        reader->count = box.n[axis] = halo_min(TILE, reader->end - at);
        halo_view view = view_tile(array, reader->tile);
        array_get_box(array, &box, &view);
    }
    const char *rows = (const char *)reader->tile + (at - reader->first) * layer;
    return reader->deep ? rows + y * pitch : rows;
}

void array_reader_free(array_reader *reader)
{
    halo_memory_free(reader->tile);
    *reader = (array_reader){.tile = NULL};
}

/* ---- reading and writing --------------------------------------------------------------------- */

typedef struct {
    const halo_array *in, *out;
    array_map_row *map;
    void *context;
    void *tile; /* NULL: both are computed on in place */
} mapping;

static halo_status map_box(const mapping *m, const halo_box *box)
{
    const ptrdiff_t pitch = array_element(m->in) * m->in->n[2];
    if (m->tile != NULL) {
        halo_view view = view_tile(m->in, m->tile);
        view.stride[0] = pitch * box->n[1];
        array_get_box(m->in, box, &view);
    }
    for (int64_t i = 0; i < box->n[0] * box->n[1]; i++) {
        int64_t z = box->lo[0] + i / box->n[1], y = box->lo[1] + i % box->n[1];
        char *row = m->tile != NULL ? (char *)m->tile + i * pitch : NULL;
        const void *from = row != NULL ? row : array_at(m->in, z, y, 0);
        HALO_TRY(m->map(m->context, z, y, from, row != NULL ? row : array_at(m->out, z, y, 0)));
    }
    if (m->tile != NULL) {
        halo_view view = view_tile(m->out, m->tile);
        view.stride[0] = pitch * box->n[1];
        array_put_box(m->out, box, &view);
    }
    return HALO_OK;
}

halo_status array_map_rows(array_call *call, const halo_world *world, const halo_array *in,
                           const halo_array *out, int64_t first, int64_t count, array_map_row *map,
                           void *context)
{
    mapping m = {.in = in, .out = out, .map = map, .context = context};
    int axis = in->n[0] > 1 ? 0 : 1;
    int64_t elements = in->n[2] * (axis == 0 ? in->n[1] : 1);
    halo_status status = is_contiguous(in) && is_contiguous(out)
                             ? HALO_OK
                             : create_rows(&m.tile, elements, TILE, array_element(in));
    for (int64_t done = 0; done < count && status == HALO_OK; done += TILE) {
        halo_box box = {.n = {in->n[0], in->n[1], in->n[2]}};
        box.lo[axis] = first + done;
        box.n[axis] = halo_min(TILE, count - done);
        status = map_box(&m, &box);
        if (status == HALO_OK && array_call_watch(call, world, done + box.n[axis], count)) {
            status = array_call_stop();
        }
    }
    halo_memory_free(m.tile);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

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

void array_convert(halo_sample_type from, const void *in, int64_t count, halo_sample_type to,
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

typedef struct {
    const halo_array *array;
    halo_sample_type type;
    array_fill_rows *fill;
    void *context;
    bool converts;
    char *tile, *made; /* `made` has rows to be converted */
} writing;

static halo_status write_tile(const writing *w, const halo_box *box)
{
    const halo_view view = view_tile(w->array, w->tile);
    int64_t width = w->array->n[1], rows = box->n[0];
    size_t pitch = (size_t)width * halo_sample_types[w->type].stored;
    HALO_TRY(w->fill(w->context, box->lo[0], rows, w->converts ? w->made : w->tile, pitch));
    if (w->converts) {
        array_convert(w->type, w->made, rows * width, w->array->type, w->tile);
    }
    array_put_box(w->array, box, &view);
    return HALO_OK;
}

static halo_status write_in_place(const writing *w, const halo_box *box)
{
    ptrdiff_t pitch = w->array->stride[0];
    return w->fill(w->context, box->lo[0], box->n[0], (char *)w->array->data + box->lo[0] * pitch,
                   (size_t)pitch);
}

/* Labels of clusters are found for squares of 128 rows at a time, whichever of these rows are asked
 * for. Bands have as many rows, unless they would be large. */
static int64_t band_of(const halo_array *array)
{
    enum { SQUARE = 128, MOST = 1 << 20 };
    return SQUARE * array->n[1] <= MOST ? SQUARE : TILE;
}

halo_status array_write_rows(array_call *call, const halo_world *world, const halo_array *array,
                             int64_t first, int64_t count, halo_sample_type type,
                             array_fill_rows *fill, void *context)
{
    writing w = {.array = array, .type = type, .fill = fill, .context = context};
    void *tile = NULL, *made = NULL;
    halo_status status = HALO_OK;
    w.converts = halo_sample_types[array->type].stored != halo_sample_types[type].stored;
    bool in_place = !w.converts && array_rows_are_contiguous(array) && array->stride[0] >= 0;
    int64_t end = first + count, band = band_of(array);
    if (!in_place) {
        status = create_tile(array, array->type, band, &tile);
        HALO_IF_OK(status, w.converts ? create_tile(array, type, band, &made) : HALO_OK);
    }
    w.tile = tile;
    w.made = made;
    for (int64_t row = first, next; row < end && status == HALO_OK; row = next) {
        next = halo_min(row / band * band + band, end);
        const halo_box box = rows_of(array, row, next - row);
        status = in_place ? write_in_place(&w, &box) : write_tile(&w, &box);
        if (status == HALO_OK && array_call_watch(call, world, next - first, count)) {
            status = array_call_stop();
        }
    }
    halo_memory_free(tile);
    halo_memory_free(made);
    return status;
}
