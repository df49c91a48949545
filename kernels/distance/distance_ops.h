#ifndef HALOBEAT_DISTANCE_DISTANCE_OPS_H
#define HALOBEAT_DISTANCE_DISTANCE_OPS_H

#include "base/isa.h"

#include <stddef.h>
#include <stdint.h>

/* The inner loops of distances, compiled from one source for each ISA. All give the same bytes.
 * Internal to the kernel. */

enum {
    DISTANCE_WORD = 64,       /* columns are computed together, as many as a word has bits */
    DISTANCE_WORDS = 8,       /* words that `scan` takes at most */
    DISTANCE_REACH = 256,     /* elements on either side of a line that `relax` may read */
    DISTANCE_GAP = UINT8_MAX, /* a distance of that or more along the first axis */
    DISTANCE_FAR = 255 * 255, /* a square from which on `relax` does not find the minimum */
    DISTANCE_GROUP = 16       /* positions that `solve` computes together */
};

/* Rows of bits, one for each layer of the first axis. */
typedef struct {
    const uint64_t *bits; /* of the first row */
    ptrdiff_t step;       /* bytes to the next one; below 0, rows go down */
    int64_t rows;
    int words; /* of each row, at most DISTANCE_WORDS */
} distance_bits;

/* The distance of each pixel is dropped by `scan`, stored, or stored if it is less. */
typedef enum { DISTANCE_SKIP, DISTANCE_STORE, DISTANCE_LEAST } distance_scan;

/* No background above, below. They are so far away that distances do not overflow. */
enum { DISTANCE_NONE_ABOVE = INT32_MIN / 2, DISTANCE_NONE_BELOW = INT32_MAX / 2 };

/* A row of pixels, and the background nearest to its columns beyond the block (see
 * distance_internal.h). */
typedef struct {
    const uint8_t *gaps;
    const int32_t *above, *below;
    const uint64_t *bits;
    int32_t layer;
} distance_row;

/* A line of `solve`: the minimum over j of from[j] + weight * (i - j)^2, for each i. */
#define DISTANCE_LINE(name, type)                                                           \
    typedef struct {                                                                        \
        int64_t count;                                                                      \
        const type *from; /* [count]; the largest value (of reals, infinity): no element */ \
        type weight;      /* of reals, the root of the weight */                            \
        type *to;         /* [count], rounded up to whole groups; may be `from` */          \
        int32_t *nearest; /* [count], rounded up: the least j with the minimum; -1: none */ \
        /* Memory: [count], rounded up and a group more; of `best` a group is one entry. */ \
        type *values, *places;                                                              \
        int32_t *numbers, *best;                                                            \
    } name
DISTANCE_LINE(distance_line32, uint32_t);
DISTANCE_LINE(distance_line64, uint64_t);
DISTANCE_LINE(distance_line_real, double);
#undef DISTANCE_LINE

typedef struct {
    /* Goes along rows of bits with `state`, a distance for each column, which grows by 1 for a bit
     * of 1, up to DISTANCE_GAP, and becomes 0 for a bit of 0. */
    void (*scan)(const distance_bits *bits, uint8_t *state, uint8_t *out, ptrdiff_t out_step,
                 distance_scan what);

    /* out = square of each gap, of `words` times DISTANCE_WORD of them. In `gaps` a word is `step`
     * bytes after the one before it, in `out` they have no gaps. */
    void (*square)(const uint8_t *gaps, ptrdiff_t step, int64_t words, uint16_t *out);

    /* out[i] = minimum over k of in[i + k * step] + k^2, for `count` groups of DISTANCE_WORD
     * elements, each `advance` elements after the one before; in[...] is readable DISTANCE_REACH
     * steps beyond either end. The last group has `last` elements; the others of it are undefined.
     * Returns false, and undefined results, if a minimum is DISTANCE_FAR or more, or if it would
     * take more than `limit` steps for a group in the mean. */
    bool (*relax)(const uint16_t *in, ptrdiff_t step, int64_t count, ptrdiff_t advance, int last,
                  uint16_t *out, ptrdiff_t out_advance, int64_t limit);

    /* A line of any values. */
    void (*solve32)(const distance_line32 *line);
    void (*solve64)(const distance_line64 *line);
    void (*solve_real)(const distance_line_real *line);

    /* Roots of whole numbers, rounded once. With `streams`, results go past the cache. */
    void (*roots16)(const uint16_t *squares, int64_t count, float *out, bool streams);
    void (*roots16_wide)(const uint16_t *squares, int64_t count, double *out, bool streams);
    /* The same of squares below 2^24; and of any but UINT32_MAX. */
    void (*roots24)(const uint32_t *squares, int64_t count, float *out, bool streams);
    void (*roots32_wide)(const uint32_t *squares, int64_t count, double *out);

    /* The same, [count], of the distances of a row, `layer`, to the nearest background: gaps, or,
     * where they are DISTANCE_GAP, that of the nearer one of `above` and `below`. */
    void (*square32)(const distance_row *row, int64_t count, uint32_t *out);

    /* The largest element. */
    uint16_t (*largest)(const uint16_t *squares, int64_t count);
    uint32_t (*largest32)(const uint32_t *squares, int64_t count);

    /* Distances of the nearest background beyond the end of a block, for each column, become states
     * of `scan`: state = distance of `from` to places, ahead (sign 1) or behind (sign -1). */
    void (*enter)(const int32_t *places, int64_t count, int32_t from, int sign, uint8_t *state);
    /* The reverse, where the state is below DISTANCE_GAP: places = from + sign * state. */
    void (*leave)(const uint8_t *state, int64_t count, int32_t from, int sign, int32_t *places);
} distance_ops;

extern const distance_ops distance_ops_avx512, distance_ops_avx2, distance_ops_plain;

#endif
