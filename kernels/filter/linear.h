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

/* Makes the weights of all axes of a part. HALO_MEMORY. */
typedef halo_status filter_make_lines(const filter_step *step, const filter_part *part,
                                      filter_line line[HALO_AXES]);

/* Planes that are best made together. */
enum { FILTER_LINEAR_PLANES = 8 };

/* The `create` and the other functions of such a part: axis 0 comes first. Sums of float32 results
 * are rounded to float32 after each axis, as scipy.ndimage does; others are doubles until the end.
 */
halo_status filter_linear_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions, filter_make_lines *make);
void filter_linear_destroy(void *state);
void filter_linear_rows(const filter_tile *tile);

#endif
