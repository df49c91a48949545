#ifndef HALOBEAT_KERNELS_SNAKE_SNAKE_FIELD_H
#define HALOBEAT_KERNELS_SNAKE_SNAKE_FIELD_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* The gradient of a blurred image, for active contours.
 *
 * Everything is computed in integers, so that the field has the same bytes on any number of ranks
 * and with all instruction sets. The blur is Gaussian, along rows and columns in turn, with weights
 * in units of 2^-16 whose sum is 1, up to ceil(3 sigma) pixels away. The gradient is half the
 * difference between the pixels on both sides, along rows and columns, and the field is its length.
 * Beyond the edges of the image the edge pixels are repeated. */

enum {
    HALO_SNAKE_REACH = 3,      /* halo rows of the field: what the largest window reads */
    HALO_SNAKE_MAX_SIGMA = 16, /* pixels */
    HALO_SNAKE_UNIT = 256      /* value of the field for a slope of one grey level per pixel in
                                * an image of 8 bits. In an image of 16 bits a level counts 2^-8
                                * of that, so that both give the same */
};

/* Blur in pixels that gives good contours with halo_snake_defaults, with or without noise. */
#define HALO_SNAKE_DEFAULT_SIGMA 3

/* Options. Zero-initialise it: 0 means the default. */
typedef struct {
    double sigma;             /* of the blur in pixels, 0 (none) to HALO_SNAKE_MAX_SIGMA */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best of this machine */
} halo_snake_field_options;

/* Local, pure. Bytes of the gradient of a strip. */
int64_t halo_snake_field_bytes(const halo_box *owned);

/* Collective. Computes the gradient, 16 bits per cell, of `picture`, a field of two axes with cells
 * of 8 or 16 bits, cut along axis 0 by `cuts` [ranks + 1]; its halo is not read. The result has the
 * same cuts, and a halo of HALO_SNAKE_REACH rows and columns that is filled in: beyond the edges of
 * the image it is 0. It is movable if the system allows; the caller destroys it. Times are added to
 * COMPUTE, EXCHANGE and WAIT. HALO_ARGUMENT, HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_snake_field_create_sized(halo_field **out, halo_world *world,
                                          const halo_field *picture, const int64_t *cuts,
                                          const halo_snake_field_options *options,
                                          halo_clock *clock, size_t options_bytes);
#define halo_snake_field_create(...) \
    halo_snake_field_create_sized(__VA_ARGS__, sizeof(halo_snake_field_options))

/* Local. The steepest slope of a rank's part of a gradient, 1 at least. */
int64_t halo_snake_field_steepest(const halo_view *gradient);

/* Local. Local row `row` of a gradient as greys of 8 bits, of which 255 is the slope `steepest`. */
void halo_snake_field_greys(const halo_view *gradient, int64_t row, int64_t steepest,
                            unsigned char *greys);

#endif
