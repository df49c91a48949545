#ifndef HALOBEAT_CLI_LIFE_CUT_H
#define HALOBEAT_CLI_LIFE_CUT_H

#include "kernels/life/life.h"

/* A part of the grid, cut out for a writer of files. */
typedef struct {
    halo_life *life;
    halo_life_box grid, part;
    int bits;         /* of a cell */
    size_t row_bytes; /* of a row of the part, as halo_cells_row_bytes has it */
    int64_t *cuts;    /* [ranks + 1]: rank r owns rows cuts[r] to cuts[r + 1] - 1 of the part */
    void *whole;      /* a row of the grid */
} life_cut;

/* Local. What does not depend on how far a grid happens to have grown: all of a bounded axis, and
 * the live cells on an axis that grows, of which there is at least `least` (0 or 1). */
halo_life_box life_cut_box(const halo_life_box *grid, const halo_life_edge *edges,
                           const halo_life_box *live, int64_t least);

/* Collective. `part` lies in the grid, unless the grid has no live cell; life_cut_end in any case.
 * Valid until the next generation. HALO_MEMORY. */
halo_status life_cut_begin(life_cut *cut, halo_world *world, halo_life *life,
                           const halo_life_box *part);

/* Local. A halo_rows_fill with the cut as context: rows `first` to `first + rows - 1` of the part,
 * as io/cells/cells.h lays them out. */
halo_status life_cut_fill(void *cut, int64_t first, int64_t rows, void *out, size_t pitch);

/* Local. */
void life_cut_end(life_cut *cut);

#endif
