#ifndef HALOBEAT_KERNELS_SNAKE_SEEK_H
#define HALOBEAT_KERNELS_SNAKE_SEEK_H

#include "core/field/field.h"
#include "core/world/world.h"

/* Finding start positions of contours; a contour that starts across the edge of another object is
 * held there. Of many circles around a position, the one along which the mean gradient is steepest
 * is usually the outline of a round object (the integro-differential operator of J. Daugman, High
 * confidence visual recognition of persons by a test of statistical independence, PAMI 15, 1993,
 * with the gradient's length in place of the derivative along the radius).
 *
 * Everything is computed in integers, so that it is the same on any number of ranks. */

enum { HALO_SNAKE_SEEK_UNIT = 256 /* units per pixel, of positions and radii */ };

/* In units of 1 / HALO_SNAKE_SEEK_UNIT pixel, from the centre of pixel (0, 0). */
typedef struct {
    int64_t x, y, radius;
} halo_snake_circle;

/* Collective, with the same `circles` [count] on all ranks. Replaces each circle by the best one
 * with .3 to 1.3 times its radius whose centre is at most its radius away, along rows and columns,
 * and that lies `margin` (256ths of its radius) inside the image. A circle is unchanged unless the
 * gradient along the best one is 1.5 times the mean over all circles tried; otherwise there is no
 * round object. `gradient` is a field of halo_snake_field_create cut along axis 0. HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status halo_snake_seek(halo_world *world, const halo_view *gradient, const halo_domain *domain,
                            int64_t margin, halo_snake_circle *circles, int64_t count);

#endif
