#ifndef HALOBEAT_CHAN_VESE_ROW_OPS_H
#define HALOBEAT_CHAN_VESE_ROW_OPS_H

#include "kernels/chan_vese/force.h"

#include <stddef.h>

/* The inner loops of morphological Chan-Vese on rows of bits, compiled from one source for each
 * ISA, all with the same results. Internal to the kernel.
 *
 * A row is aligned to 64 bytes and has a multiple of 8 words, whose bits past the width are 0; a
 * word before it and one after it are readable and 0. Greys of a row are aligned in the same way
 * and have `width` samples; those of the last, incomplete word must not be read beyond the width.
 *
 * Several rows are processed together, a few columns at a time: each shift of a row is then
 * computed once for its three uses. */

enum { CHAN_VESE_WORD = 64, CHAN_VESE_WORDS = 8 }; /* bits of a word; words processed together */

typedef struct {
    int64_t width; /* pixels */
    int64_t words; /* a multiple of CHAN_VESE_WORDS */
    /* [words] of bits: the first and last pixel, which are their own neighbours; and all pixels. */
    const uint64_t *ends, *all;
} chan_vese_shape;

/* Words of a row: whole vectors of them. */
static inline int64_t chan_vese_words(int64_t width)
{
    enum { BLOCK = CHAN_VESE_WORD * CHAN_VESE_WORDS };
    return (width + BLOCK - 1) / BLOCK * CHAN_VESE_WORDS;
}

enum { CHAN_VESE_ROWS = 14 }; /* maximum number of rows at a time */

/* Consecutive rows, and their results. */
typedef struct {
    int64_t count;
    const uint64_t *in[CHAN_VESE_ROWS + 2];    /* [count + 2]: from the row above the first on */
    uint64_t *out[CHAN_VESE_ROWS];             /* [count] */
    const uint64_t *drawn[CHAN_VESE_ROWS];     /* [count]: for the force, the pixels it moves
                                                * inside */
    const uint64_t *undecided[CHAN_VESE_ROWS]; /* [count]: the pixels it moves neither inside nor
                                                * outside; or NULL */
} chan_vese_chunk;

/* Rows that are written back to the fields. */
typedef struct {
    int64_t count;
    int64_t place; /* index of the first row in the image */
    const uint64_t *fresh[CHAN_VESE_ROWS];
    const void *greys[CHAN_VESE_ROWS];
    uint64_t *cells[CHAN_VESE_ROWS];
} chan_vese_return;

/* Sums over pixels that changed, to be added to. */
typedef struct {
    int64_t changed; /* pixels */
    int64_t inside;  /* pixels that went inside minus those that went outside */
    int64_t grey;    /* sum of their samples */
    uint64_t trace;  /* hash of the set of pixels: the sum over words of a hash of position and
                      * changed bits */
} chan_vese_change;

typedef struct {
    /* bits = which samples of a row are in the set; for 8 and 16 bits per sample. Bits past the
     * width are undefined. */
    void (*members[2])(const chan_vese_shape *shape, const chan_vese_set *set, const void *greys,
                       uint64_t *bits);

    /* out = the rows after the force, which acts where they have a gradient. */
    void (*push)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);

    /* out = SI, IS of the rows. */
    void (*sup_inf)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);
    void (*inf_sup)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);

    /* cells = fresh, and the sums of the changes. */
    void (*commit[2])(const chan_vese_shape *shape, const chan_vese_return *rows,
                      chan_vese_change *change);
} chan_vese_row_ops;

extern const chan_vese_row_ops chan_vese_row_ops_avx512, chan_vese_row_ops_avx2,
    chan_vese_row_ops_plain;

#endif
