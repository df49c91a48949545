#ifndef HALOBEAT_PARTITION_BALANCE_DECISION_H
#define HALOBEAT_PARTITION_BALANCE_DECISION_H

#include "partition/balance/balance.h"

/* What the balancers share. Local and pure. */

enum { HALO_HORIZON_PLANS = 50 }; /* a gain further away is not counted on, usually */

/* HALO_ARGUMENT, with a sentence, if the input contradicts itself. */
halo_status halo_balance_check(const halo_balance_input *input);

/* The minimum number of rows of a rank: min_rows, or fewer where there are too few rows. */
int64_t halo_balance_min_rows(const halo_balance_input *input);

/* Widen strips below `min` rows at their neighbours' cost. */
void halo_balance_widen(int64_t *cuts, int ranks, int64_t min);

/* Fill in what a change of cuts costs and moves, and over how many beats a gain counts: at most
 * the beats of `horizon` plans. Where beats are short and plans rare, what one plan sees holds for
 * many beats. The reason becomes GAIN, or BEST where nothing changes. */
void halo_decision_count(halo_decision *decision, const halo_balance_input *input, int64_t horizon,
                         const int64_t *planned);

/* Keep the cuts, for this reason. */
void halo_decision_keep(halo_decision *decision, halo_reason reason,
                        const halo_balance_input *input, int64_t *planned);

#endif
