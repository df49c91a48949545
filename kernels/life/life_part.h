#ifndef HALOBEAT_KERNELS_LIFE_LIFE_PART_H
#define HALOBEAT_KERNELS_LIFE_LIFE_PART_H

#include "kernels/life/life.h"

/* A part of the grid, whose rows are written to or read from a file. */
typedef struct {
    halo_life *life;
    halo_life_box grid; /* box of the grid when the part began */
    halo_life_box box;  /* of the part */
    int bits;           /* bits per cell of its rows */
    size_t row_bytes;   /* bytes of a plain row of the part: see halo_life_plain_bytes */
    int64_t *cuts;      /* [ranks + 1]: rank r owns rows cuts[r] to cuts[r + 1] - 1 of the part */
    void *whole;        /* buffer for a row of the grid */
} halo_life_part;

/* Local, pure. The part that does not depend on how far a grid has grown: all cells of a bounded
 * axis, and on a growing axis the live cells, or `min` (0 or 1) cells if there are none. */
halo_life_box halo_life_part_box(const halo_life_box *grid, const halo_life_edge *edges,
                                 const halo_life_box *live, int64_t min);

/* Local, pure. The bounding box of two boxes, either of which may be empty (n is 0). */
halo_life_box halo_life_box_join(const halo_life_box *a, const halo_life_box *b);

/* Collective. Begins access to a part. `box` lies in the grid, unless the grid has no live cell.
 * `bits` per cell of its rows: 0 for those of the grid; 1 is also allowed for input to a grid with
 * a byte per cell. The grid must outlive the part, which is valid until the next generation.
 * HALO_ARGUMENT for other `bits`, HALO_MEMORY; call halo_life_part_end in any case. */
halo_status halo_life_part_begin(halo_life_part *part, halo_world *world, halo_life *life,
                                 const halo_life_box *box, int bits);

/* Local, after halo_life_stage. A halo_rows_fill whose context is the part: writes plain rows
 * `first` to `first + rows - 1` of the part, which this rank must own, to `out`. HALO_MEMORY. */
halo_status halo_life_part_fill(void *part, int64_t first, int64_t rows, void *out, size_t pitch);

/* Local. Replaces these rows of the part; cells of the grid to their left and right become dead.
 * HALO_ARGUMENT for a part that is not in the grid; other errors as of halo_life_put_rows. */
halo_status halo_life_part_take(void *part, int64_t first, int64_t rows, const void *data,
                                size_t pitch);

/* Local. Frees the part. Accepts a part that was ended before. */
void halo_life_part_end(halo_life_part *part);

#endif
