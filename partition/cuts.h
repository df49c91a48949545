#ifndef HALOBEAT_PARTITION_CUTS_H
#define HALOBEAT_PARTITION_CUTS_H

#include "core/status.h"
#include "partition/box.h"

/* Who owns what. Boundaries along an axis: part p owns cells cuts[p] to cuts[p + 1] - 1, so
 * cuts[0] is 0, cuts[parts] is the axis' length, and equal neighbours make an empty part.
 * All functions are local and pure. */

/* Boundaries on every axis. Strips are parts {P, 1, 1}, blocks {Py, Px, 1}. */
typedef struct {
    int parts[HALO_AXES];
    int64_t *cuts[HALO_AXES]; /* [parts + 1] each */
} halo_partition;

/* Parts whose lengths differ by at most one; the longer ones come first, so that with more parts
 * than cells the surplus parts at the end are empty. `cuts` has room for parts + 1. */
void halo_cuts_even(int64_t n, int parts, int64_t *cuts);

/* Do cuts start at 0, end at n and never decrease? */
bool halo_cuts_are_valid(const int64_t *cuts, int parts, int64_t n);

/* The part that owns `cell` (0 <= cell < n). */
int halo_cuts_find(const int64_t *cuts, int parts, int64_t cell);

/* The nearest part after (step 1) or before (step -1) `part` that owns anything, going round
 * where `periodic`; -1 if there is none. With one owner on a periodic axis that owner is its own
 * neighbour. An empty part has no neighbours. */
int halo_cuts_neighbour(const int64_t *cuts, int parts, int part, int step, bool periodic);

/* HALO_RANKS if a part that owns anything owns fewer cells than a halo of `depth` takes from it;
 * the message names the largest number of parts that would do. A lone owner's halo may be deeper
 * than its part: nobody else's cells are needed. */
halo_status halo_cuts_check_depth(const int64_t *cuts, int parts, int depth);

/* Strips of a domain along axis 0: even cuts there, one part on the others. The caller owns the
 * partition and frees it with halo_partition_free. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_partition_strips(halo_partition *out, const halo_domain *domain, int parts);

/* A partition with a copy of `cuts` along axis 0. As above; HALO_ARGUMENT if they are not valid. */
halo_status halo_partition_with_cuts(halo_partition *out, const halo_domain *domain, int parts,
                                     const int64_t *cuts);

/* Accepts a zeroed partition. */
void halo_partition_free(halo_partition *partition);

/* The box that `part` owns; parts are numbered with axis 0 slowest. */
halo_box halo_partition_box(const halo_partition *partition, int part);

#endif
