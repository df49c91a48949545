#ifndef HALOBEAT_CORE_MOVE_STRIDED_ROWS_H
#define HALOBEAT_CORE_MOVE_STRIDED_ROWS_H

#include "partition/box.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owned cells as a sequence of bytes to send, without halos and padding between rows; and copied
 * from one part to another. All functions are local. */

/* The cells of one rank's part. `origin` is the address of cell box.lo. */
typedef struct {
    halo_box box;
    char *origin;
    ptrdiff_t stride[HALO_AXES]; /* bytes; 0 for the last axis of bit-packed cells */
} halo_part;

/* A box of cells as a sequence of bytes: rows along the last axis, one after the other. */
typedef struct {
    char *start;
    int64_t row_bytes;
    int64_t n[2];
    ptrdiff_t stride[2];
    uint64_t last_mask; /* bits of a row's last word that are cells; all bits for other cells */
} halo_strided_rows;

/* The rows of `box`, which must lie in `part`; bit-packed boxes begin at a word. */
halo_strided_rows halo_strided_rows_of(int axes, int cell_bits, const halo_part *part,
                                       const halo_box *box);

/* The bytes of all rows. */
int64_t halo_strided_rows_bytes(const halo_strided_rows *cells);

/* Copies bytes `lo` to `lo + bytes - 1` of the sequence to the buffer (`out`) or from it; neither
 * end may be within a word of bits. */
void halo_strided_rows_copy(const halo_strided_rows *cells, int64_t lo, int64_t bytes, char *buffer,
                            bool out);

/* Copies the cells that both parts have from one to the other, which do not overlap in memory. */
void halo_part_copy(int axes, int cell_bits, const halo_part *from, const halo_part *to);

#endif
