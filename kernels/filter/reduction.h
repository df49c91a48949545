#ifndef HALOBEAT_FILTER_REDUCTION_H
#define HALOBEAT_FILTER_REDUCTION_H

#include "kernels/filter/filter.h"

/* Parts that look at all samples before they compute rows. Internal to the kernels. */

/* Local. Adds a part with such a reduction, and `rows`, to those that there are. Its `field` does
 * both for an image in memory. */
void filter_add_reduction(filter_step *step, const filter_reduction *reduction,
                          const filter_part *part);

/* Collective. Calls `pass`, which adds all rows of this rank to `state`, until the reduction of a
 * part has ended. `pass` is collective. Errors of it and of the reduction. */
typedef halo_status filter_reduction_pass(void *context, void *state);
halo_status filter_reduce(halo_world *world, const filter_part *part, const char *instructions,
                          filter_reduction_pass *pass, void *context);

#endif
