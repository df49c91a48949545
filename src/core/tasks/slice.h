#ifndef HALOBEAT_CORE_TASKS_SLICE_H
#define HALOBEAT_CORE_TASKS_SLICE_H

#include <stdint.h>

/* The time slice of a thread in Linux 6.12 and later, in nanoseconds. A thread with a short slice
 * that sleeps most of the time need not wait some milliseconds for the end of other threads' slices
 * when it wakes. No effect on other systems. Both functions are local and concern the calling
 * thread. */

/* Sets a slice of 0.1 ms. Returns the previous slice; 0 if unknown. */
uint64_t task_slice_shorten(void);

/* Restores it; 0 does nothing. */
void task_slice_restore(uint64_t before);

#endif
