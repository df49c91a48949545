#ifndef HALOBEAT_FILTER_LINEAR_H
#define HALOBEAT_FILTER_LINEAR_H

#include "kernels/filter/filter.h"

/* Filters that are sums along one axis after the other. Internal to the kernels; local. */

/* Weights of an axis, as of filter_weights. Zeroes: the axis is left as it is. */
typedef struct {
    int64_t radius;
    double *weights; /* [radius + 1] allocated; NULL: none */
    bool odd;
} filter_line;

/* Frees the weights of all axes. */
void filter_lines_free(filter_line line[HALO_AXES]);

/* Planes that are best made together. */
enum { FILTER_LINEAR_PLANES = 8 };

/* The state of a linear filter, which takes the weights and leaves zeroes, also if it fails, and
 * its rows: axis 0 comes first. Sums of float32 results are rounded to float32 after each axis, as
 * scipy.ndimage does; others are doubles until the end. HALO_MEMORY, HALO_ARGUMENT for
 * instructions. Call filter_linear_destroy in any case. */
halo_status filter_linear_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions, filter_line line[HALO_AXES]);
void filter_linear_destroy(void *state);
void filter_linear_rows(const filter_tile *tile);

#endif
