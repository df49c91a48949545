#ifndef HALOBEAT_TESTS_BLOCKS_H
#define HALOBEAT_TESTS_BLOCKS_H

#include "core/field/field.h"
#include "partition/cuts.h"

/* Parts of a domain for the ranks of mpi_check_world, and what a rank has of it. Failures end the
 * program or are noted (expect of mpi_check.h). */

/* Local. As even as can be: a strip for each rank, or `parts` along each axis. The caller
 * frees it. */
halo_partition even_strips(const halo_domain *domain);
halo_partition even_blocks(const halo_domain *domain, const int parts[HALO_AXES]);

/* Local. A field of this rank's part. The caller destroys it. */
halo_field *own_field(const halo_domain *domain, const halo_partition *partition, int cell_bits,
                      int depth);

/* Parts along the first `axes` axes that make `ranks` in all. */
void random_factors(uint64_t *state, int axes, int ranks, int parts[HALO_AXES]);

/* A decomposition of a domain of two axes or more into `ranks` parts at random: any factors of it
 * along any of the axes, cut anywhere; owners have at least `min` cells along each axis, and
 * parts without any are frequent. The caller frees it. Exits the program when memory is out. */
void random_blocks(uint64_t *state, const halo_domain *domain, int ranks, int64_t min,
                   halo_partition *out);

/* The same with `parts` along each axis. */
void random_block_cuts(uint64_t *state, const halo_domain *domain, const int parts[HALO_AXES],
                       int64_t min, halo_partition *out);

#endif
