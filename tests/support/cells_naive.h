#ifndef HALOBEAT_TESTS_CELLS_NAIVE_H
#define HALOBEAT_TESTS_CELLS_NAIVE_H

#include "io/cells/cells.h"

/* A second, simple implementation of the formats of cells, to hold the real one against. Memory
 * that is out ends the program. */
typedef struct {
    int64_t width, height;
    int states;
    uint8_t *cells; /* [height * width] in row order: states */
} grid;

/* Random cells; every tenth grid is empty or full, others have empty rows and long runs too. */
grid grid_random(uint64_t *state, int64_t width, int64_t height, int states);

/* A copy of `rows` x `columns` cells from row `y`, column `x` on; dead where there are none. */
grid grid_cut(const grid *from, int64_t x, int64_t y, int64_t columns, int64_t rows);

/* The same cells without the dead ones around them; 0 x 0 if none is alive. *x and *y are where
 * its upper left cell was. */
grid grid_crop(const grid *from, int64_t *x, int64_t *y);

/* Accepts a zeroed grid. */
void grid_free(grid *made);

/* Same size and states of cells? Sizes of 0 are all the same. */
bool grid_same(const grid *one, const grid *other);

/* One row after another in the layout of halo_cells_reader_rows, `pitch` bytes apart. The caller
 * frees it. */
void *grid_rows(const grid *from, int cell_bits, size_t pitch);

/* What a reader has to give, read in bands of random height at a random pitch, to the end. Fails
 * with the reader's status. */
halo_status grid_read(halo_cells_reader *reader, uint64_t *state, grid *out);

/* Append text; printf's rules. */
void text_add(halo_buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The grid as text in as many ways as the format has, by `state`: runs split, blanks, line ends of
 * both kinds, comments. RLE comes without its header. */
void naive_write_rle(halo_buffer *out, const grid *from, uint64_t *state);
void naive_write_cells(halo_buffer *out, const grid *from, uint64_t *state);
void naive_write_life105(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state);
void naive_write_life106(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state);

#endif
