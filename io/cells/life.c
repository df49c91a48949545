#include "io/cells/cells_internal.h"

#include <string.h>

/* Life 1.05 and 1.06, the formats of Life32 and XLife: live cells, each at its place. */

/* --- 1.05: blocks of text, each behind a line "#P x y" --- */

typedef struct {
    int64_t left; /* of the block */
    int64_t y;    /* of its next row */
} block;

/* The numbers may both be missing: then the block is at (0, 0). */
static halo_status begin_block(halo_cells_reader *reader, block *at)
{
    halo_source *source = &reader->source;
    *at = (block){0};
    halo_cells_skip_blanks(source);
    int byte = halo_source_next(source);
    if (byte >= 0 && byte != '\n') {
        HALO_TRY(halo_cells_take_number(source, "a block's column", true, HALO_CELLS_PLACE_LIMIT,
                                        &at->left));
        halo_cells_skip_blanks(source);
        HALO_TRY(
            halo_cells_take_number(source, "a block's row", true, HALO_CELLS_PLACE_LIMIT, &at->y));
        reader->info.placed = true;
    }
    return halo_cells_end_line(source, "the end of the line");
}

static halo_status take_rule(halo_cells_reader *reader)
{
    char rule[HALO_CELLS_RULE_BYTES + 1];
    size_t length = halo_cells_take_line(&reader->source, rule, sizeof rule);
    return halo_cells_set_rule(reader, rule, length);
}

/* A line that begins with #: #P, #R and #N (the usual rule) mean something, others are remarks. */
static halo_status take_mark(halo_cells_reader *reader, block *at)
{
    halo_source *source = &reader->source;
    source->at++;
    int mark = halo_source_next(source);
    if (mark == 'P' || mark == 'R' || mark == 'N') {
        source->at++;
    }
    if (mark == 'P') {
        return begin_block(reader, at);
    }
    if (mark == 'R') {
        HALO_TRY(take_rule(reader));
    } else if (mark == 'N') {
        HALO_TRY(halo_cells_set_rule(reader, "B3/S23", 6));
    }
    halo_cells_skip_line(source);
    return source->status;
}

static halo_status take_row(halo_cells_reader *reader, block *at)
{
    halo_source *source = &reader->source;
    int64_t x = at->left;
    for (int byte; (byte = halo_source_next(source)) == '.' || byte == '*' || byte == 'O'; x++) {
        if (x > HALO_CELLS_PLACE_LIMIT || at->y > HALO_CELLS_PLACE_LIMIT) {
            return halo_cells_fail_at(source, "the cell lies further than 2^61 from (0, 0)");
        }
        if (byte != '.') {
            HALO_TRY(halo_cells_sparse_add(reader, x, at->y));
        }
        source->at++;
    }
    at->y++;
    return halo_cells_end_line(source, "., *, O or the end of the line");
}

static halo_status open_life105(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    block at = {0};
    for (int byte; (byte = halo_source_next(source)) >= 0;) {
        if (byte == '#') {
            HALO_TRY(take_mark(reader, &at));
        } else {
            HALO_TRY(take_row(reader, &at));
        }
    }
    HALO_TRY(source->status);
    return halo_cells_sparse_settle(reader);
}

const halo_cells_kind halo_cells_life105 = {
    .open = open_life105, .rows = halo_cells_sparse_rows, .close = halo_cells_sparse_close};

/* --- 1.06: "x y" of a live cell on each line --- */

static halo_status take_cell(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    int64_t x = 0, y = 0;
    HALO_TRY(halo_cells_take_number(source, "a cell's column", true, HALO_CELLS_PLACE_LIMIT, &x));
    if (!halo_cells_is_blank(halo_source_next(source))) {
        return halo_cells_fail_here(source, "a blank, and then a cell's row,");
    }
    halo_cells_skip_blanks(source);
    HALO_TRY(halo_cells_take_number(source, "a cell's row", true, HALO_CELLS_PLACE_LIMIT, &y));
    HALO_TRY(halo_cells_sparse_add(reader, x, y));
    return halo_cells_end_line(source, "the end of the line");
}

static halo_status open_life106(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    for (;;) {
        halo_cells_skip_blanks(source);
        int byte = halo_source_next(source);
        if (byte < 0) {
            break;
        }
        if (byte == '#' || byte == '\n') {
            halo_cells_skip_line(source);
        } else {
            HALO_TRY(take_cell(reader));
        }
    }
    HALO_TRY(source->status);
    reader->info.placed = true;
    return halo_cells_sparse_settle(reader);
}

const halo_cells_kind halo_cells_life106 = {
    .open = open_life106, .rows = halo_cells_sparse_rows, .close = halo_cells_sparse_close};
