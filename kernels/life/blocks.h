#ifndef HALOBEAT_LIFE_BLOCKS_H
#define HALOBEAT_LIFE_BLOCKS_H

#include "kernels/life/engine.h"
#include "kernels/life/life.h"
#include "partition/cuts.h"

/* The partition of a grid that is also cut along its columns. Internal to the Life kernel.
 *
 * For the runtime the grid is then a domain of two axes in which every rank owns one cell of axis
 * 1: the rows of its block, in lanes. A row has LIFE_GHOSTS additional cells on each side with
 * another block. Each exchange fills them. Invalid values enter from the row's ends by one cell per
 * generation, so that the ghosts last for that number of generations. Columns are cut at multiples
 * of LIFE_GHOSTS, so that plain rows of a block are whole words of the grid's. */
typedef struct {
    halo_partition cells; /* rows and columns of cells */
    halo_partition run;   /* the same rows, and one cell for each column of blocks */
    int64_t *strips;      /* [ranks + 1]: cuts of the plain rows that each rank holds */
    bool periodic;        /* the last column of blocks is next to the first */
} life_blocks;

/* Local. HALO_ARGUMENT for a number of parts other than the number of ranks, or options that
 * exclude blocks. */
halo_status life_blocks_check(const halo_life_options *options, int ranks);

/* Local. `n` cells in rows and columns. HALO_RANKS, with what is possible, for too few columns;
 * HALO_MEMORY. */
halo_status life_blocks_create(life_blocks **out, const int parts[HALO_LIFE_AXES],
                               const int64_t n[HALO_LIFE_AXES], bool periodic);

/* Local. Accepts a pointer to NULL. */
void life_blocks_destroy(life_blocks **blocks);

/* Local. The layout of the rows of a rank's block. */
life_engine_span life_blocks_span(const life_blocks *blocks, int rank);

/* Local. Cells in the rows of the widest block, with ghosts. */
int64_t life_blocks_max_width(const life_blocks *blocks);

#endif
