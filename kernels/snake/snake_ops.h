#ifndef HALOBEAT_SNAKE_SNAKE_OPS_H
#define HALOBEAT_SNAKE_SNAKE_OPS_H

#include "base/isa.h"

#include <stddef.h>
#include <stdint.h>

/* The inner loops of active contours, compiled from one source for each ISA. All give the same
 * bytes: values that are not integers are single precision, with each operation rounded, in a fixed
 * order. Internal to the kernel. */

enum {
    SNAKE_LANES = 16, /* points evaluated together */
    SNAKE_SIDE = 7    /* positions across the largest window */
};

/* A blur: weights in units of 2^-16, of the pixel itself, of both pixels at distance 1, ... */
typedef struct {
    int radius;
    uint16_t weights[64]; /* [radius + 1] */
} snake_taps;

/* Points of one colour, one per lane; positions relative to the point itself. */
typedef struct {
    float before[2][SNAKE_LANES]; /* row and column of the point before it in the ring */
    float after[2][SNAKE_LANES];
    float mean[SNAKE_LANES]; /* spacing of its contour */
    /* Offsets of the window's rows and columns: -1, 0 and 1, for instance; fewer at the edge of the
     * image. */
    float offsets[2][SNAKE_SIDE][SNAKE_LANES];
    uint16_t gradient[SNAKE_SIDE * SNAKE_SIDE][SNAKE_LANES]; /* row by row of the window */
    int32_t choice[SNAKE_LANES]; /* output: the position of minimum energy */
} snake_batch;

typedef struct {
    float alpha, beta, gamma;
    float floor; /* in units of the gradient */
    int window;
} snake_weights;

typedef struct {
    /* Blurs a row across rows, in units of 2^-7 of a grey level (8 bits) or 2 levels (16 bits): the
     * pixels of rows[-radius] to rows[radius]. */
    void (*blur_across8)(const snake_taps *taps, const uint8_t *const *rows, uint16_t *out,
                         int64_t n);
    void (*blur_across16)(const snake_taps *taps, const uint16_t *const *rows, uint16_t *out,
                          int64_t n);
    /* Blurs a row along itself: `in` has `radius` more cells at both ends. */
    void (*blur_along)(const snake_taps *taps, const uint16_t *in, uint16_t *out, int64_t n);
    /* The length of the difference between neighbours, from the rows above, here and below; `here`
     * has one more cell at both ends. In units of the rows. */
    void (*slope)(const uint16_t *above, const uint16_t *here, const uint16_t *below, uint16_t *out,
                  int64_t n);
    /* The position of minimum energy in the window: the centre if no other has less, otherwise the
     * first of equal ones. */
    void (*choose)(const snake_weights *weights, snake_batch *batch);
} snake_ops;

extern const snake_ops snake_ops_avx512, snake_ops_avx2, snake_ops_plain;

/* The variants of snake_ops. */
extern const halo_isa_variant snake_variants[];

#endif
