#ifndef HALOBEAT_CLI_LIFE_CELLS_H
#define HALOBEAT_CLI_LIFE_CELLS_H

#include <stddef.h>
#include <stdint.h>

/* Parts of plain rows of cells (kernels/life/life.h). Pure functions. */

/* Put `count` cells, the first ones of row `in`, at cells `at` and on of the row `out`, which is
 * dead there. Bits may become bytes; `in` has no cells beyond `count`. */
void life_cells_place(const void *in, int in_bits, int64_t count, void *out, int out_bits,
                      int64_t at);

/* Cells `at` to `at` + `count` - 1 of the row `in`, of `width` cells, become the row `out`: whole
 * words of bits, or `count` bytes. */
void life_cells_crop(const void *in, int cell_bits, int64_t width, int64_t at, int64_t count,
                     void *out);

#endif
