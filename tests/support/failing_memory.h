#ifndef HALOBEAT_TESTS_FAILING_MEMORY_H
#define HALOBEAT_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Allocations of the library that fail when a test wants them to. A program that links this must
 * be linked with HALOBEAT_FAILING_MEMORY_FLAGS, which send the library's allocations here. */

/* Local. Let `allocations` more succeed and the one after these fail, once. */
void failing_memory_arm(int64_t allocations);

/* Local. From now on all succeed. Returns whether one has failed since the arming. */
bool failing_memory_disarm(void);

#endif
