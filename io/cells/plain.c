#include "io/cells/cells_internal.h"

#include <stdlib.h>
#include <string.h>

/* Plain text, a line a row: a dot for a dead cell, O or * for a live one, dead ones at the end of
 * a line left out at will, and lines of comment that begin with an exclamation mark. The format
 * has no place for a rule. */

static const char ALLOWED[] = "., O, * or the end of the line";

enum { DEAD = 1, LIVE = 3 };
static const uint8_t CLASSES[256] = {['.'] = DEAD, ['O'] = LIVE, ['*'] = LIVE};

/* Cells as far as they are at hand, from column `*x`; live ones are set in `row` if there is one.
 * False, and nothing done, if they reach beyond `limit`. */
static bool take_cells(halo_source *source, int64_t *x, uint64_t *row, int64_t limit)
{
    const unsigned char *next = source->at;
    while (next < source->end && CLASSES[*next] != 0) {
        next++;
    }
    int64_t n = next - source->at;
    if (n > limit - *x) {
        return false;
    }
    if (row != NULL) {
        for (int64_t i = 0; i < n; i++) {
            row[(*x + i) / 64] |= (uint64_t)(CLASSES[source->at[i]] >> 1) << ((*x + i) % 64);
        }
    }
    source->at = next;
    *x += n;
    return true;
}

/* The next line of cells; *length is how many it has, or -1 at the end of the text. */
static halo_status take_line(halo_cells_reader *reader, uint64_t *row, int64_t *length)
{
    halo_source *source = &reader->source;
    *length = -1;
    while (halo_source_next(source) == '!') {
        halo_cells_skip_line(source);
    }
    int byte = halo_source_next(source);
    if (byte < 0) {
        return source->status;
    }
    int64_t x = 0;
    for (; byte >= 0 && CLASSES[byte] != 0; byte = halo_source_next(source)) {
        if (!take_cells(source, &x, row,
                        row != NULL ? reader->info.width : HALO_CELLS_AXIS_LIMIT)) {
            return row != NULL ? halo_cells_fail_changed(reader)
                               : halo_cells_fail_at(source, "2^40 columns are allowed, no more");
        }
    }
    *length = x;
    return halo_cells_end_line(source, ALLOWED);
}

static halo_status open_plain(halo_cells_reader *reader)
{
    halo_cells_info *info = &reader->info;
    int64_t length = 0;
    for (int64_t row = 1;; row++) {
        HALO_TRY(take_line(reader, NULL, &length));
        if (length < 0) {
            return halo_source_rewind(&reader->source);
        }
        if (row > HALO_CELLS_AXIS_LIMIT) {
            return halo_cells_fail_at(&reader->source, "2^40 rows are allowed, no more");
        }
        info->width = length > info->width ? length : info->width;
        info->height = length > 0 ? row : info->height;
    }
}

static halo_status rows_plain(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    size_t bytes = halo_cells_row_bytes(reader->info.width, 1);
    for (int64_t i = 0; i < rows; i++) {
        void *row = (unsigned char *)out + (size_t)i * pitch;
        memset(row, 0, bytes);
        int64_t length = 0;
        HALO_TRY(take_line(reader, row, &length));
        if (length < 0) {
            return halo_cells_fail_changed(reader);
        }
    }
    return HALO_OK;
}

const halo_cells_kind halo_cells_plain = {.open = open_plain, .rows = rows_plain};
