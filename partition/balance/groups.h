#ifndef HALOBEAT_PARTITION_BALANCE_GROUPS_H
#define HALOBEAT_PARTITION_BALANCE_GROUPS_H

#include "partition/balance/balance.h"

/* Rows in groups of equal size, where there are too many to know the cost of each: in a domain of
 * one axis a row is a cell. Local and pure. */

/* The maximum number of groups. Up to this number of rows, each is a group of its own. */
enum { HALO_MAX_GROUPS = 1 << 20 };

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

/* Forgets everything and makes room for `ranks` ranks and `rows` rows. HALO_MEMORY. The caller
 * frees the groups, after a failure too. */
halo_status halo_groups_reset(halo_groups *groups, int ranks, int64_t rows);

/* The loads and cuts of an input in groups: its own where a group is a row. What a strip of some
 * groups and a part took is scaled to whole groups. */
void halo_groups_take(halo_groups *groups, const halo_balance_input *input, const halo_load **loads,
                      const int64_t **cuts);

/* The minimum number of groups of a rank that must have `min` rows. */
int64_t halo_groups_min(const halo_groups *groups, int64_t min);

/* Turn cuts [ranks + 1] between groups into cuts between rows: those that did not change are the
 * input's, and all strips have the `min` rows. */
void halo_groups_give(const halo_groups *groups, const halo_balance_input *input, int64_t min,
                      int64_t *planned);

#endif
