#ifndef HALOBEAT_TESTS_FAILING_MEMORY_H
#define HALOBEAT_TESTS_FAILING_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Allocations of the library that fail when a test wants them to. A program that links this must
 * be linked with HALOBEAT_FAILING_MEMORY_FLAGS, which send the library's allocations here. */

/* Local. Let `allocations` more succeed and the one after these fail, once. */
void failing_memory_arm(int64_t allocations);

/* Local. From now on all succeed. Returns whether one has failed since the arming. */
bool failing_memory_disarm(void);

/* Collective. Something that allocates. */
typedef halo_status failing_job(void *context);

/* Collective. Run a job while allocation `nth` of rank `victim` fails: all ranks must return
 * HALO_MEMORY, or HALO_OK if there was no such allocation or if the job can be done with less.
 * Returns whether it failed; checks are noted (expect of mpi_check.h). */
bool failing_memory_once(failing_job *run, void *context, int victim, int64_t nth, bool with_less,
                         const char *what);

/* Collective. The same for each allocation of the first rank and of the last one, until none is
 * left to fail. `check` follows every run, with memory; or NULL. */
void failing_memory_each(failing_job *run, void (*check)(void *context), void *context,
                         bool with_less, const char *what);

#endif
