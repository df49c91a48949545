#ifndef HALOBEAT_PARTITION_BALANCE_CHAINS_H
#define HALOBEAT_PARTITION_BALANCE_CHAINS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Heterogeneous chains-on-chains partitioning (Pinar and Aykanat, "Fast optimal load balancing
 * algorithms for 1D partitioning", 2004): consecutive rows for consecutive ranks of different
 * speeds, so that the last one to finish is as early as can be. Local and pure. */

typedef struct {
    int64_t rows;
    int ranks;
    const double *before; /* [rows + 1]: seconds, at speed 1, of the rows before each */
    const double *fixed;  /* [ranks]: seconds of a rank that has rows, whatever their number */
    const double *speed;  /* [ranks], above 0 */
    int64_t min_rows;     /* of a rank; ranks * min_rows <= rows */
} halo_chains;

/* Seconds of rows lo to hi - 1 on a rank; 0 for none. */
double halo_chains_rank_seconds(const halo_chains *chains, int rank, int64_t lo, int64_t hi);

/* Seconds of the last to finish, and which rank (NULL accepted). */
double halo_chains_seconds(const halo_chains *chains, const int64_t *cuts, int *last);

/* Pack greedily: each rank takes rows while they end within `seconds`, and min_rows in any case.
 * False if that does not place all rows in time. With min_rows above 0 and few rows a rank, a
 * packing may exist that this does not find. `cuts` [ranks + 1] is written in any case. */
bool halo_chains_probe(const halo_chains *chains, double seconds, int64_t *cuts);

/* Cuts of the earliest end, which is returned in `seconds`; within a millionth, by bisection on
 * the probe, where strips have few rows also on halo_chains_few_pack. `cuts` holds cuts [ranks + 1]
 * on entry; the result is never worse than those, if they are valid. HALO_MEMORY. */
halo_status halo_chains_solve(const halo_chains *chains, int64_t *cuts, double *seconds);

/* Exact dynamic programming for strips of few rows: which cuts can be reached within `seconds`.
 * False if none can. `reached` is [ranks + 1][rows + 1] of working space. */
bool halo_chains_few_pack(const halo_chains *chains, double seconds, unsigned char *reached,
                          int64_t *cuts);

/* Move cuts [ranks + 1] that end within `seconds` back towards `old`, each to the place nearest its
 * old one from which all still end within `seconds` and have min_rows. */
void halo_chains_clip(const halo_chains *chains, double seconds, const int64_t *old, int64_t *cuts);

#endif
