#ifndef HALOBEAT_TESTS_VIRTUAL_CLOCK_H
#define HALOBEAT_TESTS_VIRTUAL_CLOCK_H

#include <stdint.h>

/* A clock for what is decided by measured times: it shows what a test says that work takes, however
 * busy the machine is. Every rank has its own. A program that links this must be linked with
 * HALOBEAT_VIRTUAL_CLOCK_FLAGS, which send clock_gettime, and the pauses of a rank that waits
 * (nanosleep, sched_yield), here. */

/* Local. From now on the clock moves by `seconds` when it is looked at and when a rank that
 * waits pauses, and by virtual_clock_pass. Loops that look until some time has passed need
 * `look` > 0. */
void virtual_clock_start(double look, double pause);

/* Local. Back to the machine's clock. */
void virtual_clock_stop(void);

/* Local. Does nothing while the machine's clock is in use. */
void virtual_clock_pass(double seconds);

/* Local. Count pauses in `*pauses` from now on, which may be where other ranks look; NULL: no more.
 */
void virtual_clock_count(volatile int64_t *pauses);

#endif
