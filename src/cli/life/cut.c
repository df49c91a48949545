#include "cli/life/cut.h"

#include "base/memory.h"
#include "cli/life/cells.h"
#include "io/cells/cells.h"

#include <stdlib.h>
#include <string.h>

halo_life_box life_cut_box(const halo_life_box *grid, const halo_life_edge *edges,
                           const halo_life_box *live, int64_t least)
{
    halo_life_box part = *live;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (edges[a] != HALO_LIFE_GROW) {
            part.lo[a] = grid->lo[a];
            part.n[a] = grid->n[a];
        } else if (live->n[a] == 0) {
            part.lo[a] = 0;
            part.n[a] = least;
        }
    }
    return part;
}

static halo_status begin(life_cut *cut, halo_world *world)
{
    cut->cuts = calloc((size_t)halo_world_ranks(world) + 1, sizeof *cut->cuts);
    return cut->cuts == NULL
               ? halo_fail(HALO_MEMORY, "out of memory: the rows to be written")
               : halo_memory_create(&cut->whole, halo_life_row_bytes(cut->life), "a row of cells");
}

halo_status life_cut_begin(life_cut *cut, halo_world *world, halo_life *life,
                           const halo_life_box *part)
{
    int bits = halo_life_cell_bits(life);
    *cut = (life_cut){.life = life,
                      .grid = halo_life_size(life),
                      .part = *part,
                      .bits = bits,
                      .row_bytes = halo_cells_row_bytes(part->n[HALO_LIFE_COLUMNS], bits)};
    HALO_TRY(halo_agree(world, begin(cut, world)));
    const int64_t *of_grid = halo_life_cuts(life);
    int64_t rows = part->n[HALO_LIFE_ROWS];
    int64_t above = part->lo[HALO_LIFE_ROWS] - cut->grid.lo[HALO_LIFE_ROWS];
    for (int r = 0; r <= halo_world_ranks(world); r++) {
        int64_t at = of_grid[r] - above;
        cut->cuts[r] = at < 0 || r == 0 ? 0 : at > rows || r == halo_world_ranks(world) ? rows : at;
    }
    return HALO_OK;
}

/* A part with a cell beyond the grid is a dead one, which stands for no cells at all. */
static bool is_within(const life_cut *cut, int axis)
{
    int64_t before = cut->part.lo[axis] - cut->grid.lo[axis];
    return before >= 0 && before <= cut->grid.n[axis] - cut->part.n[axis];
}

halo_status life_cut_fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    life_cut *cut = context;
    int64_t above = cut->part.lo[HALO_LIFE_ROWS] - cut->grid.lo[HALO_LIFE_ROWS];
    bool within = is_within(cut, HALO_LIFE_ROWS) && is_within(cut, HALO_LIFE_COLUMNS);
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)out + (size_t)i * pitch;
        if (!within) {
            memset(row, 0, cut->row_bytes);
            continue;
        }
        HALO_TRY(halo_life_get_rows(cut->life, above + first + i, 1, cut->whole,
                                    halo_life_row_bytes(cut->life)));
        life_cells_crop(cut->whole, cut->bits, cut->grid.n[HALO_LIFE_COLUMNS],
                        cut->part.lo[HALO_LIFE_COLUMNS] - cut->grid.lo[HALO_LIFE_COLUMNS],
                        cut->part.n[HALO_LIFE_COLUMNS], row);
    }
    return HALO_OK;
}

void life_cut_end(life_cut *cut)
{
    halo_memory_free(cut->whole);
    free(cut->cuts);
    cut->whole = NULL;
    cut->cuts = NULL;
}
