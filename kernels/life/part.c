#include "kernels/life/life_part.h"

#include "base/memory.h"
#include "kernels/life/life_rows.h"

#include <stdlib.h>
#include <string.h>

halo_life_box halo_life_part_box(const halo_life_box *grid, const halo_life_edge *edges,
                                 const halo_life_box *live, int64_t min)
{
    halo_life_box part = *live;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (edges[a] != HALO_LIFE_GROW) {
            part.lo[a] = grid->lo[a];
            part.n[a] = grid->n[a];
        } else if (live->n[a] == 0) {
            part.lo[a] = 0;
            part.n[a] = min;
        }
    }
    return part;
}

halo_life_box halo_life_box_join(const halo_life_box *a, const halo_life_box *b)
{
    if (a->n[0] == 0 || b->n[0] == 0) {
        return a->n[0] == 0 ? *b : *a;
    }
    halo_life_box both;
    for (int i = 0; i < HALO_LIFE_AXES; i++) {
        int64_t a_end = a->lo[i] + a->n[i], b_end = b->lo[i] + b->n[i];
        both.lo[i] = a->lo[i] < b->lo[i] ? a->lo[i] : b->lo[i];
        both.n[i] = (a_end > b_end ? a_end : b_end) - both.lo[i];
    }
    return both;
}

static halo_status begin(halo_life_part *part, halo_world *world)
{
    HALO_TRY(HALO_ALLOCATE(part->cuts, halo_world_ranks(world) + 1, "the rows to be written"));
    return halo_memory_create(&part->whole, halo_life_row_bytes(part->life), "a row of cells");
}

halo_status halo_life_part_begin(halo_life_part *part, halo_world *world, halo_life *life,
                                 const halo_life_box *box, int bits)
{
    int of_cell = halo_life_cell_bits(life);
    bits = bits > 0 ? bits : of_cell;
    *part = (halo_life_part){.life = life,
                             .grid = halo_life_size(life),
                             .box = *box,
                             .bits = bits,
                             .row_bytes = halo_life_plain_bytes(box->n[HALO_LIFE_COLUMNS], bits)};
    if (bits != 1 && bits != of_cell) {
        return halo_fail(HALO_ARGUMENT, "rows of %d bits a cell do not fit into a grid of %d", bits,
                         of_cell);
    }
    HALO_TRY(halo_agree(world, begin(part, world)));
    const int64_t *of_grid = halo_life_cuts(life);
    int64_t rows = box->n[HALO_LIFE_ROWS];
    int64_t above = box->lo[HALO_LIFE_ROWS] - part->grid.lo[HALO_LIFE_ROWS];
    for (int r = 0; r <= halo_world_ranks(world); r++) {
        int64_t at = of_grid[r] - above;
        part->cuts[r] = at < 0 || r == 0                            ? 0
                        : at > rows || r == halo_world_ranks(world) ? rows
                                                                    : at;
    }
    return HALO_OK;
}

/* A part with a cell beyond the grid is a dead one, which stands for no cells at all. */
static bool is_within(const halo_life_part *part, int axis)
{
    int64_t before = part->box.lo[axis] - part->grid.lo[axis];
    return before >= 0 && before <= part->grid.n[axis] - part->box.n[axis];
}

halo_status halo_life_part_fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    halo_life_part *part = context;
    int64_t above = part->box.lo[HALO_LIFE_ROWS] - part->grid.lo[HALO_LIFE_ROWS];
    bool within = is_within(part, HALO_LIFE_ROWS) && is_within(part, HALO_LIFE_COLUMNS);
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)out + (size_t)i * pitch;
        if (!within) {
            memset(row, 0, part->row_bytes);
            continue;
        }
        HALO_TRY(halo_life_get_rows(part->life, above + first + i, 1, part->whole,
                                    halo_life_row_bytes(part->life)));
        halo_life_row_crop(part->whole, part->bits, part->grid.n[HALO_LIFE_COLUMNS],
                           part->box.lo[HALO_LIFE_COLUMNS] - part->grid.lo[HALO_LIFE_COLUMNS],
                           part->box.n[HALO_LIFE_COLUMNS], row);
    }
    return HALO_OK;
}

halo_status halo_life_part_take(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    halo_life_part *part = context;
    int64_t above = part->box.lo[HALO_LIFE_ROWS] - part->grid.lo[HALO_LIFE_ROWS];
    int64_t before = part->box.lo[HALO_LIFE_COLUMNS] - part->grid.lo[HALO_LIFE_COLUMNS];
    size_t bytes = halo_life_row_bytes(part->life);
    if (!is_within(part, HALO_LIFE_ROWS) || !is_within(part, HALO_LIFE_COLUMNS)) {
        return halo_fail(HALO_ARGUMENT, "rows for a part that is not in the grid");
    }
    for (int64_t i = 0; i < rows; i++) {
        memset(part->whole, 0, bytes);
        halo_life_row_place((const char *)data + (size_t)i * pitch, part->bits,
                            part->box.n[HALO_LIFE_COLUMNS], part->whole,
                            halo_life_cell_bits(part->life), before);
        HALO_TRY(halo_life_put_rows(part->life, above + first + i, 1, part->whole, bytes));
    }
    return HALO_OK;
}

void halo_life_part_end(halo_life_part *part)
{
    halo_memory_free(part->whole);
    free(part->cuts);
    part->whole = NULL;
    part->cuts = NULL;
}
