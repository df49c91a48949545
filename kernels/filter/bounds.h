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

#endif
