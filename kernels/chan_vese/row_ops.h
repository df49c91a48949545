#ifndef HALOBEAT_CHAN_VESE_ROW_OPS_H
#define HALOBEAT_CHAN_VESE_ROW_OPS_H

#include "base/isa.h"
#include "kernels/chan_vese/force.h"

#include <stddef.h>

/* The inner loops of morphological Chan-Vese on rows of bits, compiled from one source for each
 * ISA, all with the same results. Internal to the kernel.
 *
 * A row is aligned to 64 bytes and has a multiple of 8 words, of which bits from the width on are
 * 0; a word before it and one behind can be read, and are 0 too. Greys of a row are aligned like it
 * and have `width` samples; greys of the last, incomplete word may not be read beyond it.
 *
 * Rows are done several at a time, a few columns of all of them and then the next ones: what a row
 * is shifted by is then computed once for its three uses. */

enum { CHAN_VESE_WORD = 64, CHAN_VESE_WORDS = 8 }; /* bits of a word; words that rows go by */

typedef struct {
    int64_t width; /* pixels */
    int64_t words; /* a multiple of CHAN_VESE_WORDS */
    /* [words] of bits: the first and the last pixel, which are their own neighbours; and all. */
    const uint64_t *ends, *all;
} chan_vese_shape;

/* Words of a row: whole vectors of them. */
static inline int64_t chan_vese_words(int64_t width)
{
    enum { BLOCK = CHAN_VESE_WORD * CHAN_VESE_WORDS };
    return (width + BLOCK - 1) / BLOCK * CHAN_VESE_WORDS;
}

enum { CHAN_VESE_ROWS = 14 }; /* at most, at a time */

/* Rows that come before each other, and what is made of them. */
typedef struct {
    int64_t count;
    const uint64_t *in[CHAN_VESE_ROWS + 2];    /* [count + 2]: the one above the first, ... */
    uint64_t *out[CHAN_VESE_ROWS];             /* [count] */
    const uint64_t *drawn[CHAN_VESE_ROWS];     /* [count]: for the force, who is drawn inside, */
    const uint64_t *undecided[CHAN_VESE_ROWS]; /* [count]: and who neither in nor out; or NULL */
} chan_vese_chunk;

/* Rows on their way back into the fields. */
typedef struct {
    int64_t count;
    int64_t place; /* of the first row in the picture */
    const uint64_t *fresh[CHAN_VESE_ROWS];
    const void *greys[CHAN_VESE_ROWS];
    uint64_t *cells[CHAN_VESE_ROWS];
} chan_vese_return;

/* What pixels that changed come to, to be added to. */
typedef struct {
    int64_t changed; /* pixels */
    int64_t inside;  /* pixels: came in less went out */
    int64_t grey;    /* the sum of their samples */
    uint64_t trace;  /* which pixels: a sum of a hash of each word's place and bits that changed */
} chan_vese_change;

typedef struct {
    /* bits = which samples of a row are in the set; of 8 and 16 bits a sample. Bits from the width
     * on may be anything. */
    void (*members[2])(const chan_vese_shape *shape, const chan_vese_set *set, const void *greys,
                       uint64_t *bits);

    /* out = the rows, drawn in and driven out where they have a gradient. */
    void (*push)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);

    /* out = SI, IS of the rows. */
    void (*sup_inf)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);
    void (*inf_sup)(const chan_vese_shape *shape, const chan_vese_chunk *chunk);

    /* cells = fresh, and what that changes. */
    void (*commit[2])(const chan_vese_shape *shape, const chan_vese_return *rows,
                      chan_vese_change *change);
} chan_vese_row_ops;

extern const chan_vese_row_ops chan_vese_row_ops_avx512, chan_vese_row_ops_avx2,
    chan_vese_row_ops_plain;

/* Tables of chan_vese_row_ops. */
extern const halo_isa_variant chan_vese_row_variants[];

#endif
