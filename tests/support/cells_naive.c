#include "support/cells_naive.h"

#include "support/images.h"
#include "support/need.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static grid grid_make(int64_t width, int64_t height, int states)
{
    size_t cells = (size_t)(width * height);
    return (grid){width, height, states, need_zeroed(cells, 1)};
}

grid grid_random(uint64_t *state, int64_t width, int64_t height, int states)
{
    grid made = grid_make(width, height, states);
    int64_t kind = random_below(state, 10);
    int64_t sparse = kind == 0 ? INT64_MAX : kind == 1 ? 1 : 1 + random_below(state, 20);
    bool runs = random_below(state, 3) == 0;
    for (int64_t y = 0; y < height; y++) {
        bool empty = random_below(state, 4) == 0 && kind != 1;
        for (int64_t x = 0; x < width && !empty; x++) {
            uint8_t *cell = &made.cells[y * width + x];
            if (runs && x > 0 && random_below(state, 40) != 0) {
                *cell = cell[-1];
            } else if (random_below(state, sparse) == 0) {
                *cell = (uint8_t)(1 + random_below(state, states - 1));
            }
        }
    }
    return made;
}

grid grid_cut(const grid *from, int64_t x, int64_t y, int64_t columns, int64_t rows)
{
    grid made = grid_make(columns, rows, from->states);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            if (y + i < from->height && x + j < from->width) {
                made.cells[i * columns + j] = from->cells[(y + i) * from->width + x + j];
            }
        }
    }
    return made;
}

grid grid_crop(const grid *from, int64_t *x, int64_t *y)
{
    int64_t left = from->width, right = 0, top = from->height, bottom = 0;
    for (int64_t i = 0; i < from->height; i++) {
        for (int64_t j = 0; j < from->width; j++) {
            if (from->cells[i * from->width + j] != 0) {
                left = j < left ? j : left;
                right = j + 1 > right ? j + 1 : right;
                top = i < top ? i : top;
                bottom = i + 1;
            }
        }
    }
    bool any = right > 0;
    *x = any ? left : 0;
    *y = any ? top : 0;
    return any ? grid_cut(from, left, top, right - left, bottom - top)
               : grid_make(0, 0, from->states);
}

void grid_free(grid *made)
{
    free(made->cells);
    *made = (grid){0};
}

bool grid_same(const grid *one, const grid *other)
{
    return one->width == other->width && one->height == other->height &&
           memcmp(one->cells, other->cells, (size_t)(one->width * one->height)) == 0;
}

void *grid_rows(const grid *from, int cell_bits, size_t pitch)
{
    unsigned char *rows = need_zeroed((size_t)from->height * pitch + 8, 1);
    for (int64_t y = 0; y < from->height; y++) {
        uint64_t *words = (uint64_t *)(void *)(rows + (size_t)y * pitch);
        for (int64_t x = 0; x < from->width; x++) {
            uint8_t state = from->cells[y * from->width + x];
            if (cell_bits == 8) {
                rows[(size_t)y * pitch + (size_t)x] = state;
            } else if (state != 0) {
                words[x / 64] |= (uint64_t)1 << (x % 64);
            }
        }
    }
    return rows;
}

/* Also that nothing is set past the width of 1-bit rows. */
static bool take_row(const unsigned char *row, const halo_cells_info *info, uint8_t *cells)
{
    const uint64_t *words = (const uint64_t *)(const void *)row;
    for (int64_t x = 0; x < info->width; x++) {
        cells[x] = (uint8_t)(info->cell_bits == 8 ? row[x] : words[x / 64] >> (x % 64) & 1);
    }
    bool beyond = info->cell_bits == 1 && info->width % 64 != 0 &&
                  words[info->width / 64] >> (info->width % 64) != 0;
    return !beyond;
}

halo_status grid_read(halo_cells_reader *reader, uint64_t *state, grid *out)
{
    const halo_cells_info *info = halo_cells_reader_info(reader);
    *out = grid_make(info->width, info->height, info->states);
    size_t unit = info->cell_bits == 1 ? 8 : 1;
    size_t pitch =
        halo_cells_row_bytes(info->width, info->cell_bits) + unit * (size_t)random_below(state, 3);
    for (int64_t y = 0; y < info->height;) {
        int64_t rows = 1 + random_below(state, 9);
        rows = rows < info->height - y ? rows : info->height - y;
        /* Neither zeroed nor longer than it has to be, so that a sanitizer sees what is missed. */
        unsigned char *band = need(malloc((size_t)rows * pitch + 1));
        memset(band, 0xa5, (size_t)rows * pitch);
        halo_status status = halo_cells_reader_rows(reader, rows, band, pitch);
        for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
            if (!take_row(band + (size_t)i * pitch, info, out->cells + (y + i) * info->width)) {
                status = halo_fail(HALO_FORMAT, "bits are set past the width");
            }
        }
        free(band);
        HALO_TRY(status);
        y += rows;
    }
    return halo_cells_reader_finish(reader);
}

void text_add(halo_buffer *out, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text || halo_buffer_append(out, text, (size_t)length) != HALO_OK) {
        need(NULL);
    }
}

static const char *line_end(uint64_t *state)
{
    return random_below(state, 3) == 0 ? "\r\n" : "\n";
}

static void add_gap(halo_buffer *out, uint64_t *state)
{
    if (random_below(state, 12) == 0) {
        text_add(out, "%s", random_below(state, 2) == 0 ? line_end(state) : " ");
    } else if (random_below(state, 100) == 0) {
        text_add(out, "%s# 3bo$ is a remark here%s", line_end(state), line_end(state));
    }
}

static void add_item(halo_buffer *out, int64_t count, const char *tag, uint64_t *state)
{
    while (count > 0) {
        int64_t part = random_below(state, 5) == 0 ? 1 + random_below(state, count) : count;
        add_gap(out, state);
        if (part > 1 || random_below(state, 20) == 0) {
            text_add(out, random_below(state, 50) == 0 ? "0%lld" : "%lld", (long long)part);
            if (random_below(state, 30) == 0) {
                text_add(out, "%s", random_below(state, 2) == 0 ? "\n" : " \t");
            }
        }
        text_add(out, "%s", tag);
        count -= part;
    }
}

static void name_state(int cell, bool letters, char tag[3])
{
    const char *plain = cell == 0 ? (letters ? "." : "b") : cell == 1 && !letters ? "o" : NULL;
    if (plain != NULL) {
        snprintf(tag, 3, "%s", plain);
    } else if (cell <= 24) {
        snprintf(tag, 3, "%c", 'A' + cell - 1);
    } else {
        snprintf(tag, 3, "%c%c", 'p' + (cell - 25) / 24, 'A' + (cell - 25) % 24);
    }
}

void naive_write_rle(halo_buffer *out, const grid *from, uint64_t *state)
{
    for (int64_t y = 0; y < from->height; y++) {
        const uint8_t *row = from->cells + y * from->width;
        int64_t width = from->width;
        while (width > 0 && row[width - 1] == 0 && random_below(state, 30) != 0) {
            width--;
        }
        for (int64_t x = 0; x < width;) {
            int64_t start = x;
            while (x < width && row[x] == row[start]) {
                x++;
            }
            char tag[3];
            name_state(row[start], random_below(state, 2) == 0, tag);
            add_item(out, x - start, tag, state);
        }
        add_item(out, 1, "$", state);
    }
    if (random_below(state, 4) != 0) {
        text_add(out, "!%s", random_below(state, 2) == 0 ? " anything 12 ~ \x01\n#$%\n" : "");
    }
}

void naive_write_cells(halo_buffer *out, const grid *from, uint64_t *state)
{
    const char *live = random_below(state, 2) == 0 ? "O" : "*";
    text_add(out, "!Name: a pattern%s!%s", line_end(state), line_end(state));
    for (int64_t y = 0; y < from->height; y++) {
        const uint8_t *row = from->cells + y * from->width;
        int64_t width = from->width;
        /* The first row tells the width, the last one the height. */
        while (y > 0 && y < from->height - 1 && width > 0 && row[width - 1] == 0) {
            width--;
        }
        for (int64_t x = 0; x < width; x++) {
            text_add(out, "%s", row[x] != 0 ? live : ".");
        }
        text_add(out, "%s", line_end(state));
        if (random_below(state, 9) == 0) {
            text_add(out, "!..OO%s", line_end(state));
        }
    }
}

void naive_write_life105(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state)
{
    text_add(out, "#Life 1.05%s#D a remark%s#R 23/3%s", line_end(state), line_end(state),
             line_end(state));
    /* Blocks of some columns and rows, from the last to the first, each twice at random. */
    int64_t columns = 1 + random_below(state, 90), rows = 1 + random_below(state, 30);
    for (int64_t top = (from->height - 1) / rows * rows; top >= 0; top -= rows) {
        for (int64_t left = 0; left < from->width; left += columns) {
            for (int64_t copies = 1 + random_below(state, 2); copies > 0; copies--) {
                text_add(out, "#P %lld %lld%s", (long long)(x + left), (long long)(y + top),
                         line_end(state));
                for (int64_t i = top; i < top + rows && i < from->height; i++) {
                    for (int64_t j = left; j < left + columns && j < from->width; j++) {
                        text_add(out, "%c", from->cells[i * from->width + j] != 0 ? '*' : '.');
                    }
                    text_add(out, "%s", line_end(state));
                }
            }
        }
    }
}

void naive_write_life106(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state)
{
    text_add(out, "#Life 1.06%s", line_end(state));
    /* From the right to the left: not in the order of rows. */
    for (int64_t j = from->width - 1; j >= 0; j--) {
        for (int64_t i = 0; i < from->height; i++) {
            if (from->cells[i * from->width + j] != 0) {
                text_add(out, "%lld %lld%s", (long long)(x + j), (long long)(y + i),
                         line_end(state));
            }
        }
    }
}
