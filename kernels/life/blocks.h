#ifndef HALOBEAT_LIFE_BLOCKS_H
#define HALOBEAT_LIFE_BLOCKS_H

#include "kernels/life/engine.h"
#include "kernels/life/life.h"
#include "partition/cuts.h"

/* Who owns what of a grid that is cut along its columns too. Internal to the Life kernel.
 *
 * To the runtime the grid is then a domain of two axes in which every rank owns one cell of axis 1:
 * the rows of its block, in lanes. A row has LIFE_GHOSTS cells more on each side where another
 * block lies; they come with every exchange, and since garbage enters from the row's ends by one
 * cell a generation, they last for as many generations. Columns are cut at multiples of
 * LIFE_GHOSTS, so that plain rows of a block are whole words of the grid's. */
typedef struct {
    halo_partition cells; /* rows and columns of cells */
    halo_partition run;   /* the same rows, and one cell for each column of blocks */
    int64_t *strips;      /* [ranks + 1]: the rows that each rank holds as plain rows */
    bool periodic;        /* the last column of blocks is beside the first */
} life_blocks;

/* Local. HALO_ARGUMENT for parts that are not as many as ranks or are not understood together with
 * the other options. */
halo_status life_blocks_check(const halo_life_options *options, int ranks);

/* Local. `n` cells in rows and columns. HALO_RANKS, naming what would do, for too few columns;
 * HALO_MEMORY. */
halo_status life_blocks_create(life_blocks **out, const int parts[HALO_LIFE_AXES],
                               const int64_t n[HALO_LIFE_AXES], bool periodic);

/* Local. Accepts a pointer to NULL. */
void life_blocks_destroy(life_blocks **blocks);

/* Local. How the rows of a rank's block lie. */
life_engine_span life_blocks_span(const life_blocks *blocks, int rank);

/* Local. Cells in the rows of the widest block, ghosts included. */
int64_t life_blocks_max_width(const life_blocks *blocks);

#endif
