#ifndef HALOBEAT_FILTER_CHAIN_H
#define HALOBEAT_FILTER_CHAIN_H

#include "kernels/filter/filter.h"

/* Chains of steps. Internal to the kernels; everything here is local. */

enum { FILTER_MOST_STEPS = 64 };

typedef struct {
    int count;
    filter_step step[FILTER_MOST_STEPS];
    filter_part *part[FILTER_MOST_STEPS * FILTER_MOST_PARTS]; /* of all steps, once resolved */
    int parts;
    int64_t depth[HALO_AXES]; /* of all parts together */
} filter_chain;

/* Zero-initialise the chain. Adds the step that a text such as gaussian:2:mode=nearest says, or
 * those that blanks separate. HALO_ARGUMENT, HALO_MEMORY. Call filter_chain_free in any case. */
halo_status filter_chain_add(filter_chain *chain, const char *text);
halo_status filter_chain_read(filter_chain *chain, const char *text);
void filter_chain_free(filter_chain *chain);

/* Finds types, parts and depths of all steps for an image of this type and shape (planes, rows,
 * columns, of which the last `axes` count). May be called again for another. HALO_ARGUMENT. */
halo_status filter_chain_resolve(filter_chain *chain, halo_sample_type type, int axes,
                                 const int64_t n[HALO_AXES]);

/* The type that the last step makes. */
halo_sample_type filter_chain_type(const filter_chain *chain);

#endif
