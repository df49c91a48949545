#ifndef HALOBEAT_TESTS_BLOCKS_H
#define HALOBEAT_TESTS_BLOCKS_H

#include "core/field/field.h"
#include "partition/cuts.h"

/* Partitions of a domain for the ranks of mpi_check_world, and fields of a rank's part. Failures
 * end the program or are noted (expect of mpi_check.h). */

/* Local. Even cuts: a strip for each rank, or `parts` along each axis. The caller frees it. */
halo_partition even_strips(const halo_domain *domain);
halo_partition even_blocks(const halo_domain *domain, const int parts[HALO_AXES]);

/* Local. A field of this rank's part. The caller destroys it. */
halo_field *own_field(const halo_domain *domain, const halo_partition *partition, int cell_bits,
                      int depth);

/* Random parts along the first `axes` axes whose product is `ranks`. */
void random_factors(uint64_t *state, int axes, int ranks, int parts[HALO_AXES]);

/* A random partition of a domain of two axes or more into `ranks` parts: any factors along any
 * axes, with random cuts; parts have at least `min` cells along each axis or, frequently, none. The
 * caller frees it. Exits the program if there is no memory. */
void random_blocks(uint64_t *state, const halo_domain *domain, int ranks, int64_t min,
                   halo_partition *out);

/* As random_blocks, with `parts` along each axis. */
void random_block_cuts(uint64_t *state, const halo_domain *domain, const int parts[HALO_AXES],
                       int64_t min, halo_partition *out);

#endif
