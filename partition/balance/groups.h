#ifndef HALOBEAT_PARTITION_BALANCE_GROUPS_H
#define HALOBEAT_PARTITION_BALANCE_GROUPS_H

#include "partition/balance/balance.h"

/* Rows in groups of equal size, where there are too many to know the cost of each: in a domain of
 * one axis a row is a cell. Local and pure. */

/* At most so many groups; fewer rows are planned one by one. */
enum { HALO_MOST_GROUPS = 1 << 20 };

typedef struct {
    int ranks;
    int64_t rows, size; /* of them all; of a group, but for the last one */
    int64_t groups;
    halo_load *loads; /* [ranks]: groups for rows; */
    int64_t *cuts;    /* [ranks + 1], at the nearest boundaries of groups; */
    float *cost;      /* [groups + ranks]: what row_cost points to */
} halo_groups;

/* Accepts zeroed groups. */
void halo_groups_free(halo_groups *groups);

/* For so many ranks and rows. HALO_MEMORY; the caller frees them also then. */
halo_status halo_groups_reset(halo_groups *groups, int ranks, int64_t rows);

/* The loads and cuts of an input in groups: its own where a group is a row. What a strip of some
 * groups and a part took is scaled to whole groups. */
void halo_groups_take(halo_groups *groups, const halo_balance_input *input, const halo_load **loads,
                      const int64_t **cuts);

/* The least groups of a rank, for its least rows. */
int64_t halo_groups_least(const halo_groups *groups, int64_t least);

/* Turn cuts [ranks + 1] between groups into cuts between rows: those that did not change are the
 * input's, and all strips have the `least` rows. */
void halo_groups_give(const halo_groups *groups, const halo_balance_input *input, int64_t least,
                      int64_t *planned);

#endif
