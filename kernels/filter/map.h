#ifndef HALOBEAT_FILTER_MAP_H
#define HALOBEAT_FILTER_MAP_H

#include "kernels/filter/filter.h"

/* Filters whose results depend on one sample each. Samples of 8 and 16 bits have a table of
 * results. Internal to the kernels; everything here is local. */

typedef struct {
    double (*of)(const void *own, double sample);
    const void *own; /* of the function: the options of the step */
} filter_map;

/* Adds a part that computes `map`, which outlives the step's parts. */
void filter_add_map(filter_step *step, const filter_map *map);

/* The part itself. */
filter_part filter_map_part(const filter_map *map);

/* The same for a part that looks at all samples first: computes it from the field `in` to `out`.
 * HALO_MEMORY, HALO_CANCELLED. */
halo_status filter_map_field(const filter_field_call *call, const filter_map *map);

#endif
