#ifndef HALOBEAT_PARTITION_CUTS_H
#define HALOBEAT_PARTITION_CUTS_H

#include "base/status.h"
#include "partition/box.h"

/* Partitions of a domain. Along an axis, part p owns cells cuts[p] to cuts[p + 1] - 1: cuts[0] is
 * 0, cuts[parts] is the length of the axis, and equal consecutive cuts make an empty part. All
 * functions are local and pure. */

/* Cuts along every axis. Strips have parts {P, 1, 1}, blocks {Py, Px, 1}. */
typedef struct {
    int parts[HALO_AXES];
    int64_t *cuts[HALO_AXES]; /* [parts + 1] each */
} halo_partition;

/* Even cuts: writes [parts + 1] cuts of `n` cells whose lengths differ by at most one; longer parts
 * come first, so that with more parts than cells the last parts are empty. */
void halo_cuts_even(int64_t n, int parts, int64_t *cuts);

/* Even cuts, each moved to the nearest multiple of `unit`, provided that the longest part grows by
 * at most 5 %; otherwise plain even cuts. So cells between two multiples, for instance a chunk of a
 * file, have one owner. Writes [parts + 1] cuts. */
void halo_cuts_aligned(int64_t n, int parts, int64_t unit, int64_t *cuts);

/* All `n` cells in part 0. Writes [parts + 1] cuts. */
void halo_cuts_whole(int64_t n, int parts, int64_t *cuts);

/* True if cuts [parts + 1] start at 0, end at n and never decrease. */
bool halo_cuts_are_valid(const int64_t *cuts, int parts, int64_t n);

/* HALO_ARGUMENT if cuts [parts + 1] are not valid for n rows; `what` is what they cut, for the
 * message: "the checkpoint". */
halo_status halo_cuts_check(const int64_t *cuts, int parts, int64_t n, const char *what);

/* The part that owns `cell`, 0 <= cell < n. */
int halo_cuts_find(const int64_t *cuts, int parts, int64_t cell);

/* The nearest non-empty part after (step 1) or before (step -1) `part`, across the ends if
 * `periodic`; -1 if there is none. On a periodic axis with a single non-empty part that part is its
 * own neighbour. An empty part has no neighbours. */
int halo_cuts_neighbour(const int64_t *cuts, int parts, int part, int step, bool periodic);

/* HALO_RANKS if a non-empty part has fewer cells than a halo of `depth` takes from it; the message
 * names the maximum number of parts. With a single non-empty part the halo may be deeper, since no
 * other rank's cells are needed. */
halo_status halo_cuts_check_depth(const int64_t *cuts, int parts, int depth);

/* Creates strips along axis 0: even cuts there, one part on the other axes. The caller frees the
 * partition with halo_partition_free. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_partition_strips(halo_partition *out, const halo_domain *domain, int parts);

/* The same, with strips of `min` cells at least, or all cells in the first one: where there are too
 * few cells for that, the last parts own nothing. */
halo_status halo_partition_thick_strips(halo_partition *out, const halo_domain *domain, int parts,
                                        int64_t min);

/* Creates strips with a copy of `cuts` [parts + 1] along axis 0. As above; HALO_ARGUMENT also if
 * the cuts are not valid. */
halo_status halo_partition_with_cuts(halo_partition *out, const halo_domain *domain, int parts,
                                     const int64_t *cuts);

/* Creates parts[0] x parts[1] x parts[2] blocks with even cuts. As above; HALO_ARGUMENT also for
 * fewer than 1 part, or more than 1 on an axis that the domain does not use. */
halo_status halo_partition_blocks(halo_partition *out, const halo_domain *domain,
                                  const int parts[HALO_AXES]);

/* Creates a copy. The caller frees it with halo_partition_free. HALO_MEMORY. */
halo_status halo_partition_copy(halo_partition *out, const halo_partition *partition);

/* True if both have the same parts and cuts. */
bool halo_partition_equal(const halo_partition *a, const halo_partition *b);

/* True if the cuts of every axis ascend from 0 to the length of the domain. */
bool halo_partition_is_valid(const halo_partition *partition, const halo_domain *domain);

/* Frees a partition's cuts. Accepts a zeroed partition. */
void halo_partition_free(halo_partition *partition);

/* The number of parts. */
int halo_partition_parts(const halo_partition *partition);

/* The position of `part` on each axis, and the part at a position. Parts are numbered with axis 0
 * slowest. */
void halo_partition_place(const halo_partition *partition, int part, int place[HALO_AXES]);
int halo_partition_at(const halo_partition *partition, const int place[HALO_AXES]);

/* The box that `part` owns. */
halo_box halo_partition_box(const halo_partition *partition, int part);

/* The nearest non-empty part in the direction `step`, whose entries are -1, 0 or 1, across periodic
 * edges; -1 if there is none. It may be `part` itself. An empty part has no neighbours. */
int halo_partition_neighbour(const halo_partition *partition, const halo_domain *domain, int part,
                             const int step[HALO_AXES]);

/* The nearest non-empty part at the end HALO_LOW or HALO_HIGH of an axis; -1 if there is none. */
int halo_partition_beside(const halo_partition *partition, const halo_domain *domain, int part,
                          int axis, int end);

/* halo_cuts_check_depth on every axis that is cut. HALO_RANKS. */
halo_status halo_partition_check_depth(const halo_partition *partition, int depth);

/* As halo_partition_check_depth, with a depth for each axis. */
halo_status halo_partition_check_depths(const halo_partition *partition,
                                        const int depth[HALO_AXES]);

#endif
