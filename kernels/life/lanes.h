#ifndef HALOBEAT_LIFE_LANES_H
#define HALOBEAT_LIFE_LANES_H

#include <stddef.h>
#include <stdint.h>

/* The layout of rows of cells during computation.
 *
 * A row of `width` cells is cut into 512 lanes of `columns` cells each (the last lanes may be empty
 * or begin beyond the width). Cell x is bit x / columns of the 64-byte column x % columns, so that
 * the left and right neighbours of 512 cells are the columns before and after: no shifts between
 * bits or words are needed, for any width of vector registers. Only at the ends of the lanes
 * neighbours come from another lane: there is a ghost column on each side, whose bits are those of
 * the last (first) column shifted by one lane.
 *
 * A plane is the ghost, the columns and the other ghost. A row has one plane with the live cells
 * and, for rules with dying states, one for each bit of the state minus 1, 0 in dead and live
 * cells. Bits of cells beyond the width are undefined. */

enum {
    LIFE_LANES = 512,       /* bits of a column */
    LIFE_COLUMN_BYTES = 64, /* a column is a cache line and the widest vector */
    LIFE_COLUMN_WORDS = 8,
    LIFE_PLANES = 9 /* maximum: 256 states */
};

typedef struct {
    int64_t width;      /* cells */
    int64_t columns;    /* without ghosts */
    int planes;         /* 1 to LIFE_PLANES */
    size_t plane_bytes; /* with ghosts */
    size_t row_bytes;   /* all planes */
} life_lanes;

/* Local. `states` as in a rule. */
life_lanes life_lanes_make(int64_t width, int states);

/* Local. The index of the word of a plane that holds cell `x`, counted from column 0, and the bit
 * in it. */
static inline int64_t life_lanes_place(int64_t columns, int64_t x, int *bit)
{
    int64_t lane = x / columns;
    *bit = (int)(lane % 64);
    return x % columns * LIFE_COLUMN_WORDS + lane / 64;
}

/* Local. sum |= more, for `columns` columns. */
static inline void life_lanes_add(void *sum, const void *more, int64_t columns)
{
    for (int64_t i = 0; i < columns * LIFE_COLUMN_WORDS; i++) {
        ((uint64_t *)sum)[i] |= ((const uint64_t *)more)[i];
    }
}

/* Eight squares of 64 x 64 bits, one for each word of a column, and the function that transposes
 * them all. */
typedef struct {
    _Alignas(LIFE_COLUMN_BYTES) uint64_t words[64][LIFE_COLUMN_WORDS];
} life_squares;

typedef void life_transpose(life_squares *squares);

/* Local. Conversion from and to plain rows of bits: (width + 63) / 64 words, cell x in bit x % 64
 * of word x / 64, bits past the width 0. `plane` is the first column after the ghost; ghosts are
 * not changed, cells beyond the width become 0. */
void life_lanes_pack(const life_lanes *lanes, life_transpose *transpose, const uint64_t *plain,
                     void *plane);
void life_lanes_unpack(const life_lanes *lanes, life_transpose *transpose, const void *plane,
                       uint64_t *plain);

#endif
