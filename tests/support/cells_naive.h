#ifndef HALOBEAT_TESTS_CELLS_NAIVE_H
#define HALOBEAT_TESTS_CELLS_NAIVE_H

#include "io/cells/cells.h"

/* A second, simple implementation of the formats of cells, to compare the real one with. Ends the
 * program if there is no memory. */
typedef struct {
    int64_t width, height;
    int states;
    uint8_t *cells; /* [height * width] in row order: states */
} grid;

/* Random cells; every tenth grid is empty or full, others also have empty rows and long runs. */
grid grid_random(uint64_t *state, int64_t width, int64_t height, int states);

/* A copy of `rows` x `columns` cells from row `y`, column `x` on; dead where the grid has none. */
grid grid_cut(const grid *from, int64_t x, int64_t y, int64_t columns, int64_t rows);

/* The grid without the dead cells around the live ones; 0 x 0 if none is alive. *x and *y are the
 * former position of its upper left cell. */
grid grid_crop(const grid *from, int64_t *x, int64_t *y);

/* Accepts a zeroed grid. */
void grid_free(grid *made);

/* True if size and states of cells are equal. Empty grids are all equal. */
bool grid_same(const grid *one, const grid *other);

/* One row after another in the layout of halo_cells_reader_rows, `pitch` bytes apart. The caller
 * frees it. */
void *grid_rows(const grid *from, int cell_bits, size_t pitch);

/* Reads the rest of a reader, in bands of random height at a random pitch. Fails with the reader's
 * status. */
halo_status grid_read(halo_cells_reader *reader, uint64_t *state, grid *out);

/* Appends text, formatted as by printf. */
void text_add(halo_buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the grid as text in random variants of the format, by `state`: split runs, blanks, both
 * line ends, comments. RLE is without its header. */
void naive_write_rle(halo_buffer *out, const grid *from, uint64_t *state);
void naive_write_cells(halo_buffer *out, const grid *from, uint64_t *state);
void naive_write_life105(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state);
void naive_write_life106(halo_buffer *out, const grid *from, int64_t x, int64_t y, uint64_t *state);

#endif
