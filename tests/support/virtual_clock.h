#ifndef HALOBEAT_TESTS_VIRTUAL_CLOCK_H
#define HALOBEAT_TESTS_VIRTUAL_CLOCK_H

#include <stdint.h>

/* A clock for decisions by measured times: it shows the time that a test gives to work, however
 * busy the machine is. Every rank has its own. Programs that use this must be linked with
 * HALOBEAT_VIRTUAL_CLOCK_FLAGS, which redirect clock_gettime, and the pauses of a rank that waits
 * (nanosleep, sched_yield). */

/* Local. Starts the virtual clock. It advances by `look` seconds when it is read, by `pause`
 * seconds when a waiting rank pauses, and by virtual_clock_pass. Loops that wait for a time need
 * `look` > 0. */
void virtual_clock_start(double look, double pause);

/* Local. Returns to the machine's clock. */
void virtual_clock_stop(void);

/* Local. Does nothing while the machine's clock is in use. */
void virtual_clock_pass(double seconds);

/* Local. Counts pauses in *pauses, which other ranks may read; NULL: stops counting. */
void virtual_clock_count(volatile int64_t *pauses);

#endif
