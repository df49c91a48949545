#ifndef HALOBEAT_PARTITION_SCHEDULE_LEDGER_H
#define HALOBEAT_PARTITION_SCHEDULE_LEDGER_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Which of N tasks are finished, and which unfinished ones an idle worker should do again, the last
 * first (rDLB; see halo_schedule_redundant). A bit for each task. All functions are local. */
typedef struct halo_ledger halo_ledger;

/* None of the tasks is finished. HALO_MEMORY. */
halo_status halo_ledger_create(halo_ledger **out, int64_t tasks);

/* Accepts a pointer to NULL. */
void halo_ledger_destroy(halo_ledger **ledger);

/* False if the task was finished before, by somebody else. */
bool halo_ledger_finish(halo_ledger *ledger, int64_t task);

bool halo_ledger_is_finished(const halo_ledger *ledger, int64_t task);
int64_t halo_ledger_unfinished(const halo_ledger *ledger);

/* Unfinished tasks *lo to *hi - 1, `most` or fewer, that were given again least often: those before
 * the ones of the last call, and after the first task the last one again. False if all are
 * finished. */
bool halo_ledger_again(halo_ledger *ledger, int64_t most, int64_t *lo, int64_t *hi);

#endif
