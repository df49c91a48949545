#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/label/paint/paint.h"

#include <string.h>

/* Rows of the image are columns of a transposed strip. A tile of them is painted at a time, and
 * served from as often as its rows are asked for, which is mostly one after the other. */

enum { WORD = 64, TILE_PIXELS = 1 << 15, MAX_PIXEL = 8, NEAR_ROWS = 16 };

static int64_t rows_of_tile(const label_input *input)
{
    int64_t rows = TILE_PIXELS / input->rows / WORD * WORD;
    return halo_min(halo_max(rows, WORD), LABEL_TILE_COLUMNS);
}

/* Room for a tile, and behind it for the same pixels as the strip's rows. */
static halo_status ensure_tile(label_painter *painter, const label_input *input)
{
    size_t bytes = 2 * (size_t)(rows_of_tile(input) * input->rows) * MAX_PIXEL;
    if (painter->tile != NULL && painter->tile_bytes >= bytes && painter->cursor_run != NULL) {
        return HALO_OK;
    }
    halo_memory_free(painter->tile);
    halo_memory_free(painter->cursor_run);
    painter->cursor_run = NULL;
    painter->tile_begin = painter->tile_end = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(painter->tile, bytes, "rows of labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(painter->cursor_run, WORD, "rows of labels"));
    painter->tile_bytes = bytes;
    painter->cursor = -1;
    return HALO_OK;
}

/* Does a run reach from the column before `x`, a multiple of 64, to it? */
static bool goes_on(const label_row *row, int64_t x)
{
    uint64_t first = row->bits[x / WORD] & 1;
    return x > 0 && first != 0 &&
           (row->begins != NULL ? (row->begins[x / WORD] & 1) == 0
                                : row->bits[x / WORD - 1] >> (WORD - 1) != 0);
}

/* Counts the runs that begin from column `x` on, a multiple of 64, before column `end`. */
static int64_t runs_between(const label_strip *strip, const label_row *row, int64_t x, int64_t end)
{
    int64_t first = x / WORD, words = (end + WORD - 1) / WORD - first, runs = 0;
    if (row->begins == NULL) {
        return strip->ops->count_runs(row->bits + first, words) - goes_on(row, x);
    }
    for (int64_t i = 0; i < words; i++) {
        runs += __builtin_popcountll(row->begins[first + i]);
    }
    return runs;
}

/* The part of a strip's row from column `x` on, as if it were a row: it begins with a run where one
 * goes on. `begins` is room for that. The cursor goes to the end of the part. */
static label_row part_of(label_painter *painter, const label_strip *strip, int64_t y, int64_t x,
                         int64_t width, uint64_t *begins)
{
    label_row row = label_strip_row_of(strip, 0, y), part = row;
    int64_t *run = &painter->cursor_run[y];
    if (painter->cursor != x) {
        *run = runs_between(strip, &row, 0, x);
    }
    int entered = goes_on(&row, x);
    int64_t begun = runs_between(strip, &row, x, x + width);
    part.labels = row.labels + *run - entered;
    part.count = begun + entered;
    *run += begun;
    part.bits = part.runs = row.bits + x / WORD;
    if (row.begins != NULL) {
        memcpy(begins, row.begins + x / WORD, (size_t)((width + WORD - 1) / WORD) * sizeof *begins);
        begins[0] |= (uint64_t)entered;
        part.begins = begins;
    }
    return part;
}

/* Columns of the image become its rows, a few of which at a time stay in the cache. */
#define DEFINE_SPREAD(type)                                                                \
    static void spread_##type(const void *columns, int64_t count, int64_t rows, void *out) \
    {                                                                                      \
        const type *from = columns;                                                        \
        type *to = out;                                                                    \
        for (int64_t r = 0; r < rows; r += NEAR_ROWS) {                                    \
            int64_t end = halo_min(r + NEAR_ROWS, rows);                                   \
            for (int64_t c = 0; c < count; c++) {                                          \
                for (int64_t i = r; i < end; i++) {                                        \
                    to[i * count + c] = from[c * rows + i];                                \
                }                                                                          \
            }                                                                              \
        }                                                                                  \
    }
DEFINE_SPREAD(uint8_t)
DEFINE_SPREAD(uint16_t)
DEFINE_SPREAD(int32_t)
DEFINE_SPREAD(int64_t)
#undef DEFINE_SPREAD

typedef void spread(const void *columns, int64_t count, int64_t rows, void *out);

static spread *const spreads[] = {
#define SPREAD_ENTRY(code, type, help) [HALO_LABEL_##code] = spread_##type,
    HALO_LABEL_PAINT_LIST(SPREAD_ENTRY)
#undef SPREAD_ENTRY
};

/* Paints the tile that begins with row `first` of the image. */
static void paint_tile(label_painter *painter, const label_strip *strip, halo_label_paint as,
                       int64_t first, char *out)
{
    uint64_t begins[LABEL_TILE_COLUMNS / WORD];
    const label_input *input = &strip->input;
    const label_paint_format *format = label_paint_format_of(as);
    int64_t rows = halo_min(rows_of_tile(input), input->width - first);
    char *columns = painter->tile + painter->tile_bytes / 2;
    for (int64_t y = 0; y < input->rows; y++) {
        const label_row part = part_of(painter, strip, y, first, rows, begins);
        char *column = columns + (size_t)(y * rows) * format->bytes;
        label_painter_look_up(painter, strip, &part);
        format->row(painter, strip, &part, rows, input->rows == 1 ? out : column);
    }
    if (input->rows > 1) {
        spreads[as](columns, input->rows, rows, out);
    }
    painter->band = -1;
    painter->cursor = first + rows;
}

/* Copies `count` pixels from `pixel` on, in the raster order of the image. */
static void copy_pixels(label_painter *painter, const label_strip *strip, halo_label_paint as,
                        int64_t pixel, int64_t count, char *out)
{
    const label_input *input = &strip->input;
    size_t bytes = label_paint_format_of(as)->bytes;
    while (count > 0) {
        int64_t rows = rows_of_tile(input), first = pixel / input->rows / rows * rows;
        int64_t size = halo_min(rows, input->width - first) * input->rows;
        if (pixel == first * input->rows && count >= size) { /* all of it, and never again */
            paint_tile(painter, strip, as, first, out);
            out += (size_t)size * bytes;
            pixel += size;
            count -= size;
            continue;
        }
        if (painter->tile_as != as || pixel < painter->tile_begin || pixel >= painter->tile_end) {
            paint_tile(painter, strip, as, first, painter->tile);
            painter->tile_begin = first * input->rows;
            painter->tile_end = halo_min(first + rows, input->width) * input->rows;
            painter->tile_as = as;
        }
        int64_t now = halo_min(count, painter->tile_end - pixel);
        memcpy(out, painter->tile + (size_t)(pixel - painter->tile_begin) * bytes,
               (size_t)now * bytes);
        out += (size_t)now * bytes;
        pixel += now;
        count -= now;
    }
}

halo_status label_painter_transposed(label_painter *painter, const label_strip *strip,
                                     halo_label_paint as, int64_t first, int64_t rows, void *out,
                                     size_t pitch)
{
    const label_input *input = &strip->input;
    int64_t width = input->row_axis == 2 ? input->rows : 1; /* of the image */
    HALO_TRY(ensure_tile(painter, input));
    if (pitch == (size_t)width * label_paint_format_of(as)->bytes) {
        copy_pixels(painter, strip, as, first * width, rows * width, out);
        return HALO_OK;
    }
    for (int64_t i = 0; i < rows; i++) {
        copy_pixels(painter, strip, as, (first + i) * width, width,
                    (char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}
