#include "io/cells/cells_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Run-length encoded patterns. A first pass checks the text and finds out what size it needs, a
 * second one hands out rows. As in Golly, a comment may also stand in a line of its own among the
 * cells, and the `!` at their end may be missing. */

static const char ALLOWED[] = "a count, b, o, a state from . and A to yO, $ or !";
static const char ALLOWED_TAG[] = "b, o, a state from . and A to yO, $ or !";

/* A count belongs to a cell's state, or to one of these tags. */
enum { TAG_END_ROW = -1, TAG_END = -2 };

/* Blanks, line feeds, and lines with a comment; false if there are none. */
static bool skip_space(halo_source *source)
{
    for (bool any = false;; any = true) {
        int byte = halo_source_next(source);
        if (halo_cells_is_blank(byte)) {
            source->at++;
        } else if (byte == '\n') {
            halo_source_end_line(source);
        } else if (byte == '#' &&
                   source->line_start == source->before + source->at - source->bytes) {
            halo_cells_skip_line(source);
        } else {
            return any;
        }
    }
}

/* 1 if there is none. */
static halo_status take_count(halo_source *source, int64_t *count, bool *counted)
{
    *count = 1;
    *counted = false;
    int byte = halo_source_next(source);
    if (byte < '0' || byte > '9') {
        return HALO_OK;
    }
    *counted = true;
    HALO_TRY(halo_cells_take_number(source, "a count", false, HALO_CELLS_AXIS_LIMIT, count));
    if (*count == 0) {
        return halo_cells_fail_at(source, "a count is 0 here; counts are 1 or more");
    }
    skip_space(source);
    return HALO_OK;
}

/* A prefix p to y and a letter A to X count on from 25; the letter is left to be taken. As in
 * Golly, such a prefix alone is a live cell, since some programs write x for it; then *taken. */
static halo_status find_far_state(halo_source *source, int prefix, int *state, bool *taken)
{
    source->at++;
    int byte = halo_source_next(source);
    *taken = byte < 'A' || byte > 'X';
    *state = *taken ? 1 : 24 * (prefix - 'p' + 1) + (byte - 'A' + 1);
    return *state <= 255 ? HALO_OK : halo_cells_fail_here(source, "a letter from A to O");
}

/* A state, TAG_END_ROW or TAG_END. Its last byte is left to be taken, or *taken. A count before the
 * end of the pattern has no meaning; some programs write one. */
static halo_status find_tag(halo_source *source, bool counted, int *tag, bool *taken)
{
    int byte = halo_source_next(source);
    if (byte >= 'p' && byte <= 'y') {
        return find_far_state(source, byte, tag, taken);
    }
    if (byte == 'b' || byte == '.') {
        *tag = 0;
    } else if (byte == 'o') {
        *tag = 1;
    } else if (byte == '$') {
        *tag = TAG_END_ROW;
    } else if (byte == '!') {
        *tag = TAG_END;
    } else if (byte >= 'A' && byte <= 'X') {
        *tag = byte - 'A' + 1;
    } else {
        return halo_cells_fail_here(source, counted ? ALLOWED_TAG : ALLOWED);
    }
    return HALO_OK;
}

static halo_status end_rows(halo_source *source, halo_cells_rle_state *rle, int64_t count)
{
    if (count > HALO_CELLS_AXIS_LIMIT - rle->y) {
        return halo_cells_fail_at(
            source, "row %" PRId64 " + %" PRId64 " is out of range: 2^40 rows are allowed", rle->y,
            count);
    }
    rle->y += count;
    rle->x = 0;
    return HALO_OK;
}

/* A run of one state. The second pass writes it down, if it still is what the first has seen. */
static halo_status put_run(halo_cells_reader *reader, int64_t count, int state, void *row)
{
    halo_cells_rle_state *rle = reader->state;
    if (count > HALO_CELLS_AXIS_LIMIT - rle->x) {
        return halo_cells_fail_at(&reader->source,
                                  "a run of %" PRId64 " cells from column %" PRId64
                                  " is out of range: 2^40 columns are allowed",
                                  count, rle->x);
    }
    int64_t end = rle->x + count;
    if (state > 0 && row != NULL) {
        if (end > reader->info.width || state >= reader->info.states) {
            return halo_cells_fail_changed(reader);
        }
        if (reader->info.cell_bits == 1) {
            halo_cells_fill_bits(row, rle->x, count);
        } else {
            memset((unsigned char *)row + rle->x, state, (size_t)count);
        }
    } else if (state > 0) {
        rle->width = end > rle->width ? end : rle->width;
        rle->height = rle->y + 1;
        rle->max_state = state > rle->max_state ? state : rle->max_state;
    }
    rle->x = end;
    return HALO_OK;
}

/* One item: a run, the end of a row or of several, or the end of the pattern. */
static halo_status take_item(halo_cells_reader *reader, void *row)
{
    halo_source *source = &reader->source;
    halo_cells_rle_state *rle = reader->state;
    if (halo_source_next(source) < 0) {
        rle->ended = true;
        return source->status;
    }
    int64_t count = 1;
    int tag = TAG_END;
    bool counted = false, taken = false;
    HALO_TRY(take_count(source, &count, &counted));
    HALO_TRY(find_tag(source, counted, &tag, &taken));
    if (tag == TAG_END) {
        rle->ended = true;
    } else if (tag == TAG_END_ROW) {
        HALO_TRY(end_rows(source, rle, count));
    } else {
        HALO_TRY(put_run(reader, count, tag, row));
    }
    source->at += taken ? 0 : 1;
    return HALO_OK;
}

/* Items up to the end of row `y`, or of the pattern. */
static halo_status take_row(halo_cells_reader *reader, int64_t y, void *row)
{
    halo_cells_rle_state *rle = reader->state;
    bool bits = row == NULL || reader->info.cell_bits == 1;
    int64_t limit = row != NULL ? reader->info.width : HALO_CELLS_AXIS_LIMIT;
    while (!rle->ended && rle->y <= y) {
        if (bits) {
            halo_cells_rle_runs(&reader->source, rle, row, limit);
        }
        if (!skip_space(&reader->source)) {
            HALO_TRY(take_item(reader, row));
        }
    }
    return HALO_OK;
}

/* The second pass starts like the first. */
static halo_status restart(halo_cells_reader *reader)
{
    HALO_TRY(halo_source_rewind(&reader->source));
    *(halo_cells_rle_state *)reader->state = (halo_cells_rle_state){0};
    return halo_cells_rle_head(reader, reader->state);
}

static halo_status open_rle(halo_cells_reader *reader)
{
    halo_cells_rle_state *rle;
    HALO_TRY(HALO_ALLOCATE(rle, 1, "a reader of cells"));
    reader->state = rle;
    HALO_TRY(halo_cells_rle_head(reader, rle));
    HALO_TRY(take_row(reader, INT64_MAX, NULL));
    halo_cells_info *info = &reader->info;
    info->width = rle->width > rle->declared_width ? rle->width : rle->declared_width;
    info->height = rle->height > rle->declared_height ? rle->height : rle->declared_height;
    info->states = rle->max_state < 1 ? 2 : rle->max_state + 1;
    info->cell_bits = info->states == 2 ? 1 : 8;
    return restart(reader);
}

static halo_status rows_rle(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    size_t bytes = halo_cells_row_bytes(reader->info.width, reader->info.cell_bits);
    for (int64_t i = 0; i < rows; i++) {
        void *row = (unsigned char *)out + (size_t)i * pitch;
        memset(row, 0, bytes);
        HALO_TRY(take_row(reader, reader->row + i, row));
    }
    return HALO_OK;
}

const halo_cells_kind halo_cells_rle = {.open = open_rle, .rows = rows_rle};
