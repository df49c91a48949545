#ifndef HALOBEAT_PARTITION_CUTS_H
#define HALOBEAT_PARTITION_CUTS_H

#include "base/status.h"
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

/* The same cuts, each moved to the nearest multiple of `unit`, where the longest part has at most a
 * twentieth more cells for it: what lies between multiples, such as a chunk of a file, has one
 * owner then. Otherwise the same cuts. */
void halo_cuts_aligned(int64_t n, int parts, int64_t unit, int64_t *cuts);

/* Do cuts start at 0, end at n and never decrease? */
bool halo_cuts_are_valid(const int64_t *cuts, int parts, int64_t n);

/* HALO_ARGUMENT if they do not; `what` is whose n rows they cut: "the checkpoint". */
halo_status halo_cuts_check(const int64_t *cuts, int parts, int64_t n, const char *what);

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

/* The same on every axis: parts[0] x parts[1] x parts[2] blocks, cut evenly. As above;
 * HALO_ARGUMENT for less than 1 part, or more than 1 on an axis the domain does not use. */
halo_status halo_partition_blocks(halo_partition *out, const halo_domain *domain,
                                  const int parts[HALO_AXES]);

/* Another one with the same cuts, whose owner is the caller. HALO_MEMORY. */
halo_status halo_partition_copy(halo_partition *out, const halo_partition *partition);

/* Do both have the same parts and cuts? */
bool halo_partition_equal(const halo_partition *a, const halo_partition *b);

/* Do its cuts rise from 0 to the domain's end on every axis? */
bool halo_partition_is_valid(const halo_partition *partition, const halo_domain *domain);

/* Accepts a zeroed partition. */
void halo_partition_free(halo_partition *partition);

/* How many parts there are in all. */
int halo_partition_parts(const halo_partition *partition);

/* Where on each axis `part` lies, and the part that lies there: they are numbered with axis 0
 * slowest. */
void halo_partition_place(const halo_partition *partition, int part, int place[HALO_AXES]);
int halo_partition_at(const halo_partition *partition, const int place[HALO_AXES]);

/* The box that `part` owns. */
halo_box halo_partition_box(const halo_partition *partition, int part);

/* The next part that owns anything in the direction `step`, each entry -1, 0 or 1, going round
 * where the domain is periodic; -1 if there is none. It may be `part` itself. A part without cells
 * has no neighbours. */
int halo_partition_neighbour(const halo_partition *partition, const halo_domain *domain, int part,
                             const int step[HALO_AXES]);

/* The same next to one end, HALO_LOW or HALO_HIGH, of an axis. */
int halo_partition_beside(const halo_partition *partition, const halo_domain *domain, int part,
                          int axis, int end);

/* halo_cuts_check_depth on every axis that is cut. */
halo_status halo_partition_check_depth(const halo_partition *partition, int depth);

/* The same with a depth for each axis. */
halo_status halo_partition_check_depths(const halo_partition *partition,
                                        const int depth[HALO_AXES]);

#endif
