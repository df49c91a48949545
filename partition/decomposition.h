#ifndef HALOBEAT_PARTITION_DECOMPOSITION_H
#define HALOBEAT_PARTITION_DECOMPOSITION_H

#include "base/status.h"
#include "partition/box.h"

/* The number of parts on each axis. All functions are local and pure. */

/* Sets `parts` as `text` asks for `ranks` ranks:
 * - "strips": {P, 1, 1};
 * - "blocks": the factors with the smallest halo to exchange, on as many axes as are of use;
 * - "AxB" or "AxBxC": A, B and C parts along the axes;
 * - "auto": the fastest by the model of partition/model.h for an ordinary machine.
 *
 * NULL means "strips". `cut` says which axes may be cut; `depth` is that of the halo, in cells:
 * "blocks" and "auto" make no part shorter than the halo where that is possible. HALO_ARGUMENT for
 * other text, a number of parts other than `ranks` (the message names one that is possible), or an
 * axis that cannot be cut. */
halo_status halo_decomposition_parse(const char *text, const halo_domain *domain,
                                     const bool cut[HALO_AXES], int ranks, int depth,
                                     int parts[HALO_AXES]);

/* HALO_ARGUMENT unless `text` is a decomposition of some domain. For options that are parsed before
 * the domain is known. */
halo_status halo_decomposition_check(const char *text);

/* The number of parts that `text` names, as "2x3" does; 0 if it leaves that open. */
int64_t halo_decomposition_count(const char *text);

#endif
