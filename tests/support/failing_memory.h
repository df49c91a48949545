#ifndef HALOBEAT_TESTS_FAILING_MEMORY_H
#define HALOBEAT_TESTS_FAILING_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Allocations of the library that fail on demand. Programs that use this must be linked with
 * HALOBEAT_FAILING_MEMORY_FLAGS, which redirect the library's allocations. */

/* Local. Lets `allocations` more of this rank, in any of its threads, succeed, and the next one
 * fail, once. */
void failing_memory_arm(int64_t allocations);

/* Local. Lets all allocations of this rank succeed again. Returns true if one has failed since
 * failing_memory_arm. */
bool failing_memory_disarm(void);

/* Collective. Something that allocates. */
typedef halo_status failing_job(void *context);

/* Collective. Runs a job while allocation `nth` of rank `victim` fails: all ranks must return
 * HALO_MEMORY, or HALO_OK if there was no such allocation or, `with_less`, if the job can be done
 * with less memory. Returns true if one failed; checks are noted (expect of mpi_check.h). */
bool failing_memory_once(failing_job *run, void *context, int victim, int64_t nth, bool with_less,
                         const char *what);

/* Collective. As failing_memory_once, for each allocation of the first and the last rank. `check`
 * is called after every run, with memory; it may be NULL. */
void failing_memory_each(failing_job *run, void (*check)(void *context), void *context,
                         bool with_less, const char *what);

#endif
