#ifndef HALOBEAT_KERNELS_LIFE_LIFE_ROWS_H
#define HALOBEAT_KERNELS_LIFE_LIFE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Copying parts of plain rows of cells (see life.h and cells.h), with 1 or 8 `bits` per cell. All
 * functions are local and pure; rows must not overlap. */

/* Bytes of a row of `width` cells: whole words of bits, or a byte per cell. */
static inline size_t halo_life_plain_bytes(int64_t width, int bits)
{
    return bits == 1 ? ((size_t)width + 63) / 64 * sizeof(uint64_t) : (size_t)width;
}

/* Copies the first `count` cells of the row `in` to cells `at` to `at` + `count` - 1 of the row
 * `out`, where `out` must be dead. Bits may be copied to bytes, but not bytes to bits. Bits of `in`
 * past `count` must be 0. */
void halo_life_row_place(const void *in, int in_bits, int64_t count, void *out, int out_bits,
                         int64_t at);

/* Copies cells `at` to `at` + `count` - 1 of the row `in`, of `width` cells, to the row `out` of
 * halo_life_plain_bytes(count, bits) bytes. */
void halo_life_row_crop(const void *in, int bits, int64_t width, int64_t at, int64_t count,
                        void *out);

#endif
