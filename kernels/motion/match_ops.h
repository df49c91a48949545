#ifndef HALOBEAT_MOTION_MATCH_OPS_H
#define HALOBEAT_MOTION_MATCH_OPS_H

#include "base/isa.h"

#include <stddef.h>
#include <stdint.h>

/* The inner loops of matching, compiled from one source for each ISA. All give the same integers.
 * Internal to the motion kernel. */

/* Squares of pixels that are compared: a piece's tile, and a window around it. */
enum { MOTION_TILE = 16, MOTION_RING = 4, MOTION_WINDOW = MOTION_TILE + 2 * MOTION_RING };

/* Grey differences over a square: every pixel of `inside` counts once, those of `own` twice
 * more. */
typedef struct {
    const uint16_t *one, *other; /* first cells of the square in both frames */
    ptrdiff_t one_pitch, other_pitch;
    const uint16_t *inside, *own; /* [side * side], 0 or 65535 */
} motion_square;

/* Sums over a square for the fraction of a pixel, weighted as above; see fraction.h. */
typedef struct {
    int64_t xx, xy, yy; /* products of the first frame's slopes, in half grey steps per pixel */
    int64_t xd, yd;     /* products of slopes and differences, in 256ths of a grey step */
    int64_t off;        /* absolute differences */
    int64_t weight;
} motion_slopes;

/* The input of `slope`: columns lo to hi - 1 and rows top to bottom - 1 of a square of side `side`.
 * `other` is shifted further by a fraction of a pixel, in 256ths; the lowest `drop` bits of
 * differences are dropped. */
typedef struct {
    motion_square square;
    int side, lo, hi, top, bottom;
    int right, down, drop;
} motion_slope_square;

typedef struct {
    /* For squares of side MOTION_TILE and MOTION_WINDOW. */
    uint32_t (*tile)(const motion_square *square);
    uint32_t (*window)(const motion_square *square);
    /* For columns lo to hi - 1 and rows top to bottom - 1 of a square of side `side`. */
    uint32_t (*part)(const motion_square *square, int side, int lo, int hi, int top, int bottom);
    void (*slope)(const motion_slope_square *at, motion_slopes *sums);
    /* mask[j * side + i] = 65535 if bit i of rows[j] >> skip is set, otherwise 0. */
    void (*spread)(const uint32_t *rows, int side, int skip, uint16_t *mask);
    /* sums[i] += weight * |cells[i] - value|, for `count` cells. */
    void (*slide)(const uint16_t *cells, uint32_t value, uint32_t weight, int64_t count,
                  uint32_t *sums);
} motion_match_ops;

extern const motion_match_ops motion_match_ops_avx512, motion_match_ops_avx2,
    motion_match_ops_plain;

/* The variants of motion_match_ops. */
extern const halo_isa_variant motion_match_variants[];

#endif
