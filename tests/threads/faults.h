#ifndef HALOBEAT_TESTS_THREADS_FAULTS_H
#define HALOBEAT_TESTS_THREADS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls of the library that fail on demand: allocations, and the making of threads. The program is
 * linked so that these calls come here (--wrap). Any thread may make them. */

typedef enum { FAULT_MEMORY, FAULT_THREADS } fault_kind;

/* Local. Lets `calls` calls of this kind succeed, and the next one fail, once. */
void fault_arm(fault_kind kind, int64_t calls);

/* Local. Lets all succeed again. True if one has failed since fault_arm. */
bool fault_disarm(void);

#endif
