#ifndef HALOBEAT_CORE_MOVE_STRIDED_ROWS_H
#define HALOBEAT_CORE_MOVE_STRIDED_ROWS_H

#include "partition/box.h"

#include <stddef.h>
#include <stdint.h>

/* Owned cells as bytes that travel, without halos and without what lies between rows. All functions
 * are local. */

/* The cells of one rank's part: where cell box.lo lies. */
typedef struct {
    halo_box box;
    char *origin;
    ptrdiff_t stride[HALO_AXES]; /* bytes; of the last axis 0 where cells are bits */
} halo_part;

/* A box of cells as its bytes travel: rows along the last axis, one after the other. */
typedef struct {
    char *start;
    int64_t row_bytes;
    int64_t n[2];
    ptrdiff_t stride[2];
    uint64_t last_mask; /* of the last word of a row: bits that are cells; all where they are not
                         * bits */
} halo_strided_rows;

/* `box` lies in `part`; bits begin at a word. */
halo_strided_rows halo_strided_rows_of(int axes, int cell_bits, const halo_part *part,
                                       const halo_box *box);

/* Of all rows. */
int64_t halo_strided_rows_bytes(const halo_strided_rows *cells);

/* Bytes `lo` to `lo + bytes` - 1 of all rows go out into a buffer, or come from there; neither cuts
 * a word of bits. */
void halo_strided_rows_copy(const halo_strided_rows *cells, int64_t lo, int64_t bytes, char *buffer,
                            bool out);

#endif
