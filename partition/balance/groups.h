#ifndef HALOBEAT_PARTITION_BALANCE_GROUPS_H
#define HALOBEAT_PARTITION_BALANCE_GROUPS_H

#include "partition/balance/balance.h"

/* Grouping rows into groups of equal size, if there are too many to store the cost of each: in a
 * domain of one axis a row is a cell. Local and pure. */

/* Maximum number of groups. With at most that many rows, each row is a group. */
enum { HALO_MAX_GROUPS = 1 << 20 };

typedef struct {
    int ranks;
    int64_t rows, size; /* total rows; rows of a group, except the last one */
    int64_t groups;
    halo_load *loads; /* [ranks]: loads with groups in place of rows */
    int64_t *cuts;    /* [ranks + 1]: cuts, at the nearest boundaries of groups */
    float *cost;      /* [groups + ranks]: storage for row_cost */
} halo_groups;

/* Frees the groups. Accepts zeroed ones. */
void halo_groups_free(halo_groups *groups);

/* Resets the groups and allocates them for `ranks` ranks and `rows` rows. HALO_MEMORY. The caller
 * frees the groups, also after a failure. */
halo_status halo_groups_reset(halo_groups *groups, int ranks, int64_t rows);

/* The loads and cuts of an input by groups; those of the input itself if a group is a row. The time
 * of a strip with a partial group is scaled to whole groups. */
void halo_groups_take(halo_groups *groups, const halo_balance_input *input, const halo_load **loads,
                      const int64_t **cuts);

/* The minimum number of groups for a rank that must have `min` rows. */
int64_t halo_groups_min(const halo_groups *groups, int64_t min);

/* Converts cuts [ranks + 1] by groups to cuts by rows: cuts that did not change are those of the
 * input, and all strips have at least `min` rows. */
void halo_groups_give(const halo_groups *groups, const halo_balance_input *input, int64_t min,
                      int64_t *planned);

#endif
