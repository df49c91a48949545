#ifndef HALOBEAT_FILTER_UNIFORM_H
#define HALOBEAT_FILTER_UNIFORM_H

#include "kernels/filter/columns_ops.h"
#include "kernels/filter/margins.h"
#include "kernels/filter/uniform_ops.h"

/* Means of boxes. Internal to the kernels; everything here is local.
 *
 * Sums of whole numbers slide: a sample is added, another is subtracted, and all are exact. Sums of
 * reals must not depend on what was added and subtracted before. Samples of a line are in blocks of
 * the window's size, at multiples of it. A window is a block, or the end of one and the beginning
 * of the next: the sum of the first part, from its last sample to its first one, plus that of the
 * second, from the first sample to the last. (M. van Herk's scheme for maxima, Pattern Recognition
 * Letters 13, 1992.) */

typedef struct {
    int64_t size, before; /* the window of sample i begins at i - before */
} filter_window;

/* Means of whole numbers, and of reals: `create`, `destroy` and `rows` of a part, for windows of
 * all axes. `count` is the number of samples in a window. */
halo_status filter_whole_means_create(void **state, const filter_step *step,
                                      const filter_part *part, const filter_uniform_ops *ops,
                                      const filter_window window[HALO_AXES]);
void filter_whole_means_rows(const filter_tile *tile);
void filter_whole_means_destroy(void *state);

halo_status filter_real_means_create(void **state, const filter_step *step, const filter_part *part,
                                     const filter_uniform_ops *ops,
                                     const filter_columns_ops *columns_ops,
                                     const filter_window window[HALO_AXES]);
void filter_real_means_rows(const filter_tile *tile);
void filter_real_means_destroy(void *state);

#endif
