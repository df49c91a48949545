#include "app/report_shares.h"

#include "app/lines.h"
#include "partition/balance/balance.h"

#include <stdlib.h>

halo_status report_shares_find(report_shares *shares, const report *all)
{
    double *computing = calloc((size_t)all->ranks, sizeof *computing);
    if (computing == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the summary");
    }
    double sum = 0, exchanging = 0;
    for (int r = 0; r < all->ranks; r++) {
        const double *phases = all->lines[r].phases;
        computing[r] = phases[HALO_PHASE_COMPUTE];
        sum += computing[r];
        exchanging += phases[HALO_PHASE_EXCHANGE] + phases[HALO_PHASE_VOTE];
    }
    if (shares->seconds > 0 && shares->updates > 0) {
        double all_seconds = (double)all->ranks * shares->seconds;
        shares->nanoseconds = 1e9 * shares->seconds / shares->updates;
        shares->computing = sum / all_seconds;
        shares->exchanging = exchanging / all_seconds;
        double busy = shares->computing + shares->exchanging;
        shares->waiting = busy < 1 ? 1 - busy : 0;
    }
    shares->imbalance = halo_load_imbalance(computing, all->ranks);
    free(computing);
    return HALO_OK;
}

void report_shares_add_json(const report_shares *shares, json_t *json)
{
    const char *exchanging = shares->exchanges ? "exchanging_share" : "voting_share";
    json_object_set_new(json, "computing_share", json_real(shares->computing));
    json_object_set_new(json, exchanging, json_real(shares->exchanging));
    json_object_set_new(json, "waiting_share", json_real(shares->waiting));
    json_object_set_new(json, "imbalance", json_real(shares->imbalance));
}
