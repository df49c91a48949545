#ifndef HALOBEAT_KERNELS_SNAKE_SNAKE_FIELD_H
#define HALOBEAT_KERNELS_SNAKE_SNAKE_FIELD_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"

/* The gradient of a blurred picture: what active contours are drawn to.
 *
 * Everything is in whole numbers, so that a field is the same bytes on any number of ranks and with
 * any instructions. The blur is Gaussian, in rows and columns one after the other, with weights in
 * units of 2^-16 whose sum is 1 and taps up to ceil(3 sigma) pixels away; the gradient is half of
 * the difference between the pixels on both sides, in rows and in columns, and its length. Pictures
 * go on beyond their edges as the pixels at the edges are. */

enum {
    HALO_SNAKE_REACH = 3,      /* rows of halo the field has: what the largest window reads */
    HALO_SNAKE_MAX_SIGMA = 16, /* pixels */
    HALO_SNAKE_UNIT = 256      /* of the field, for a picture of 8 bits: a slope of one grey level
                                * a pixel. A picture of 16 bits has 2^-8 of that for each of its
                                * levels, so that both come to the same */
};

/* Pixels of blur that give good contours with halo_snake_defaults, with noise or without. */
#define HALO_SNAKE_DEFAULT_SIGMA 3

/* Zero-initialise it: 0 means the default. */
typedef struct {
    double sigma;             /* of the blur, pixels, 0 (none) to HALO_SNAKE_MAX_SIGMA */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best this machine has */
} halo_snake_field_options;

/* Local, pure. Bytes of the gradient of a strip. */
int64_t halo_snake_field_bytes(const halo_box *owned);

/* Collective. The gradient, 16 bits a cell, of `picture`, a field of two axes of 8 or 16 bit cells
 * cut along axis 0 by `cuts` ([ranks + 1]); its halo, if it has any, is not read. The field that is
 * made has the same cuts and a halo of HALO_SNAKE_REACH rows and columns that is filled: beyond the
 * picture's edges it is 0. It can move where the system allows; the caller destroys it. Time goes
 * to COMPUTE, EXCHANGE and WAIT. HALO_ARGUMENT, HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status halo_snake_field_create(halo_field **out, halo_world *world, const halo_field *picture,
                                    const int64_t *cuts, const halo_snake_field_options *options,
                                    halo_clock *clock);

#endif
