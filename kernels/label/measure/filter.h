#ifndef HALOBEAT_LABEL_FILTER_H
#define HALOBEAT_LABEL_FILTER_H

#include "kernels/label/job.h"
#include "kernels/label/label_region.h"

/* Choosing the regions that are kept; internal to the label kernel. */

/* Local. HALO_ARGUMENT for invalid values. */
halo_status label_filter_check(const halo_region_filter *filter);

/* Local. True if it can drop any region. */
bool label_filter_drops(const halo_region_filter *filter);

/* Local. True if a whole region is kept, whatever other regions there are. */
bool label_filter_keeps(const halo_region_filter *filter, const label_job *job,
                        const halo_region *region);

/* Collective. For the regions [count] of all ranks whose mark is not 0: the area of the smallest of
 * the filter->largest largest ones, and the number of larger ones. Area 0 if there are no more than
 * may be kept. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. */
halo_status label_filter_rank(halo_world *world, const halo_region_filter *filter,
                              const halo_region *regions, int64_t count, const int64_t *marks,
                              int64_t *smallest, int64_t *larger);

#endif
