#ifndef HALOBEAT_KERNELS_LIFE_LIFE_PART_H
#define HALOBEAT_KERNELS_LIFE_LIFE_PART_H

#include "kernels/life/life.h"

/* A part of the grid, whose rows go to a writer of files or come from a reader. */
typedef struct {
    halo_life *life;
    halo_life_box grid; /* as it was in the beginning */
    halo_life_box box;  /* of the part */
    int bits;           /* of a cell in its rows */
    size_t row_bytes;   /* of a plain row of the part: see halo_life_plain_bytes */
    int64_t *cuts;      /* [ranks + 1]: rank r owns rows cuts[r] to cuts[r + 1] - 1 of the part */
    void *whole;        /* a row of the grid */
} halo_life_part;

/* Local, pure. The part that does not depend on how far a grid happens to have grown: all of an
 * axis with bounds, and the live cells on an axis that grows, `min` (0 or 1) cells if there are
 * none. */
halo_life_box halo_life_part_box(const halo_life_box *grid, const halo_life_edge *edges,
                                 const halo_life_box *live, int64_t min);

/* Local, pure. The smallest box with both in it; either may be empty (n is 0). */
halo_life_box halo_life_box_join(const halo_life_box *a, const halo_life_box *b);

/* Collective. `box` lies in the grid, unless the grid has no live cell. Rows that come in may have
 * 1 bit a cell where the grid has a byte; 0: as many `bits` as the grid. The grid must outlive the
 * part, which is valid until the next generation. HALO_ARGUMENT for other `bits`, HALO_MEMORY;
 * halo_life_part_end in any case. */
halo_status halo_life_part_begin(halo_life_part *part, halo_world *world, halo_life *life,
                                 const halo_life_box *box, int bits);

/* Local, after halo_life_stage. Plain rows `first` to `first + rows - 1` of the part, which this
 * rank owns; its type is that of halo_rows_fill, with the part as context. HALO_MEMORY. */
halo_status halo_life_part_fill(void *part, int64_t first, int64_t rows, void *out, size_t pitch);

/* Local. The reverse: replace these rows; the grid's cells to their left and right become dead.
 * HALO_ARGUMENT for a part that is not in the grid; other errors as halo_life_put_rows. */
halo_status halo_life_part_take(void *part, int64_t first, int64_t rows, const void *data,
                                size_t pitch);

/* Local. Accepts a part that was ended before. */
void halo_life_part_end(halo_life_part *part);

#endif
