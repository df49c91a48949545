#ifndef HALOBEAT_HEAT_START_H
#define HALOBEAT_HEAT_START_H

#include "core/field/field.h"
#include "kernels/heat/options.h"

/* Local. Fills in the owned cells before the first beat. Internal to the heat kernels.
 * HALO_MEMORY. */
halo_status heat_start_fill(const heat_options *options, const halo_domain *domain,
                            const halo_view *view);

/* Local. For existing cells: sets only those at edges, if options have a number for them.
 * HALO_MEMORY. */
halo_status heat_start_edges(const heat_options *options, const halo_domain *domain,
                             const halo_view *view);

#endif
