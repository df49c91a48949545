#ifndef HALOBEAT_FILTER_EXTREME_H
#define HALOBEAT_FILTER_EXTREME_H

#include "kernels/filter/element.h"

/* Minima and maxima over elements, of keys (keys.h). Internal to the kernels; local. */

typedef struct {
    filter_element element;
    bool greatest; /* maxima */
} filter_extreme;

/* Adds the part, which refers to `extreme`. Keys have come before (filter_add_keys), or samples are
 * bits. */
void filter_add_extreme(filter_step *step, const filter_extreme *extreme, const filter_edge *edge);

/* The functions of the part of bits, by chords. */
halo_status filter_extreme_bits_create(void **state, const filter_step *step,
                                       const filter_part *part, const char *instructions);
void filter_extreme_bits_destroy(void *state);
void filter_extreme_bits_rows(const filter_tile *tile);

#endif
