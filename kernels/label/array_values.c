#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/label/label_array_internal.h"

#include <stdlib.h>

/* Values of an array that a labelling compares. Where its rows are not contiguous they are copied
 * by tiles, of which there are as many as the labelling reads in turn: those of a plane and of the
 * rows straight before it. Where that would be most of the array, as of a few long rows, pieces of
 * two rows are copied each time they are read. */

enum { WORD = 64, HANDS = 2 };

/* Columns `x` to `end - 1` of a row, copied. */
typedef struct {
    int64_t row, x, end;
    char *values;
} value_piece;

struct label_array_reader {
    label_value_source source;
    halo_array array; /* the box, in 3 axes */
    /* Tiles of some rows of some planes, each in slot `tile` % slots, or in the slot behind these
     * where that one has the row that was read last. */
    int64_t planes, rows; /* of a tile */
    int64_t across;       /* tiles that have all rows of its planes */
    int64_t slots;
    int64_t last;  /* the slot that was read last */
    int64_t *held; /* [slots + 1] the tile in each slot, or -1 */
    char *tiles;   /* [slots + 1] */
    /* Pieces: */
    value_piece piece[HANDS];
    const halo_world *world; /* which watches */
    int64_t since;           /* elements that were copied since it looked */
    halo_status status;
};

/* ---- tiles ----------------------------------------------------------------------------------- */

static int64_t tile_bytes(const label_array_reader *reader)
{
    return reader->planes * reader->rows * reader->array.n[2] * array_element(&reader->array);
}

/* The axis along which elements lie closest to each other. */
static int closest_axis(const halo_array *array)
{
    int closest = HALO_AXES - 1;
    for (int axis = HALO_AXES - 2; axis >= 0; axis--) {
        bool longer = array->n[axis] > 1 || array->n[closest] <= 1;
        if (longer && llabs(array->stride[axis]) < llabs(array->stride[closest])) {
            closest = axis;
        }
    }
    return closest;
}

/* A line of the cache has elements of several planes, or rows, if these are closest: then a tile
 * has as many. A quarter of the planes at most, and an eighth of the rows of a single one, so that
 * tiles are few. */
static void choose_tiles(label_array_reader *reader)
{
    enum { LINE = 64, MOST = 16, MOST_ROWS = 32, TILE = 1 << 18, QUARTER = 4, EIGHTH = 8 };
    const halo_array *array = &reader->array;
    int closest = closest_axis(array);
    int64_t step = halo_max(1, llabs(array->stride[closest]));
    int64_t in_line = halo_max(1, halo_min(MOST, LINE / step));
    int64_t row = halo_max(1, array->n[2] * array_element(array));
    reader->planes = closest == 0 ? halo_max(1, halo_min(in_line, array->n[0] / QUARTER)) : 1;
    int64_t least = closest == 1 ? in_line : 1;
    int64_t rows = halo_max(least, halo_min(MOST_ROWS, TILE / row / reader->planes));
    int64_t most = array->n[1] / (array->n[0] > 1 ? QUARTER : EIGHTH);
    reader->rows = halo_max(1, halo_min(rows, most));
    reader->across = (array->n[1] + reader->rows - 1) / reader->rows;
    int64_t live = array->n[0] <= 1     ? 2
                   : reader->planes > 1 ? 2 * reader->across
                                        : reader->across + 2;
    int64_t all = (array->n[0] + reader->planes - 1) / reader->planes * reader->across;
    reader->slots = halo_min(live, all);
}

/* Copies by pieces of rows, of planes before rows, so that lines of the cache which are shared by
 * planes or rows are still there: half the time of copying along such a line. */
static void fill_tile(label_array_reader *reader, int64_t tile, char *to)
{
    enum { COLUMNS = 256 };
    const halo_array *array = &reader->array;
    ptrdiff_t size = array_element(array);
    int64_t z = tile / reader->across * reader->planes, y = tile % reader->across * reader->rows;
    int64_t planes = halo_min(reader->planes, array->n[0] - z);
    int64_t rows = halo_min(reader->rows, array->n[1] - y);
    for (int64_t x = 0; x < array->n[2]; x += COLUMNS) {
        int64_t count = halo_min(COLUMNS, array->n[2] - x);
        for (int64_t i = 0; i < planes * rows; i++) {
            int64_t plane = i % planes, row = i / planes;
            array_get(array, z + plane, y + row, x, count,
                      to + ((plane * reader->rows + row) * array->n[2] + x) * size);
        }
    }
}

/* The slot of a tile, which is read if it is in none. */
static int64_t find_slot(label_array_reader *reader, int64_t tile)
{
    int64_t slot = tile % reader->slots;
    if (reader->held[slot] == tile) {
        return slot;
    }
    if (reader->held[reader->slots] == tile) {
        return reader->slots;
    }
    slot = slot == reader->last ? reader->slots : slot;
    fill_tile(reader, tile, reader->tiles + slot * tile_bytes(reader));
    reader->held[slot] = tile;
    return slot;
}

/* Reads whole rows: see label_value_source. */
static const void *read_tiles(void *context, int64_t r, int64_t x, int64_t count, int hand)
{
    (void)count, (void)hand;
    label_array_reader *reader = context;
    const halo_array *array = &reader->array;
    int64_t z = r / array->n[1], y = r % array->n[1];
    int64_t tile = z / reader->planes * reader->across + y / reader->rows;
    reader->last = find_slot(reader, tile);
    int64_t row = z % reader->planes * reader->rows + y % reader->rows;
    return reader->tiles + reader->last * tile_bytes(reader) +
           (row * array->n[2] + x) * array_element(array);
}

static halo_status create_tiles(label_array_reader *reader)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(reader->held, reader->slots + 1, "tiles of values"));
    for (int64_t i = 0; i <= reader->slots; i++) {
        reader->held[i] = -1;
    }
    reader->last = -1;
    reader->source = (label_value_source){read_tiles, reader, reader->array.n[2]};
    return HALO_ALLOCATE_LARGE(reader->tiles, (reader->slots + 1) * tile_bytes(reader),
                               "rows of values");
}

/* ---- pieces ---------------------------------------------------------------------------------- */

enum { PIECE = 1 << 14, ROOM = PIECE + 1 };

_Static_assert(PIECE % WORD == 0, "pieces begin at words of bits");

/* Reads pieces of rows. Once the work is cancelled nobody needs them any more. */
static const void *read_piece(void *context, int64_t r, int64_t x, int64_t count, int hand)
{
    label_array_reader *reader = context;
    const halo_array *array = &reader->array;
    value_piece *piece = &reader->piece[hand];
    if (piece->row != r || x < piece->x || x + count > piece->end) {
        *piece = (value_piece){r, x, halo_min(array->n[2], x + ROOM), piece->values};
        if (reader->status == HALO_OK) {
            int64_t z = r / array->n[1], y = r % array->n[1];
            array_get(array, z, y, x, piece->end - x, piece->values);
            reader->status = halo_watch_piece(reader->world, &reader->since, piece->end - x);
        }
    }
    return piece->values + (x - piece->x) * array_element(array);
}

static halo_status create_pieces(label_array_reader *reader)
{
    reader->source = (label_value_source){read_piece, reader, PIECE};
    for (int hand = 0; hand < HANDS; hand++) {
        reader->piece[hand].row = -1;
        HALO_TRY(HALO_ALLOCATE_LARGE(reader->piece[hand].values,
                                     ROOM * array_element(&reader->array), "pieces of rows"));
    }
    return HALO_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static halo_status create_reader(label_array_reader **out, const halo_world *world,
                                 const halo_array *image, const halo_box *box)
{
    enum { SMALL = 1 << 20 }; /* bytes that are not many, even if they are all */
    label_array_reader *reader;
    HALO_TRY(HALO_ALLOCATE(reader, 1, "a reader of values"));
    *out = reader;
    reader->world = world;
    reader->array = *image;
    for (int axis = 0; axis < image->axes; axis++) {
        reader->array.n[axis] = box->n[axis];
        reader->array.data = (char *)reader->array.data + box->lo[axis] * image->stride[axis];
    }
    reader->array = array_with_axes(&reader->array, HALO_AXES);
    choose_tiles(reader);
    int64_t all = array_cells(&reader->array) * array_element(image);
    int64_t tiles = (reader->slots + 1) * tile_bytes(reader);
    return tiles > all / 2 && all > SMALL ? create_pieces(reader) : create_tiles(reader);
}

halo_status label_array_values_take(label_array_values *values, const halo_world *world,
                                    const halo_array *image, const halo_box *box)
{
    enum { BYTE = 8 };
    *values = (label_array_values){.view = {.origin = image->data,
                                            .owned = *box,
                                            .axes = image->axes,
                                            .cell_bits = (int)array_element(image) * BYTE}};
    for (int axis = 0; axis < image->axes; axis++) {
        values->view.stride[axis] = image->stride[axis];
        values->view.origin = (char *)values->view.origin + box->lo[axis] * image->stride[axis];
    }
    if (array_rows_are_contiguous(image)) {
        values->view.stride[image->axes - 1] = array_element(image);
        return HALO_OK;
    }
    halo_status status =
        halo_box_cells(box) > 0 ? create_reader(&values->reader, world, image, box) : HALO_OK;
    values->source = values->reader != NULL ? &values->reader->source : NULL;
    return status;
}

halo_status label_array_values_status(const label_array_values *values)
{
    return values->reader != NULL ? values->reader->status : HALO_OK;
}

void label_array_values_free(label_array_values *values)
{
    label_array_reader *reader = values->reader;
    if (reader != NULL) {
        for (int hand = 0; hand < HANDS; hand++) {
            halo_memory_free(reader->piece[hand].values);
        }
        halo_memory_free(reader->tiles);
        halo_memory_free(reader->held);
        free(reader);
    }
    *values = (label_array_values){.reader = NULL};
}
