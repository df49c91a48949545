#ifndef HALOBEAT_PARTITION_BALANCE_DECISION_H
#define HALOBEAT_PARTITION_BALANCE_DECISION_H

#include "partition/balance/balance.h"

/* Common functions of the balancers. Local and pure. */

#define HALO_HORIZON_PLANS 50 /* default limit for counting a gain, in plans */

/* HALO_ARGUMENT, with a message, if the input is inconsistent. */
halo_status halo_balance_check(const halo_balance_input *input);

/* The minimum number of rows of a rank: min_rows, or less if there are too few rows. */
int64_t halo_balance_min_rows(const halo_balance_input *input);

/* Widens strips with fewer than `min` rows at the expense of their neighbours. */
void halo_balance_widen(int64_t *cuts, int ranks, int64_t min);

/* Sets the cost of a change of cuts, the rows it moves, and the number of beats over which its gain
 * counts: at most those of `horizon` plans (with short beats and rare plans, one plan concerns many
 * beats). Sets the reason to GAIN, or to BEST if nothing changes. */
void halo_decision_count(halo_decision *decision, const halo_balance_input *input, int64_t horizon,
                         const int64_t *planned);

/* Keeps the cuts for this reason. */
void halo_decision_keep(halo_decision *decision, halo_reason reason,
                        const halo_balance_input *input, int64_t *planned);

#endif
