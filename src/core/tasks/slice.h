#ifndef HALOBEAT_CORE_TASKS_SLICE_H
#define HALOBEAT_CORE_TASKS_SLICE_H

#include <stdint.h>

/* How long Linux lets a thread run at a time, in nanoseconds, from version 6.12 on: one with a
 * short slice, that sleeps most of the time, need not wait for the end of the others' slices, some
 * milliseconds, when it wakes. Nothing elsewhere. Both are local, and of the calling thread. */

/* Asks for a slice of a tenth of a millisecond; returns what it was, 0 where that is not known. */
uint64_t task_slice_shorten(void);

/* Sets it back; 0: does nothing. */
void task_slice_restore(uint64_t before);

#endif
