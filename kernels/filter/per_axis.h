#ifndef HALOBEAT_FILTER_PER_AXIS_H
#define HALOBEAT_FILTER_PER_AXIS_H

#include "kernels/filter/filter.h"

/* Values of a filter for all axes or for each. Internal to the kernels; everything here is local.
 */

typedef struct {
    int count; /* 1: for all axes; otherwise one for each, planes first */
    double value[HALO_AXES];
} filter_per_axis;

#define FILTER_PER_AXIS_TAKES "a number, or one for each axis with commas between them"

/* A halo_option_parse. */
halo_option_parse filter_parse_per_axis;

/* HALO_ARGUMENT unless there are as many as the image has axes, or one. */
halo_status filter_check_per_axis(const filter_per_axis *values, const filter_step *step,
                                  const char *what);

/* The value for an axis of planes, rows, columns. */
double filter_of_axis(const filter_per_axis *values, const filter_step *step, int axis);

#endif
