#ifndef HALOBEAT_PARTITION_BALANCE_CHAINS_H
#define HALOBEAT_PARTITION_BALANCE_CHAINS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Heterogeneous chains-on-chains partitioning (Pinar and Aykanat, "Fast optimal load balancing
 * algorithms for 1D partitioning", 2004): consecutive rows for consecutive ranks of different
 * speeds, such that the last rank finishes as early as possible. Local and pure. */

typedef struct {
    int64_t rows;
    int ranks;
    const double *before; /* [rows + 1]: seconds at speed 1 of all rows before each */
    const double *fixed;  /* [ranks]: seconds of a rank with rows, whatever their number */
    const double *speed;  /* [ranks], above 0 */
    int64_t min_rows;     /* minimum rows of a rank; ranks * min_rows <= rows */
} halo_chains;

/* Seconds of rows lo to hi - 1 on a rank; 0 for none. */
double halo_chains_rank_seconds(const halo_chains *chains, int rank, int64_t lo, int64_t hi);

/* Seconds of the last rank to finish, and which it is (may be NULL). */
double halo_chains_seconds(const halo_chains *chains, const int64_t *cuts, int *last);

/* Finds the cuts with the earliest finish, which is returned in `seconds`: to within a millionth,
 * by bisection on a greedy packing, for strips of few rows also on halo_chains_few_pack. `cuts`
 * [ranks + 1] has cuts on entry; the result is never worse than these, if they are valid.
 * HALO_MEMORY. */
halo_status halo_chains_solve(const halo_chains *chains, int64_t *cuts, double *seconds);

/* Exact dynamic programming for strips of few rows: finds cuts that finish within `seconds`. False
 * if there are none. `reached` is [ranks + 1][rows + 1] of scratch memory. */
bool halo_chains_few_pack(const halo_chains *chains, double seconds, unsigned char *reached,
                          int64_t *cuts);

/* Moves cuts [ranks + 1] that finish within `seconds` back towards `old`, each to the position
 * nearest its old one with which all ranks still finish within `seconds` and have min_rows. */
void halo_chains_clip(const halo_chains *chains, double seconds, const int64_t *old, int64_t *cuts);

#endif
