#ifndef HALOBEAT_SPLIT_ROW_OPS_H
#define HALOBEAT_SPLIT_ROW_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* The inner loops of splitting on rows, compiled from one source for each ISA, all with the same
 * results. Internal to the kernel. */

/* Ways of cells: the number of the neighbour that a cell points to, in raster order; SPLIT_LATER is
 * added where the cell is on a plateau, and was not next to a deeper cell. */
enum { SPLIT_LATER = 32, SPLIT_FLAT = 64, SPLIT_OUTSIDE = 128 };
enum { SPLIT_NEIGHBOURS = 26 };

/* Flags of cells at borders of basins. */
enum { SPLIT_DIFFERS = 1, SPLIT_BEGINS = 2 };

/* A row, and the distances of its cells to their neighbours, in raster order. */
typedef struct {
    int64_t width;
    int count; /* even */
    int64_t step[SPLIT_NEIGHBOURS];
} split_span;

typedef struct {
    /* Sets ways of cells that are not SPLIT_OUTSIDE: to the first neighbour of the least key, if
     * that is less than the cell's; otherwise SPLIT_FLAT. Of 16, 32 and 64 bits. Returns true if
     * there is a flat cell. */
    bool (*descend[3])(const split_span *span, const void *keys, uint8_t *ways);

    /* Cells take the number of the cell that they point to: of those that point to neighbours
     * before them, from left to right, or with `back` after them, from right to left. Returns true
     * if a cell inside has no number, which is 0, yet. */
    bool (*follow)(const split_span *span, const uint8_t *ways, int32_t *numbers, bool back);

    /* flags = 1 where a cell inside has no number, else 0. Returns true if there is one. */
    bool (*unnumbered)(int64_t width, const uint8_t *ways, const int32_t *numbers, uint8_t *flags);

    /* flags of cells whose number is not 0: SPLIT_DIFFERS where one of the later neighbours has
     * another number, and not 0; SPLIT_BEGINS where the cell before has another number. Returns
     * true if there is one. */
    bool (*borders)(const split_span *span, const int32_t *numbers, uint8_t *flags);
} split_row_ops;

extern const split_row_ops split_row_ops_avx512, split_row_ops_avx2, split_row_ops_plain;

#endif
