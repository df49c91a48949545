#include "io/image/columns.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/read_at.h"
#include "io/image/pixels.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So much of an image is kept at least, if it has as much, and a sixteenth of it at least. */
static const int64_t WINDOW_BYTES = (int64_t)1 << 28, PASSES = 16;

/* COLUMNS columns are copied together, so that whole cache lines of a row are written. Gaps of up
 * to GAP bytes between the samples that are needed are read, too. */
enum { COLUMNS = 64, GAP = 1 << 14 };
static const int64_t BLOCK_BYTES = (int64_t)1 << 22;

struct halo_columns {
    int64_t offset;                     /* of the first sample of the part */
    int64_t plane, row, column, sample; /* bytes from one to the next */
    int64_t bytes, channels;            /* of a sample; samples of a pixel */
    size_t row_bytes;                   /* of a row of the window: samples as in the file */
    int64_t room;                       /* rows of a window */
    int64_t first, rows;                /* that it has */
    unsigned char *window, *block;
};

/* A piece of the file: planes, rows of each and columns. */
typedef struct {
    int64_t plane, planes, row, rows, column, columns;
} piece;

/* ---- reading --------------------------------------------------------------------------------- */

static halo_status read_at(const halo_image_reader *reader, int64_t at, unsigned char *out,
                           int64_t bytes)
{
    int64_t got = halo_read_at(reader->file, out, (size_t)bytes, at);
    if (got < 0) {
        return halo_fail(HALO_FILE, "%s: cannot be read: %s", reader->path, strerror(errno));
    }
    return got == bytes ? HALO_OK : halo_image_fail_ended(reader, 0);
}

/* Bytes from the first sample of a column's piece to behind its last one. */
static int64_t span_of(const halo_columns *c, const piece *p)
{
    return (p->rows - 1) * c->row + (p->planes - 1) * c->plane + c->bytes;
}

/* Reads the piece's columns of sample `sample` of the pixels; returns the bytes from one column to
 * the next in the block. */
static halo_status read_block(const halo_columns *c, const halo_image_reader *reader,
                              const piece *p, int64_t sample, int64_t *pitch)
{
    int64_t span = span_of(c, p);
    int64_t at = c->offset + sample * c->sample + p->column * c->column + p->row * c->row +
                 p->plane * c->plane;
    bool together = c->column - span <= GAP && p->columns * c->column <= BLOCK_BYTES;
    *pitch = together ? c->column : span;
    if (together) {
        return read_at(reader, at, c->block, (p->columns - 1) * c->column + span);
    }
    for (int64_t i = 0; i < p->columns; i++) {
        HALO_TRY(read_at(reader, at + i * c->column, c->block + i * span, span));
    }
    return HALO_OK;
}

static void place_block(const halo_columns *c, int64_t height, const piece *p, int64_t sample,
                        int64_t pitch)
{
    int64_t pixel = p->column * c->channels + sample;
    for (int64_t z = 0; z < p->planes; z++) {
        for (int64_t y = 0; y < p->rows; y++) {
            int64_t row = (p->plane + z) * height + p->row + y - c->first;
            if (row >= 0 && row < c->rows) {
                halo_pixel_kinds[c->bytes].column(
                    c->block + z * c->plane + y * c->row, (size_t)pitch, p->columns,
                    c->window + (size_t)row * c->row_bytes + pixel * c->bytes, c->channels);
            }
        }
    }
}

/* All columns of some rows, `p->columns` at a time. */
static halo_status read_columns(const halo_columns *c, const halo_image_reader *reader, piece p)
{
    const int64_t width = reader->info.width, step = p.columns;
    for (int64_t sample = 0; sample < c->channels; sample++) {
        for (p.column = 0; p.column < width; p.column += step) {
            int64_t pitch;
            p.columns = halo_min(step, width - p.column);
            HALO_TRY(read_block(c, reader, &p, sample, &pitch));
            place_block(c, reader->info.height, &p, sample, pitch);
        }
    }
    return HALO_OK;
}

/* The rows and planes that a block has room for. */
static halo_status fill_window(halo_columns *c, halo_image_reader *reader, int64_t row)
{
    const halo_image_info *info = &reader->info;
    const int64_t most = BLOCK_BYTES / COLUMNS;
    bool known = reader->expected > row && info->random_access;
    int64_t end = halo_min(row + c->room, known ? reader->expected : info->rows);
    c->first = row;
    c->rows = end - row;
    int64_t plane = row / info->height, planes = (end - 1) / info->height + 1;
    bool single = planes - plane == 1;
    int64_t from = single ? row % info->height : 0;
    int64_t to = single ? (end - 1) % info->height + 1 : info->height;
    int64_t deep = c->plane > 0 ? halo_max(1, most / c->plane) : planes;
    for (piece p = {.plane = plane}; p.plane < planes; p.plane += deep) {
        p.planes = halo_min(deep, planes - p.plane);
        int64_t span = (p.planes - 1) * c->plane + c->bytes;
        bool far = c->row - span > GAP;
        int64_t high = far ? 1 : halo_max(1, (most - span) / c->row + 1);
        for (p.row = from; p.row < to; p.row += high) {
            p.rows = halo_min(high, to - p.row);
            p.columns = COLUMNS;
            HALO_TRY(read_columns(c, reader, p));
        }
    }
    return HALO_OK;
}

halo_status halo_columns_rows(halo_columns *columns, halo_image_reader *reader, int64_t first,
                              int64_t rows, void *out, size_t pitch)
{
    halo_columns *c = columns;
    if (c->window == NULL) {
        bool known = reader->expected > first && reader->info.random_access;
        c->room = known ? halo_min(c->room, reader->expected - first) : c->room;
        HALO_TRY(HALO_ALLOCATE_LARGE(c->window, (size_t)c->room * c->row_bytes,
                                     "an array that is stored by columns"));
        HALO_TRY(HALO_ALLOCATE_LARGE(c->block, (size_t)BLOCK_BYTES, "columns of an array"));
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        if (row < c->first || row >= c->first + c->rows) {
            HALO_TRY(fill_window(c, reader, row));
        }
        halo_image_unpack_row(&reader->layout, c->window + (size_t)(row - c->first) * c->row_bytes,
                              (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* ---- setting up ------------------------------------------------------------------------------ */

static int64_t stride_of(const int64_t *strides, int axis)
{
    return axis >= 0 ? strides[axis] : 0;
}

static void set_info(halo_columns *c, halo_image_reader *reader)
{
    halo_image_info *info = &reader->info;
    int64_t row = (int64_t)c->row_bytes, limit = reader->options.turned_bytes;
    int64_t most = limit > 0 ? limit : halo_max(WINDOW_BYTES, info->rows * row / PASSES);
    c->room = halo_min(info->rows, halo_max(1, most / row));
    info->turned = c->room * row;
    info->buffer += BLOCK_BYTES;
    info->in_place = false;
    strcpy(info->decoder, "columns in place");
}

static halo_status set_up(halo_columns *c, halo_image_reader *reader, const halo_image_axes *axes,
                          const halo_image_part *part, size_t bytes, int64_t offset)
{
    int64_t strides[HALO_IMAGE_MAX_AXES], last = axes->count - 1;
    HALO_TRY(halo_image_set_size(reader, halo_image_part_size(axes, part, 0, 0),
                                 halo_image_part_size(axes, part, 1, 1),
                                 axes->axis[part->space[2]].size));
    if (!halo_image_find_strides(axes, bytes, true, strides)) {
        return halo_image_fail_sizes(reader);
    }
    c->offset = offset;
    for (int i = 0; i < axes->count; i++) {
        c->offset += i != part->samples ? part->at[i] * strides[i] : 0;
    }
    c->bytes = (int64_t)bytes;
    c->channels = reader->samples.channels;
    c->plane = stride_of(strides, part->space[0]);
    c->row = part->space[1] >= 0 ? strides[part->space[1]] : c->bytes;
    c->column = strides[part->space[2]];
    c->sample = stride_of(strides, part->samples);
    reader->layout.row_samples = reader->info.width * c->channels;
    c->row_bytes = (size_t)reader->layout.row_samples * bytes;
    if (reader->file < 0) {
        HALO_TRY(halo_image_make_seekable(reader));
    }
    int64_t whole = strides[last] * axes->axis[last].size;
    return reader->data_bytes - offset < whole ? halo_image_fail_ended(reader, 0) : HALO_OK;
}

halo_status halo_columns_create(halo_columns **out, halo_image_reader *reader,
                                const halo_image_axes *axes, const halo_image_part *part,
                                size_t bytes, int64_t offset)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a reader of columns"));
    HALO_TRY(set_up(*out, reader, axes, part, bytes, offset));
    set_info(*out, reader);
    return HALO_OK;
}

void halo_columns_destroy(halo_columns **columns)
{
    if (*columns != NULL) {
        halo_memory_free((*columns)->window);
        halo_memory_free((*columns)->block);
    }
    free(*columns);
    *columns = NULL;
}
