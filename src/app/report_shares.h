#ifndef HALOBEAT_APP_REPORT_SHARES_H
#define HALOBEAT_APP_REPORT_SHARES_H

#include "app/report.h"

/* How fast beats were, and what the ranks' time in them went into. */

/* To be filled in down to `exchanges`; report_shares_find does the rest. */
typedef struct {
    double seconds; /* in the beats */
    double updates; /* of cells, in all beats of all ranks together */
    bool exchanges; /* cells beside others' are brought; if not, ranks tell each other only votes */

    double nanoseconds;                    /* an update, all ranks together; 0 if there was none */
    double computing, exchanging, waiting; /* shares of the ranks' time; votes are exchanged */
    double imbalance;                      /* index of load imbalance of all beats together */
} report_shares;

/* Local, on rank 0. HALO_MEMORY. */
halo_status report_shares_find(report_shares *shares, const report *all);

/* Local, on rank 0: add the shares to `json`, which may be NULL for want of memory. */
void report_shares_add_json(const report_shares *shares, json_t *json);

#endif
