#ifndef HALOBEAT_SYNTHETIC_CHAINS_H
#define HALOBEAT_SYNTHETIC_CHAINS_H

#include <stdint.h>

/* Work whose result is known without doing it: linear congruential generators modulo 2^64, with the
 * multiplier and increment of D. E. Knuth's MMIX (The Art of Computer Programming 2, 3.3.4). A row
 * has several, which do not depend on each other, so that a step is a matter of how much a core
 * gets done and not only of how long one multiplication takes. */

enum { SYNTHETIC_CHAINS = 8 };

/* All functions are local and pure. A row's number at a beat, after `steps` steps of its chains,
 * which begin where row and beat say. Both return the same. */
uint64_t synthetic_chains_work(int64_t row, int64_t beat, int64_t steps);

/* In O(log steps), by jumping ahead: F. B. Brown, Random Number Generation with Arbitrary Strides
 * (1994). */
uint64_t synthetic_chains_jump(int64_t row, int64_t beat, int64_t steps);

/* Numbers that look random; a different one for each `number` (Steele, Lea and Flood 2014). */
uint64_t synthetic_mixed(uint64_t number);

#endif
