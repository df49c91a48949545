#ifndef HALOBEAT_FILTER_TERMS_H
#define HALOBEAT_FILTER_TERMS_H

#include "kernels/filter/linear.h"

/* Filters that are combined of one linear filter or more. Internal to the kernels; local. */

typedef enum { FILTER_SUM, FILTER_MAGNITUDE } filter_combination;

typedef struct {
    /* Makes the weights of an axis of a term, from 0; none: the axis is left as it is.
     * HALO_MEMORY. */
    halo_status (*make)(const filter_step *step, int term, int axis, filter_line *line);
    bool per_axis; /* one term for each axis, of which results are reals; otherwise one */
    filter_combination combination; /* terms are added; or their squares, and the root is taken */
} filter_terms;

/* Adds a part of this kind, whose depth and edge are set. */
void filter_terms_resolve(filter_step *step, filter_part *part, const filter_terms *kind);

#endif
