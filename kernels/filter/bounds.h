#ifndef HALOBEAT_FILTER_BOUNDS_H
#define HALOBEAT_FILTER_BOUNDS_H

#include "kernels/filter/filter.h"
#include "kernels/label/threshold/threshold_choice.h"

/* Two bounds of samples: LOW,HIGH, values or percentiles. Internal to the kernels. */

typedef struct {
    bool given;
    threshold_bound low, high; /* percentages are percentiles */
} filter_bounds;

#define FILTER_BOUNDS_TAKES "two values with a comma between them, the lower one first"

/* A halo_option_parse for a filter_bounds, with percentages as percentiles. HALO_ARGUMENT. */
halo_option_parse filter_parse_bounds;

/* Collective. Percentiles of all samples of a field, NaN left out: values[i] is that of percent[i],
 * 0 to 100, as numpy.percentile has it: between two samples in proportion. HALO_MEMORY,
 * HALO_TRANSPORT, HALO_CANCELLED. */
halo_status filter_percentiles(const filter_field_call *call, int count, const double *percent,
                               double *values);

#endif
