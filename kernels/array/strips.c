#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/array/array_internal.h"

#include <inttypes.h>

/* A rank's rows of arrays, from the array to what computes on them and back. Rows that are not
 * contiguous go through a tile of a few rows. */

/* ---- tiles ----------------------------------------------------------------------------------- */

enum { MOST_ROWS = 32, TILE_BYTES = 1 << 20, DEEP_BYTES = 1 << 26 };

/* Rows of a tile of an array of 2 axes, or with colours: about a megabyte, but whole lines of the
 * cache along columns. */
static int64_t rows_at_once(int64_t row_bytes)
{
    const int64_t least = 8;
    return halo_max(least, halo_min(MOST_ROWS, TILE_BYTES / halo_max(1, row_bytes)));
}

/* Planes and rows of a tile of an array of 3 axes: some rows of a plane. Where columns along axis 0
 * are what is contiguous, a line of the cache has elements of many planes: then it has whole
 * planes, as many as there are in 64 megabytes. */
static void choose_tile(const halo_array *array, bool by_planes, int64_t *planes, int64_t *rows)
{
    int64_t row = halo_max(1, array->n[2] * array_element(array));
    *planes = by_planes ? halo_min(MOST_ROWS, DEEP_BYTES / row / halo_max(1, array->n[1])) : 1;
    *rows = array->n[1];
    if (*planes <= 1) {
        *planes = 1;
        *rows = halo_max(1, halo_min(*rows, halo_max(MOST_ROWS, TILE_BYTES / row)));
    }
}

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
    int64_t rows = rows_at_once(elements_of_row(array) * array_element(array));
    halo_status status =
        whole ? HALO_OK : create_rows(&tile, elements_of_row(array), rows, array_element(array));
    for (int64_t done = 0; done < count && status == HALO_OK; done += rows) {
        const halo_box box = rows_of(array, first + done, halo_min(rows, count - done));
        status = whole ? read_in_place(array, &box, take, context)
                       : read_tile(array, &box, tile, take, context);
        if (status == HALO_OK && array_call_watch(call, world, done + box.n[0], count)) {
            status = array_call_stop();
        }
    }
    halo_memory_free(tile);
    return status;
}

/* Columns along axis 0 are contiguous, and rows are not. */
static bool is_by_planes(const halo_array *array)
{
    return !is_contiguous(array) && array_column_axis(array) == 0;
}

halo_status array_reader_create(array_reader *reader, const halo_array *array)
{
    *reader = (array_reader){
        .array = *array, .contiguous = is_contiguous(array), .deep = array->n[0] > 1};
    reader->end = array->n[reader->deep ? 0 : 1];
    choose_tile(array, is_by_planes(array), &reader->planes, &reader->rows);
    return reader->contiguous ? HALO_OK
                              : create_rows(&reader->memory, array->n[2] * reader->rows,
                                            reader->planes, array_element(array));
}

/* Fills the tile from this row on. */
static void fill_tile(array_reader *reader, int64_t z, int64_t y)
{
    const halo_array *array = &reader->array;
    int64_t z_end = reader->deep ? reader->end : 1,
            y_end = reader->deep ? array->n[1] : reader->end;
    int64_t first = reader->planes > 1 ? 0 : y;
    reader->tile = (halo_box){.lo = {z, first},
                              .n = {halo_min(reader->planes, z_end - z),
                                    halo_min(reader->rows, y_end - first), array->n[2]}};
    halo_view view = view_tile(array, reader->memory);
    view.stride[0] = view.stride[1] * reader->tile.n[1];
    array_get_box(array, &reader->tile, &view);
}

const void *array_reader_row(array_reader *reader, int64_t z, int64_t y)
{
    const halo_array *array = &reader->array;
    if (reader->contiguous) {
        return array_at(array, z, y, 0);
    }
    const halo_box *tile = &reader->tile;
    if (z < tile->lo[0] || z >= tile->lo[0] + tile->n[0] || y < tile->lo[1] ||
        y >= tile->lo[1] + tile->n[1]) {
        fill_tile(reader, z, y);
    }
    int64_t row = (z - tile->lo[0]) * tile->n[1] + y - tile->lo[1];
    return (const char *)reader->memory + row * array_element(array) * array->n[2];
}

void array_reader_free(array_reader *reader)
{
    halo_memory_free(reader->memory);
    *reader = (array_reader){.memory = NULL};
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

/* All boxes of these planes. */
static halo_status map_planes(const mapping *m, array_call *call, const halo_world *world,
                              const halo_box *all, int64_t planes, int64_t rows)
{
    int64_t z_end = all->lo[0] + all->n[0], y_end = all->lo[1] + all->n[1];
    halo_box box = {.n = {0, 0, all->n[2]}};
    for (box.lo[0] = all->lo[0]; box.lo[0] < z_end; box.lo[0] += box.n[0]) {
        box.n[0] = halo_min(planes, z_end - box.lo[0]);
        for (box.lo[1] = all->lo[1]; box.lo[1] < y_end; box.lo[1] += box.n[1]) {
            box.n[1] = halo_min(rows, y_end - box.lo[1]);
            HALO_TRY(map_box(m, &box));
            int64_t done = (box.lo[0] - all->lo[0]) * all->n[1] +
                           box.n[0] * (box.lo[1] + box.n[1] - all->lo[1]);
            if (array_call_watch(call, world, done, all->n[0] * all->n[1])) {
                return array_call_stop();
            }
        }
    }
    return HALO_OK;
}

halo_status array_map_rows(array_call *call, const halo_world *world, const halo_array *in,
                           const halo_array *out, int64_t first, int64_t count, array_map_row *map,
                           void *context)
{
    mapping m = {.in = in, .out = out, .map = map, .context = context};
    int axis = in->n[0] > 1 ? 0 : 1;
    halo_box all = {.n = {in->n[0], in->n[1], in->n[2]}};
    int64_t planes, rows;
    all.lo[axis] = first;
    all.n[axis] = count;
    choose_tile(in, is_by_planes(in) || is_by_planes(out), &planes, &rows);
    halo_status status = is_contiguous(in) && is_contiguous(out)
                             ? HALO_OK
                             : create_rows(&m.tile, in->n[2] * rows, planes, array_element(in));
    HALO_IF_OK(status, map_planes(&m, call, world, &all, planes, rows));
    halo_memory_free(m.tile);
    return status;
}

halo_status array_read_strip(array_call *call, const halo_world *world, const halo_array *array,
                             int axes, const halo_box *own, array_take_line *take, void *context)
{
    array_reader reader;
    bool volume = axes == HALO_AXES;
    int64_t rows = volume ? array->n[1] : 1, all = own->n[0] * rows;
    halo_status status = array_reader_create(&reader, array);
    if (reader.deep == volume) { /* the strip is cut along what the reader counts */
        reader.end = own->lo[0] + own->n[0];
    }
    for (int64_t i = 0; i < all && status == HALO_OK; i++) {
        int64_t z = volume ? own->lo[0] + i / rows : 0, y = volume ? i % rows : own->lo[0] + i;
        status = take(context, i, array_reader_row(&reader, z, y));
        if (status == HALO_OK && array_call_watch(call, world, i + 1, all)) {
            status = array_call_stop();
        }
    }
    array_reader_free(&reader);
    return status;
}
