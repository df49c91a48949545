#ifndef HALOBEAT_PARTITION_SCHEDULE_LEDGER_H
#define HALOBEAT_PARTITION_SCHEDULE_LEDGER_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Which of N tasks are finished, and which unfinished ones an idle worker should repeat, the last
 * first (rDLB; see halo_schedule_redundant). One bit per task. All functions are local. */
typedef struct halo_ledger halo_ledger;

/* Creates a ledger without finished tasks; the caller destroys it. HALO_MEMORY. */
halo_status halo_ledger_create(halo_ledger **out, int64_t tasks);

/* Frees the ledger and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_ledger_destroy(halo_ledger **ledger);

/* Marks a task as finished. Returns false if it was finished before. */
bool halo_ledger_finish(halo_ledger *ledger, int64_t task);

bool halo_ledger_is_finished(const halo_ledger *ledger, int64_t task);
int64_t halo_ledger_unfinished(const halo_ledger *ledger);

/* Sets *lo and *hi to a range of at most `most` unfinished tasks, those that were repeated least
 * often: the ones before those of the last call, and after the first task the last one again. False
 * if all are finished. */
bool halo_ledger_again(halo_ledger *ledger, int64_t most, int64_t *lo, int64_t *hi);

#endif
