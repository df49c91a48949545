#ifndef HALOBEAT_TESTS_BLOCKS_H
#define HALOBEAT_TESTS_BLOCKS_H

#include "partition/cuts.h"

/* A decomposition of a domain of two axes or more into `ranks` parts at random: any factors of it
 * along any of the axes, cut anywhere; owners have at least `least` cells along each axis, and
 * parts without any are frequent. The caller frees it. Exits the program when memory is out. */
void random_blocks(uint64_t *state, const halo_domain *domain, int ranks, int64_t least,
                   halo_partition *out);

/* The same with so many parts along each axis. */
void random_block_cuts(uint64_t *state, const halo_domain *domain, const int parts[HALO_AXES],
                       int64_t least, halo_partition *out);

#endif
