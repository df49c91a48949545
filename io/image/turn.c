#define _POSIX_C_SOURCE 200809L
#include "io/image/turn.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/exif.h"
#include "io/image/pixels.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the image that is shown, from those that are stored. A window of shown rows of one plane
 * is filled by one pass over the stored plane. */

/* A window keeps at least this many bytes of a plane, and at least a sixteenth of it; or the whole
 * plane, if that is less. */
static const int64_t WINDOW_BYTES = (int64_t)1 << 28;

enum { PASSES = 16, BAND_ROWS = 64, WORD_BITS = 64 };

typedef struct {
    halo_image_reader *stored;
    bool across;          /* columns of the file are rows */
    bool rows_reversed;   /* of the image that is shown: the first row is the file's last one */
    bool pixels_reversed; /* the first pixel of a row is the file's last one */
    int64_t room;         /* rows of a window; 0: rows are read one by one */
    unsigned char *window;
    int64_t first, rows; /* that it has */
    unsigned char *band; /* [BAND_ROWS] stored rows */
} turned_state;

/* ---- pixels ---------------------------------------------------------------------------------- */

static inline uint64_t bit_of(const uint64_t *row, int64_t x)
{
    return row[x / WORD_BITS] >> (x % WORD_BITS) & 1;
}

static void reverse_bits(uint64_t *row, int64_t width)
{
    for (int64_t x = 0, last = width - 1; x < last; x++, last--) {
        uint64_t differ = bit_of(row, x) ^ bit_of(row, last);
        row[x / WORD_BITS] ^= differ << (x % WORD_BITS);
        row[last / WORD_BITS] ^= differ << (last % WORD_BITS);
    }
}

static int pixel_bytes(const halo_image_reader *reader)
{
    enum { BYTE_BITS = 8 };
    return reader->info.pixel_bits / BYTE_BITS;
}

static void reverse_row(const halo_image_reader *reader, void *row)
{
    if (reader->info.pixel_bits == 1) {
        reverse_bits(row, reader->info.width);
    } else {
        halo_pixel_kinds[pixel_bytes(reader)].reverse(row, reader->info.width);
    }
}

/* ---- rows one by one ------------------------------------------------------------------------- */

static halo_status read_singly(halo_image_reader *reader, int64_t first, int64_t rows,
                               unsigned char *out, size_t pitch)
{
    const turned_state *state = reader->state;
    int64_t height = reader->info.height, before = state->stored->clear;
    if (!state->rows_reversed) {
        HALO_TRY(halo_image_reader_rows(state->stored, first, rows, out, pitch));
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i, plane = row / height;
        unsigned char *to = out + (size_t)i * pitch;
        if (state->rows_reversed) {
            int64_t from = plane * height + height - 1 - row % height;
            HALO_TRY(halo_image_reader_rows(state->stored, from, 1, to, pitch));
        }
        if (state->pixels_reversed) {
            reverse_row(reader, to);
        }
    }
    reader->clear += state->stored->clear - before;
    return HALO_OK;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Put `count` stored rows of the band, from row `row` of the plane, into columns of the window. */
static void place_across(halo_image_reader *reader, int64_t row, int64_t count, int64_t begin)
{
    const turned_state *state = reader->state;
    const halo_image_info *info = &reader->info;
    size_t pitch = halo_image_row_bytes(info),
           from_pitch = halo_image_row_bytes(&state->stored->info);
    int64_t x = state->pixels_reversed ? info->width - 1 - row : row;
    ptrdiff_t step = state->pixels_reversed ? -1 : 1;
    int bytes = pixel_bytes(reader);
    for (int64_t i = 0; i < state->rows; i++) {
        int64_t shown = begin + i, column = state->rows_reversed ? info->height - 1 - shown : shown;
        unsigned char *to = state->window + (size_t)i * pitch;
        if (info->pixel_bits > 1) {
            halo_pixel_kinds[bytes].column(state->band + column * bytes, from_pitch, count,
                                           to + x * bytes, step);
            continue;
        }
        uint64_t *words = (uint64_t *)(void *)to;
        for (int64_t k = 0; k < count; k++) {
            const void *from = state->band + (size_t)k * from_pitch;
            int64_t at = x + k * step;
            words[at / WORD_BITS] |= bit_of(from, column) << (at % WORD_BITS);
        }
    }
}

/* Put stored rows into the rows of a window that has a whole plane. */
static void place_rows(halo_image_reader *reader, int64_t row, int64_t count)
{
    const turned_state *state = reader->state;
    size_t pitch = halo_image_row_bytes(&reader->info);
    for (int64_t k = 0; k < count; k++) {
        int64_t shown = reader->info.height - 1 - row - k;
        unsigned char *to = state->window + (size_t)shown * pitch;
        memcpy(to, state->band + (size_t)k * pitch, pitch);
        if (state->pixels_reversed) {
            reverse_row(reader, to);
        }
    }
}

/* Rows from `row` on: up to the end of the plane, of the window's room, or of what will be asked
 * for. */
static void set_window(halo_image_reader *reader, int64_t row)
{
    turned_state *state = reader->state;
    int64_t height = reader->info.height, end = (row / height + 1) * height;
    bool known = reader->expected > row && state->stored->info.random_access;
    end = known ? halo_min(end, reader->expected) : end;
    state->first = row;
    state->rows = halo_min(state->room, end - row);
}

/* If this window has all that will be asked for, no other one will be larger. */
static halo_status reserve(halo_image_reader *reader)
{
    turned_state *state = reader->state;
    const halo_image_info *stored = &state->stored->info;
    if (state->window != NULL) {
        return HALO_OK;
    }
    state->room = state->first + state->rows == reader->expected ? state->rows : state->room;
    HALO_TRY(HALO_ALLOCATE_LARGE(state->window,
                                 (size_t)state->room * halo_image_row_bytes(&reader->info),
                                 "an image that is turned"));
    return HALO_ALLOCATE_LARGE(state->band, BAND_ROWS * halo_image_row_bytes(stored),
                               "rows of an image that is turned");
}

/* Pixels that are transparent are counted by the reader of the plane's first row. */
static halo_status fill_window(halo_image_reader *reader, int64_t row)
{
    turned_state *state = reader->state;
    const halo_image_info *stored = &state->stored->info;
    int64_t plane = row / reader->info.height, begin = row % reader->info.height;
    int64_t before = state->stored->clear;
    size_t pitch = halo_image_row_bytes(stored);
    set_window(reader, row);
    HALO_TRY(reserve(reader));
    if (reader->info.pixel_bits == 1) {
        memset(state->window, 0, (size_t)state->rows * halo_image_row_bytes(&reader->info));
    }
    for (int64_t at = 0; at < stored->height; at += BAND_ROWS) {
        int64_t count = halo_min(BAND_ROWS, stored->height - at);
        HALO_TRY(halo_image_reader_rows(state->stored, plane * stored->height + at, count,
                                        state->band, pitch));
        if (state->across) {
            place_across(reader, at, count, begin);
        } else {
            place_rows(reader, at, count);
        }
    }
    reader->clear += begin == 0 ? state->stored->clear - before : 0;
    return HALO_OK;
}

static halo_status read_windows(halo_image_reader *reader, int64_t first, int64_t rows,
                                unsigned char *out, size_t pitch)
{
    const turned_state *state = reader->state;
    size_t bytes = halo_image_row_bytes(&reader->info);
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        if (row < state->first || row >= state->first + state->rows) {
            HALO_TRY(fill_window(reader, row));
        }
        memcpy(out + (size_t)i * pitch, state->window + (size_t)(row - state->first) * bytes,
               bytes);
    }
    return HALO_OK;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static halo_status turned_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                               size_t pitch)
{
    const turned_state *state = reader->state;
    HALO_TRY(state->room > 0 ? read_windows(reader, first, rows, out, pitch)
                             : read_singly(reader, first, rows, out, pitch));
    halo_image_warn(reader, state->stored->warning);
    return HALO_OK;
}

static halo_status finish_turned(halo_image_reader *reader)
{
    const turned_state *state = reader->state;
    return halo_image_finish_inner(state->stored, reader->warning);
}

static void close_turned(halo_image_reader *reader)
{
    turned_state *state = reader->state;
    if (state != NULL) {
        halo_image_reader_close(&state->stored);
        halo_memory_free(state->window);
        halo_memory_free(state->band);
    }
    free(state);
}

static const halo_image_format turned_format = {
    .name = "turned", .rows = turned_rows, .finish = finish_turned, .close = close_turned};

const halo_image_reader *halo_image_stored(const halo_image_reader *reader)
{
    const turned_state *state = reader->state;
    return reader->format == &turned_format ? state->stored : reader;
}

/* Axis `to` of the image that is shown is axis `from` of the stored one, whose `count` samples may
 * be in reverse order. */
static void turn_axis(halo_image_geometry *shown, const halo_image_geometry *stored, int to,
                      int from, int64_t count, bool reversed)
{
    double length = reversed ? (double)(count - 1) * halo_geometry_spacing(stored, from) : 0;
    shown->spacing[to] = stored->spacing[from];
    for (int k = 0; k < 3; k++) {
        double direction = stored->direction[from][k];
        shown->origin[k] += length * direction;
        shown->direction[to][k] = reversed ? -direction : direction;
    }
}

static void turn_sizes(halo_image_info *info, const turned_state *state)
{
    const halo_image_info *stored = &state->stored->info;
    const int64_t sizes[] = {stored->width, stored->height};
    int x = state->across ? 1 : 0, y = 1 - x;
    info->width = sizes[x];
    info->height = sizes[y];
    info->rows = info->planes * info->height;
    turn_axis(&info->geometry, &stored->geometry, 0, x, sizes[x], state->pixels_reversed);
    turn_axis(&info->geometry, &stored->geometry, 1, y, sizes[y], state->rows_reversed);
    halo_geometry_check(&info->geometry, info->axes);
    info->geotiff.count = 0; /* its tags are those of the stored rows */
}

static void describe(halo_image_reader *reader)
{
    static const struct {
        bool rows_reversed, pixels_reversed;
    } ways[HALO_ORIENTATIONS + 1] = {
        [2] = {false, true}, [3] = {true, true}, [4] = {true, false}, [5] = {false, false},
        [6] = {false, true}, [7] = {true, true}, [8] = {true, false}};
    turned_state *state = reader->state;
    halo_image_info *info = &reader->info;
    *info = state->stored->info;
    info->orientation = state->stored->orientation;
    state->across = info->orientation >= HALO_ORIENTATION_ACROSS;
    state->rows_reversed = ways[info->orientation].rows_reversed;
    state->pixels_reversed = ways[info->orientation].pixels_reversed;
    turn_sizes(info, state);
    if (state->rows_reversed || state->across) {
        info->layers = 0;
    }
    if (!state->across && (!state->rows_reversed || info->random_access)) {
        return;
    }
    int64_t row = (int64_t)halo_image_row_bytes(info), plane = row * info->height;
    int64_t limit = reader->options.turned_bytes;
    int64_t most = limit > 0 ? limit : halo_max(WINDOW_BYTES, plane / PASSES);
    state->room =
        info->random_access ? halo_min(info->height, halo_max(1, most / row)) : info->height;
    info->turned = state->room * row;
    info->buffer += BAND_ROWS * (int64_t)halo_image_row_bytes(&state->stored->info);
    info->in_place = false;
}

halo_status halo_image_turn(halo_image_reader **reader)
{
    halo_image_reader *out = NULL;
    turned_state *state = NULL;
    halo_status status = HALO_ALLOCATE(out, 1, "a reader of images");
    HALO_TRY_OR(failed, status);
    status = HALO_ALLOCATE(state, 1, "a reader of images");
    HALO_TRY_OR(failed, status);
    out->path = strdup((*reader)->path);
    if (out->path == NULL) {
        HALO_TRY_OR(failed, halo_fail(HALO_MEMORY, "out of memory: the name of a file"));
    }
    out->file = -1;
    out->format = &turned_format;
    out->options = (*reader)->options;
    out->samples = (*reader)->samples;
    out->converted = out->conversion.same = true;
    out->state = state;
    state->stored = *reader;
    describe(out);
    *reader = out;
    return HALO_OK;
failed:
    free(state);
    free(out);
    halo_image_reader_close(reader);
    return status;
}
