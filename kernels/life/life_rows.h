#ifndef HALOBEAT_KERNELS_LIFE_LIFE_ROWS_H
#define HALOBEAT_KERNELS_LIFE_LIFE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Parts of plain rows of cells, as life.h and cells.h describe them: `bits` of a cell are 1 or 8.
 * All functions are local and pure; rows do not overlap. */

/* Bytes of a row of `width` cells: whole words of bits, or a byte a cell. */
static inline size_t halo_life_plain_bytes(int64_t width, int bits)
{
    return bits == 1 ? ((size_t)width + 63) / 64 * sizeof(uint64_t) : (size_t)width;
}

/* Put the first `count` cells of the row `in` at cells `at` to `at` + `count` - 1 of the row `out`,
 * which is dead there. Bits may become bytes, bytes not bits; `in` has no cells beyond `count`. */
void halo_life_row_place(const void *in, int in_bits, int64_t count, void *out, int out_bits,
                         int64_t at);

/* Cells `at` to `at` + `count` - 1 of the row `in`, of `width` cells, become the row `out`, of
 * halo_life_plain_bytes(count, bits) bytes. */
void halo_life_row_crop(const void *in, int bits, int64_t width, int64_t at, int64_t count,
                        void *out);

#endif
