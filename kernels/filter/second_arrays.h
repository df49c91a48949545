#ifndef HALOBEAT_FILTER_SECOND_ARRAYS_H
#define HALOBEAT_FILTER_SECOND_ARRAYS_H

#include "kernels/filter/chain.h"
#include "kernels/filter/filter_array.h"

/* Second images of steps that are arrays in memory. Internal to the kernels; local. */

typedef struct filter_second_arrays filter_second_arrays;

/* Finds the second images of a chain's steps, before it is resolved, among these arrays, which
 * outlive it. HALO_ARGUMENT for an array that is not possible, or a name that none has;
 * HALO_MEMORY. Call filter_second_arrays_close in any case, after the last use of the chain. */
halo_status filter_second_arrays_open(filter_second_arrays **out, filter_chain *chain,
                                      const halo_filter_second *given, int64_t count);
void filter_second_arrays_close(filter_second_arrays **arrays);

#endif
