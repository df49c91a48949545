#ifndef HALOBEAT_SYNTHETIC_CHAINS_H
#define HALOBEAT_SYNTHETIC_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

/* Work whose result is known without doing it: linear congruential generators modulo 2^64, with the
 * multiplier and increment of D. E. Knuth's MMIX (The Art of Computer Programming 2, 3.3.4). A row
 * has several, which do not depend on each other, so that a step is a matter of how much a core
 * gets done and not only of how long one multiplication takes. */

enum { SYNTHETIC_CHAINS = 8, SYNTHETIC_FLOPS_A_STEP = 2 * SYNTHETIC_CHAINS };

/* All functions are local and pure. A row's number at a beat, after some steps of its chains, which
 * begin where row and beat say, is 0 after none: what steps `from` to `to` - 1 add to it. So shares
 * that follow one another from 0 on add up to what the row has after the last one.
 *
 * The steps are done, but for those before `from`, which are jumped over; `jump` jumps over all of
 * them, in O(log steps): F. B. Brown, Random Number Generation with Arbitrary Strides (1994). */
uint64_t synthetic_chains_share(int64_t row, int64_t beat, int64_t from, int64_t to, bool jump);

/* Numbers that look random; a different one for each `number` (Steele, Lea and Flood 2014). */
uint64_t synthetic_mixed(uint64_t number);

#endif
