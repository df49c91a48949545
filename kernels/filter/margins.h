#ifndef HALOBEAT_FILTER_MARGINS_H
#define HALOBEAT_FILTER_MARGINS_H

#include "kernels/filter/filter.h"

/* Rows with samples beyond their ends. Internal to the kernels; everything here is local. */

enum { FILTER_SLACK = 64 }; /* bytes before and after a row that may be read */

typedef struct {
    halo_sample_type type;
    int64_t width, depth; /* samples; those beyond each end */
    size_t before, pitch; /* bytes before the first sample, and of a row with all */
    void *constant;       /* sample 0 of a row of constants, of FILTER_CONSTANT; otherwise NULL */
    char *memory;
    int64_t *from; /* [2 * depth] the samples that those beyond the ends are copies of, or -1; those
                    * before the first one begin */
} filter_margins;

/* HALO_MEMORY. Call filter_margins_free in any case, also of a zeroed one. */
halo_status filter_margins_create(filter_margins *margins, halo_sample_type type, int64_t width,
                                  int64_t depth, const filter_edge *edge);
void filter_margins_free(filter_margins *margins);

/* The edge with its constant as a sample of the type: rounded, and cut off at the ends. */
filter_edge filter_edge_of_type(const filter_edge *edge, halo_sample_type type);

/* Sets the samples beyond the ends of a row, whose sample 0 is at `row`. */
void filter_margins_fill(const filter_margins *margins, void *row);

#endif
