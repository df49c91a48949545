#ifndef HALOBEAT_KERNELS_SNAKE_SEEK_H
#define HALOBEAT_KERNELS_SNAKE_SEEK_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Where a contour had better begin: contours that begin across the edge of something else are held
 * there. Of many circles around a place, the one along which the gradient is steepest on average is
 * mostly the outline of what is round there (the integro-differential operator of J. Daugman, High
 * confidence visual recognition of persons by a test of statistical independence, PAMI 15, 1993,
 * with the gradient's length instead of the derivative along the radius).
 *
 * Everything is in whole numbers, so that it is the same on any number of ranks. */

enum { HALO_SNAKE_SEEK_UNIT = 256 /* of places and radii: a pixel */ };

/* In HALO_SNAKE_SEEK_UNIT of a pixel, from the middle of pixel 0, 0 on. */
typedef struct {
    int64_t x, y, radius;
} halo_snake_circle;

/* Collective, with the same `circles` ([count]) on all ranks: each is replaced by the best of those
 * of .3 to 1.3 times its radius whose middles are up to its radius away, in rows and columns, and
 * that lie `margin` (parts of 256 of their radius) inside the picture. It stays where it is unless
 * the gradient along the best is half as steep again as along all that were looked at, on average:
 * then there is nothing round. `gradient` is a field of halo_snake_field_create cut along axis 0.
 * HALO_MEMORY, HALO_MPI. */
halo_status halo_snake_seek(halo_world *world, const halo_view *gradient, const halo_domain *domain,
                            int64_t margin, halo_snake_circle *circles, int64_t count);

#endif
